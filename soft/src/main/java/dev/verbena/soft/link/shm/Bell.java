package dev.verbena.soft.link.shm;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What wakes the owner of an inbox that waits for other things as well: a pipe of its process,
 * which a sender opens by its number. For one thread at a time.
 */
final class Bell implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.verbena.soft.link");

  /** The descriptors of this process. */
  static final Path OWN_DESCRIPTORS = Path.of("/proc/self/fd");

  private static final Pattern PIPE = Pattern.compile("pipe:\\[(\\d{1,18})]");

  private final int fd;
  private final MemorySegment one = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1);

  private Bell(int fd) {
    this.fd = fd;
  }

  /**
   * The inode of a pipe, which tells it from all others of this computer as long as it is open.
   *
   * @param descriptors the folder of a process's descriptors
   * @return 0 if there is no pipe with this number
   */
  static long inode(Path descriptors, int number) {
    try {
      Path name = Files.readSymbolicLink(descriptors.resolve(String.valueOf(number)));
      Matcher pipe = PIPE.matcher(name.toString());
      return pipe.matches() ? Long.parseLong(pipe.group(1)) : 0;
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "descriptor " + number + " of " + descriptors + " is gone", e);
      return 0;
    }
  }

  /**
   * Opens the bell of a process. Nothing but a pipe is opened, because that may have an effect.
   *
   * @param inode what its owner has called it; by that time another process may have its number
   * @return null if it is gone
   */
  static @Nullable Bell open(Path descriptors, int number, long inode) {
    if (inode == 0 || inode(descriptors, number) != inode) {
      return null;
    }
    int fd = SharedMemoryNative.open(descriptors.resolve(String.valueOf(number)).toString());
    if (fd < 0) {
      return null;
    }
    if (inode(OWN_DESCRIPTORS, fd) != inode) {
      SharedMemoryNative.close(fd);
      return null;
    }
    return new Bell(fd);
  }

  /** Ends the owner's wait. If the pipe is full, it has been rung and not heard yet. */
  void ring() {
    SharedMemoryNative.write(fd, one);
  }

  @Override
  public void close() {
    SharedMemoryNative.close(fd);
  }
}
