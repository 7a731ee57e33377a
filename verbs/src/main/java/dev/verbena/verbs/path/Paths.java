package dev.verbena.verbs.path;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortSnapshot;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.security.SecureRandom;

/** Completes paths with values from a queue pair and its device, and from the network. */
public final class Paths {
  private static final int NO_LIMIT = 255;

  /** A timer code, 0.27 s, which Linux's connection manager uses on Ethernet. */
  private static final int ETHERNET_LIFE_TIME = 16;

  /** Start PSNs must be unpredictable, because an attacker who knows one can forge packets. */
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * A path that begins at a port and has no destination yet, with the port's default GID, LID,
   * largest MTU and rate, and with the defaults of {@value QpAttr#DEFAULT_RETRY_CNT} retries and
   * min_rnr_timer {@value QpAttr#DEFAULT_MIN_RNR_TIMER}, which is 0.64 ms.
   *
   * @throws VerbsException ENODATA if the port has no GID
   */
  public static IbPath from(EndPort endPort) {
    return IbPath.builder(endPort)
        .sgid(endPort.defaultGid())
        .slid(endPort.lid())
        .mtu(endPort.mtu())
        .rate(endPort.rate())
        .retries(QpAttr.DEFAULT_RETRY_CNT)
        .minRnrTimer(QpAttr.DEFAULT_MIN_RNR_TIMER)
        .build();
  }

  /**
   * Fills in a path without a limit of the caller's; otherwise like {@link #fillPath(QueuePair,
   * IbPath, int)}.
   */
  public static IbPath fillPath(QueuePair qp, IbPath path) {
    return fillPath(qp, path, NO_LIMIT);
  }

  /**
   * Fills in the values of this end's queue pair: its number as sqpn; the device's ACK delay as
   * sackRespTime; READs and atomics, srdatomic and drdatomic, up to what the device and {@code
   * maxRdAtomic} allow; and random start PSNs for both sides, sqpsn and dqpsn, where they are 0.
   *
   * @param maxRdAtomic maximum number of READs and atomics in each direction, 0 to 255
   */
  public static IbPath fillPath(QueuePair qp, IbPath path, int maxRdAtomic) {
    DeviceAttr device = qp.context().queryDevice();
    return path.toBuilder()
        .sqpn(qp.qpNum())
        .sackRespTime(device.localCaAckDelay())
        .srdatomic(least(path.srdatomic(), device.maxQpInitRdAtom(), maxRdAtomic))
        .drdatomic(least(path.drdatomic(), device.maxQpRdAtom(), maxRdAtomic))
        .sqpsn(path.sqpsn() != 0 ? path.sqpsn() : startPsn())
        .dqpsn(path.dqpsn() != 0 ? path.dqpsn() : startPsn())
        .build();
  }

  private static int least(int first, int second, int third) {
    return Math.min(first, Math.min(second, third));
  }

  private static int startPsn() {
    return RANDOM.nextInt(1, 1 << Iba.PSN_BITS);
  }

  /**
   * Resolves a path on Ethernet, where there is no subnet administrator. The result has a global
   * route from the path's source GID, or else from the port's default GID, and the MTU and rate of
   * the port. Its hop limit, unless set, is 64, or 1 to a multicast group, and its packet life time
   * is timer code 16. Other values of the path are unchanged.
   *
   * @throws VerbsException EINVAL if the path has no end port or no destination GID; EOPNOTSUPP if
   *     the end port is not on Ethernet: then query the subnet administrator; ENODATA if the port
   *     has no GID
   */
  public static IbPath resolveLocally(IbPath path) {
    EndPort endPort = path.endPort();
    PortSnapshot port = endPort.snapshot();
    if (port.linkLayer() != LinkLayer.ETHERNET) {
      throw new VerbsException(
          "resolvePath",
          Errno.EOPNOTSUPP,
          endPort + " is on " + port.linkLayer() + ": its subnet administrator knows paths");
    }
    Gid dgid = path.dgid();
    if (dgid.isZero()) {
      throw new VerbsException(
          "resolvePath", Errno.EINVAL, "on Ethernet a path needs a destination GID: " + path);
    }
    return path.toBuilder()
        .sgid(path.sgid().isZero() ? endPort.defaultGid() : path.sgid())
        .hasGrh(true)
        .hopLimit(path.hopLimit() != 0 ? path.hopLimit() : AhAttr.to(dgid).hopLimit())
        .mtu(port.mtu())
        .rate(port.rate())
        .packetLifeTime(ETHERNET_LIFE_TIME)
        .build();
  }

  private Paths() {}
}
