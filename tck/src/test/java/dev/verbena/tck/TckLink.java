package dev.verbena.tck;

import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.LinkKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The ways between two devices on which every test of the conformance suite must hold. */
enum TckLink {
  /** Whole messages inside the process. */
  LOOPBACK(LinkKind.AUTO, false, 14),
  /** Packets in memory. */
  PACKET(LinkKind.PACKET, false, 14),
  /** UDP datagrams. */
  UDP(LinkKind.UDP, false, 14),
  /** UDP datagrams that are lost, repeated, exchanged, delayed and damaged. */
  FAULTY_UDP(LinkKind.UDP, true, 13);

  /** Decides the faults of this run; -Dverbena.tck.seed repeats them. */
  static final long SEED = Long.getLong("verbena.tck.seed", System.nanoTime() & 0xffff_ffffL);

  private final LinkKind kind;
  private final boolean faulty;
  private final int timeout;

  TckLink(LinkKind kind, boolean faulty, int timeout) {
    this.kind = kind;
    this.faulty = faulty;
    this.timeout = timeout;
  }

  /** The links to test: all, or those that -Dverbena.tck.links=LOOPBACK,UDP names. */
  static List<TckLink> selected() {
    String names = System.getProperty("verbena.tck.links", "");
    return names.isBlank()
        ? List.of(values())
        : Arrays.stream(names.split(",", -1)).map(String::trim).map(TckLink::valueOf).toList();
  }

  /** A device on this link with an address of its own. */
  DeviceSpec device() {
    return device(Addresses.next(), 0);
  }

  /**
   * A device on this link.
   *
   * @param address its address
   * @param side tells the fault sequences of the two ends of a connection apart
   */
  DeviceSpec device(String address, int side) {
    DeviceSpec spec = DeviceSpec.soft(address).link(kind);
    return faulty ? spec.faults(faults(side)) : spec;
  }

  /**
   * The QP timeout code (4.096 µs × 2^n) that fits this link: short where packets are lost, and
   * long enough for a busy machine in any case, as eight tries must be too many to fail by chance.
   */
  int timeout() {
    return timeout;
  }

  /** Whether packets are lost here. */
  boolean isFaulty() {
    return faulty;
  }

  private static FaultSpec faults(int side) {
    return new FaultSpec(0.02, 0.02, 0.02, 0.01, Duration.ofMillis(1), 0.01, SEED + side);
  }
}
