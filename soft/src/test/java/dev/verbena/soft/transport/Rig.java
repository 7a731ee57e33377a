package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.transport.packets.PacketPath;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Two connected endpoints, a scripted wire between them, and virtual time. Only the test makes
 * progress.
 */
final class Rig {
  static final int PSN_A = 0x100;
  static final int PSN_B = 0x900;
  private static final int MANY_ROUNDS = 100_000;

  final Endpoint a;
  final Endpoint b;
  private final boolean loopback;
  private long now = 1;

  private Rig(Service service, boolean loopback, int cqe) {
    this.loopback = loopback;
    a = new Endpoint(service, 0x11, 1, () -> now, cqe);
    b = new Endpoint(service, 0x22, 2, () -> now, cqe);
  }

  /** Connected by packets; PSNs start at {@link #PSN_A} and {@link #PSN_B}. */
  static Rig packets() {
    return packets(both -> {});
  }

  /** Queue pairs of this service, connected by packets or by the loopback. */
  static Rig of(Service service, boolean loopback) {
    return new Rig(service, loopback, 4 * Endpoint.DEPTH).connect(both -> {}, PSN_A, PSN_B);
  }

  /** Connected by packets that may stand for several, with up to so many bytes of payload. */
  static Rig longPackets(int payload) {
    Rig rig = new Rig(Service.RC, false, 4 * Endpoint.DEPTH);
    rig.a.out.longPayload = payload;
    rig.b.out.longPayload = payload;
    return rig.connect(both -> {}, PSN_A, PSN_B);
  }

  /** Connected by packets of which so many leave together. */
  static Rig runs(int packets) {
    Rig rig = new Rig(Service.RC, false, 4 * Endpoint.DEPTH);
    rig.a.out.run = packets;
    rig.b.out.run = packets;
    return rig.connect(both -> {}, PSN_A, PSN_B);
  }

  /** Connected by packets, with changed parameters on both sides. */
  static Rig packets(Consumer<QpParameters> setup) {
    return packets(setup, PSN_A, PSN_B, 4 * Endpoint.DEPTH);
  }

  static Rig packets(Consumer<QpParameters> setup, int psnA, int psnB, int cqe) {
    return new Rig(Service.RC, false, cqe).connect(setup, psnA, psnB);
  }

  /** Connected by the loopback, in chunks of a few PSNs. */
  static Rig loopback(Consumer<QpParameters> setup) {
    return loopback(setup, PSN_A, PSN_B);
  }

  static Rig loopback(Consumer<QpParameters> setup, int psnA, int psnB) {
    return new Rig(Service.RC, true, 4 * Endpoint.DEPTH).connect(setup, psnA, psnB);
  }

  Rig connect(Consumer<QpParameters> setup, int psnA, int psnB) {
    setup.accept(a.parameters);
    setup.accept(b.parameters);
    a.connect(b, path(a, b), psnA, psnB);
    b.connect(a, path(b, a), psnB, psnA);
    return this;
  }

  long now() {
    return now;
  }

  /** Lets both sides send what they can, without delivering anything. */
  void pump() {
    boolean more = true;
    for (int round = 0; more; round++) {
      assertThat(round).as("rounds without end").isLessThan(MANY_ROUNDS);
      more = a.pump();
      more |= b.pump();
    }
  }

  /** Delivers what A has sent, and lets both react. */
  void deliverToB() {
    deliver(a, b);
  }

  /** Delivers what B has sent, and lets both react. */
  void deliverToA() {
    deliver(b, a);
  }

  /** Delivers one packet to B. */
  void inject(Packet packet) {
    b.arrive(packet, a.gid);
    pump();
  }

  /** Delivers and reacts until nothing is on its way. */
  void deliverAll() {
    pump();
    int rounds = 0;
    while (!a.out.flight.isEmpty() || !b.out.flight.isEmpty()) {
      deliverToB();
      deliverToA();
      assertThat(rounds++).as("rounds without end").isLessThan(MANY_ROUNDS);
    }
  }

  /** Lets time pass; timers that are due expire, in order. */
  void advance(long nanos) {
    long end = now + nanos;
    while (nextDeadline() <= end) {
      now = Math.max(now, nextDeadline());
      expire();
    }
    now = end;
  }

  /** Lets time pass until the next timer is due, and expires it; false if none runs. */
  boolean advanceToDeadline() {
    long next = nextDeadline();
    if (next == Clock.NEVER) {
      return false;
    }
    now = Math.max(now, next);
    expire();
    return true;
  }

  /** Delivers, and lets time pass, until both sides rest. */
  void settle() {
    int rounds = 0;
    do {
      deliverAll();
      assertThat(rounds++).as("timers without end").isLessThan(MANY_ROUNDS);
    } while (advanceToDeadline());
  }

  private long nextDeadline() {
    return Math.min(a.requester.deadline(), b.requester.deadline());
  }

  private void expire() {
    a.requester.onTimer(now);
    b.requester.onTimer(now);
    pump();
  }

  private void deliver(Endpoint from, Endpoint to) {
    List<Packet> packets = new ArrayList<>(from.out.flight);
    from.out.flight.clear();
    for (Packet packet : packets) {
      to.arrive(packet, from.gid);
      to.pump();
    }
    pump();
  }

  private Path path(Endpoint from, Endpoint to) {
    return loopback ? new DirectPath(from, to) : new PacketPath(from.out, from.core);
  }
}
