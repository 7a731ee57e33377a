package dev.verbena.verbs.path;

import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortSnapshot;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.security.SecureRandom;

/** Completes paths: with what a queue pair and its device say, and with what the network says. */
public final class Paths {
  private static final int NO_LIMIT = 255;
  private static final int PSN_BITS = 24;
  private static final int RETRIES = 7;
  private static final int MIN_RNR_TIMER = 12;

  private static final int UNICAST_HOPS = 64;
  private static final int MULTICAST_HOPS = 1;

  /** As a timer code; 0.27 s. What Linux's connection manager takes on Ethernet. */
  private static final int ETHERNET_LIFE_TIME = 16;

  /** Start PSNs shall not be guessed, for whoever knows one can forge packets. */
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * A path that begins at a port, with what the port can do and usual values: its default GID and
   * LID, its largest MTU, its rate, 7 retries, and min_rnr_timer 12, which is 0.64 ms. It leads
   * nowhere yet.
   *
   * @throws VerbsException ENODATA if the port has no GID
   */
  public static IbPath from(EndPort endPort) {
    return IbPath.builder(endPort)
        .sgid(endPort.defaultGid())
        .slid(endPort.lid())
        .mtu(endPort.mtu())
        .rate(endPort.rate())
        .retries(RETRIES)
        .minRnrTimer(MIN_RNR_TIMER)
        .build();
  }

  /** As {@link #fillPath(QueuePair, IbPath, int)} without a limit of one's own. */
  public static IbPath fillPath(QueuePair qp, IbPath path) {
    return fillPath(qp, path, NO_LIMIT);
  }

  /**
   * The path with what this end's queue pair brings: its number as sqpn; the device's ACK delay as
   * sackRespTime; READs and atomics, srdatomic and drdatomic, no more than the device and {@code
   * maxRdAtomic} allow; and random start PSNs for both sides, sqpsn and dqpsn, where they are 0.
   *
   * @param maxRdAtomic most READs and atomics in each direction, 0 to 255
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
    return RANDOM.nextInt(1, 1 << PSN_BITS);
  }

  /**
   * Resolves a path on Ethernet, where no subnet administrator knows it: it has a global route from
   * the path's source GID, or else the port's default one, and MTU and rate of the port; its hop
   * limit is 64 unless it has one, or 1 to a multicast group; a packet lives for the timer code 16.
   * What else the path says stays.
   *
   * @throws VerbsException EINVAL if the path has no end port or no destination GID; EOPNOTSUPP if
   *     the end port is not on Ethernet, where the subnet administrator must be asked; ENODATA if
   *     the port has no GID
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
    int hops = dgid.isMulticast() ? MULTICAST_HOPS : UNICAST_HOPS;
    return path.toBuilder()
        .sgid(path.sgid().isZero() ? endPort.defaultGid() : path.sgid())
        .hasGrh(true)
        .hopLimit(path.hopLimit() != 0 ? path.hopLimit() : hops)
        .mtu(port.mtu())
        .rate(port.rate())
        .packetLifeTime(ETHERNET_LIFE_TIME)
        .build();
  }

  private Paths() {}
}
