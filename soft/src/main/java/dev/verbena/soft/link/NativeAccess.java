package dev.verbena.soft.link;

import java.lang.foreign.Arena;
import java.util.Set;

/**
 * Whether links may call the C library: on Linux, on an architecture whose layouts and numbers they
 * have, and if this code may call native functions. Determined once.
 */
public final class NativeAccess {
  private static final Set<String> ARCHITECTURES = Set.of("amd64", "aarch64");

  private NativeAccess() {}

  /** Why native calls cannot be made; empty if they can. */
  public static String obstacle() {
    return Probe.OBSTACLE;
  }

  /** Determined once, on first use. */
  private static final class Probe {
    static final String OBSTACLE = probe();

    private static String probe() {
      String system = System.getProperty("os.name");
      String architecture = System.getProperty("os.arch");
      if (!system.equals("Linux") || !ARCHITECTURES.contains(architecture)) {
        return "native calls are made on Linux on amd64 and aarch64, this is "
            + system
            + " on "
            + architecture;
      }
      try (Arena arena = Arena.ofConfined()) {
        // Fails if native access is denied, or a function is missing.
        ThreadNative.getpriority(LibcNative.errorBuffer(arena), 0, 0);
        return "";
      } catch (RuntimeException | LinkageError e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return "native access is not available ("
            + cause
            + "); run with --enable-native-access=ALL-UNNAMED or =dev.verbena.soft";
      }
    }
  }
}
