package dev.verbena.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The receive buffer of this process's only RoCE socket. A device asks for a large one, and as root
 * gets it; here it has one of a given size. Only for Linux.
 */
@SuppressWarnings("restricted")
final class ReceiveBufferNative {
  private static final int SOL_SOCKET = 1;
  private static final int SO_RCVBUF = 8;

  /** Port 4791 in /proc/net/udp. */
  private static final String PORT = ":12B7";

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final MethodHandle SET =
      function("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.ADDRESS, INT));
  private static final MethodHandle GET =
      function(
          "getsockopt",
          FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));

  private static MethodHandle function(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  /**
   * Gives the socket a buffer of so many bytes, as Linux counts them.
   *
   * @return how many it has now
   */
  static int shrink(int bytes) throws IOException {
    int fd = socket();
    try (Arena arena = Arena.ofConfined()) {
      // Linux doubles what is asked for.
      MemorySegment value = arena.allocateFrom(INT, bytes / 2);
      MemorySegment length = arena.allocateFrom(INT, Integer.BYTES);
      int set = (int) SET.invokeExact(fd, SOL_SOCKET, SO_RCVBUF, value, Integer.BYTES);
      int got = (int) GET.invokeExact(fd, SOL_SOCKET, SO_RCVBUF, value, length);
      if (set != 0 || got != 0) {
        throw new IOException("the receive buffer cannot be changed");
      }
      return value.get(INT, 0);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** The descriptor of the socket that is bound to the port of RoCE. */
  private static int socket() throws IOException {
    List<String> inodes =
        Files.readAllLines(Path.of("/proc/net/udp")).stream()
            .map(line -> line.trim().split("\\s+", -1))
            .filter(words -> words[1].endsWith(PORT))
            .map(words -> "socket:[" + words[9] + "]")
            .toList();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : all) {
        if (Files.isSymbolicLink(each)
            && inodes.contains(Files.readSymbolicLink(each).toString())) {
          return Integer.parseInt(String.valueOf(each.getFileName()));
        }
      }
    }
    throw new IOException("no socket with port 4791");
  }

  private ReceiveBufferNative() {}
}
