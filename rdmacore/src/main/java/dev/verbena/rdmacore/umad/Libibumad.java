package dev.verbena.rdmacore.umad;

import dev.verbena.rdmacore.host.LibraryProbe;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks whether libibumad can be called: it is installed, this code may call native functions, and
 * the architecture has the layouts of this package. The check is made once; if it fails, one line
 * of the log says why, and so does every call that needs the library.
 */
final class Libibumad {
  private static final System.Logger LOGGER = System.getLogger("dev.verbena.rdmacore.umad");

  private static final Path ABI_VERSION = Path.of("/sys/class/infiniband_mad/abi_version");

  private Libibumad() {}

  static boolean isAvailable() {
    return Probe.OBSTACLE.isEmpty();
  }

  /**
   * Whether to query nodes: the library is available, and the kernel has the files that it reads,
   * or a preloaded library simulates them, invisibly to Java. Without the files the library
   * complains on standard error.
   */
  static boolean mayFindNodes() {
    return (Files.exists(ABI_VERSION) || System.getenv("LD_PRELOAD") != null) && isAvailable();
  }

  /**
   * Does nothing if the library is available.
   *
   * @throws VerbsException ENOSYS otherwise
   */
  static void require(String function) {
    if (!isAvailable()) {
      throw new VerbsException(function, Errno.ENOSYS, Probe.OBSTACLE);
    }
  }

  /** The check, made once, when first needed. */
  private static final class Probe {
    static final String OBSTACLE =
        LibraryProbe.obstacle(UmadNative.LIBRARY, "libibumad3", Probe::start);

    static {
      if (!OBSTACLE.isEmpty()) {
        LOGGER.log(Level.DEBUG, OBSTACLE);
      }
    }

    private static String start() {
      try (Arena arena = Arena.ofConfined()) {
        int started = UmadNative.init(UmadNative.errorBuffer(arena));
        return started < 0 ? "libibumad does not start: " + Errno.strerror(-started) : "";
      }
    }
  }
}
