package dev.verbena.soft.link.socket;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.util.Set;

/**
 * Whether {@link FfmUdpLink} works here: on Linux, on an architecture with the layouts and numbers
 * of {@link LinuxSocket} and {@link MessageHeader}, and if this code may call native functions.
 * Determined once; if not, one line of the log says why.
 */
public final class NativeUdp {
  private static final System.Logger LOGGER = System.getLogger("dev.verbena.soft.link");
  private static final Set<String> ARCHITECTURES = Set.of("amd64", "aarch64");

  private NativeUdp() {}

  /** Whether native calls can be made. */
  public static boolean isAvailable() {
    return Probe.OBSTACLE.isEmpty();
  }

  /** Determined once, on first use. */
  private static final class Probe {
    static final String OBSTACLE = obstacle();

    static {
      if (!OBSTACLE.isEmpty()) {
        LOGGER.log(
            Level.WARNING,
            "UDP goes through DatagramChannel, without received TTL and TOS and without IPv6"
                + " packets that have no checksum: "
                + OBSTACLE);
      }
    }

    private static String obstacle() {
      String system = System.getProperty("os.name");
      String architecture = System.getProperty("os.arch");
      if (!system.equals("Linux") || !ARCHITECTURES.contains(architecture)) {
        return "native sockets are made for Linux on amd64 and aarch64, this is "
            + system
            + " on "
            + architecture;
      }
      try (Arena arena = Arena.ofConfined()) {
        // Fails if native access is denied, or a function is missing.
        UdpNative.errorBuffer(arena);
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
