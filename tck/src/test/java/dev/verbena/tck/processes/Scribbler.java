package dev.verbena.tck.processes;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * A process that flips bits, and tries to cut off memory, in every inbox that another process of
 * its user has for {@code link=shm}, until that one ends. Arguments: the other's number, and a
 * seed.
 */
final class Scribbler {
  /** Where an inbox has what is used first: its head, and a part of its first rings. */
  private static final long REACH = 6 << 20;

  /** The parts of an inbox start at multiples of this, with the words that steer them. */
  private static final int PART = 1 << 16;

  private static final int FLIPS = 20;
  private static final int TRIES = 20_000;

  public static void main(String[] args) throws IOException {
    long victim = Long.parseLong(args[0]);
    Random random = new Random(Long.parseLong(args[1]));
    Path folder =
        Path.of("/dev/shm/verbena-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    while (ProcessHandle.of(victim).isPresent()) {
      try (DirectoryStream<Path> names = Files.newDirectoryStream(folder)) {
        for (Path name : names) {
          if (Files.isSymbolicLink(name)
              && Files.readSymbolicLink(name).startsWith("/proc/" + victim)) {
            scribble(name, random);
          }
        }
      } catch (FileSystemException e) {
        // A device has just been closed, and its number may be that of what cannot be opened.
      }
    }
  }

  private static void scribble(Path inbox, Random random) throws IOException {
    try (FileChannel file =
            FileChannel.open(inbox, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      if (file.size() < REACH || !hasSharedMemory()) {
        return;
      }
      MemorySegment memory = file.map(MapMode.READ_WRITE, 0, REACH, arena);
      int flips = 0;
      // Zeros are where nobody looks.
      for (int i = 0; i < TRIES && flips < FLIPS; i++) {
        // Each power of two is as likely: most of a part is data, where a flip fails no connection.
        int distance = random.nextInt(2 << random.nextInt(Integer.numberOfTrailingZeros(PART)));
        long word = (random.nextLong(REACH / PART) * PART + distance) / Long.BYTES;
        long value = memory.getAtIndex(JAVA_LONG, word);
        if (value != 0) {
          memory.setAtIndex(JAVA_LONG, word, value ^ 1L << random.nextInt(Long.SIZE));
          flips++;
        }
      }
      cut(file, random.nextLong(REACH));
    }
  }

  /**
   * Whether what was opened, the only such file here, is shared memory of a device; its regions are
   * smaller. An inbox may be closed at any time, and then its number is that of the next file that
   * the other process opens, which may be a jar of somebody's repository.
   */
  private static boolean hasSharedMemory() throws IOException {
    try (DirectoryStream<Path> own = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path number : own) {
        if (Files.readSymbolicLink(number).toString().startsWith("/memfd:verbena")) {
          return true;
        }
      }
      return false;
    }
  }

  private static void cut(FileChannel file, long size) {
    try {
      file.truncate(size);
    } catch (IOException e) {
      // As it should be.
      return;
    }
    throw new AssertionError("an inbox was cut to " + size + " bytes");
  }

  private Scribbler() {}
}
