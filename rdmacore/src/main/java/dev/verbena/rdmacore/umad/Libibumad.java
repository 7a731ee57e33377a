package dev.verbena.rdmacore.umad;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Checks whether libibumad can be called: it is installed, this code may call native functions, and
 * the architecture has the layouts of this package. The check is made once; if it fails, one line
 * of the log says why, and so does every call that needs the library.
 */
final class Libibumad {
  private static final System.Logger LOGGER = System.getLogger("dev.verbena.rdmacore.umad");
  private static final Set<String> ARCHITECTURES = Set.of("amd64", "aarch64");

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
    static final String OBSTACLE = obstacle();

    static {
      if (!OBSTACLE.isEmpty()) {
        LOGGER.log(Level.DEBUG, OBSTACLE);
      }
    }

    private static String obstacle() {
      String system = System.getProperty("os.name");
      String architecture = System.getProperty("os.arch");
      if (!system.equals("Linux") || !ARCHITECTURES.contains(architecture)) {
        return "libibumad is used on Linux on amd64 and aarch64, this is "
            + system
            + " on "
            + architecture;
      }
      try (Arena arena = Arena.ofConfined()) {
        // Fails if native access is denied, or the library or a function is missing.
        int started = UmadNative.init(UmadNative.errorBuffer(arena));
        return started < 0 ? "libibumad does not start: " + Errno.strerror(-started) : "";
      } catch (RuntimeException | LinkageError e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return UmadNative.LIBRARY
            + " cannot be called ("
            + cause
            + "); install it (Debian: libibumad3), and run with"
            + " --enable-native-access=ALL-UNNAMED or =dev.verbena.rdmacore";
      }
    }
  }
}
