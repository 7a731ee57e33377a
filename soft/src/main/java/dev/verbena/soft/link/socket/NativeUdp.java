package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.NativeAccess;
import java.lang.System.Logger.Level;

/** Whether {@link FfmUdpLink} works here; if not, one line of the log says why. */
public final class NativeUdp {
  private static final System.Logger LOGGER = System.getLogger("dev.verbena.soft.link");

  private NativeUdp() {}

  /** Whether native calls can be made. */
  public static boolean isAvailable() {
    return Probe.AVAILABLE;
  }

  /** Determined once, on first use. */
  private static final class Probe {
    static final boolean AVAILABLE = probe();

    private static boolean probe() {
      String obstacle = NativeAccess.obstacle();
      if (!obstacle.isEmpty()) {
        LOGGER.log(
            Level.WARNING,
            "UDP goes through DatagramChannel, without received TTL and TOS and without IPv6"
                + " packets that have no checksum: "
                + obstacle);
      }
      return obstacle.isEmpty();
    }
  }
}
