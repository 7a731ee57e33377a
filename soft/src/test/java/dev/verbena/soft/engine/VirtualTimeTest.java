package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Clock;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.wire.AckTimeout;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Engines without threads, in virtual time. */
@Timeout(60)
class VirtualTimeTest {
  private static final long TICK = 1 << 16;

  private long now;
  private final Lab packets = new Lab(() -> now, false, false);

  private void run(Engine... engines) {
    boolean again = true;
    while (again) {
      again = false;
      for (Engine engine : engines) {
        again |= engine.step(now);
      }
    }
  }

  /** Repeats its last packet. */
  private static final class ReplayingLink extends ForwardingLink {
    private final MemorySegment last = Arena.ofAuto().allocate(8192);
    private long length;
    private Route to;

    ReplayingLink(Link inner, Route to) {
      super(inner);
      this.to = to;
    }

    @Override
    public boolean send(MemorySegment datagram, long bytes, Route route, long at) {
      MemorySegment.copy(datagram, 0, last, 0, bytes);
      length = bytes;
      to = route;
      return super.send(datagram, bytes, route, at);
    }

    void replay(int times, long at) {
      for (int i = 0; i < times; i++) {
        assertThat(inner.send(last, length, to, at)).isTrue();
      }
    }
  }

  /** Otherwise a delayed thread would retransmit although the answers have arrived. */
  @Test
  void noTimerExpiresWhileAnswersLieUnread() {
    int batch = 32;
    ReplayingLink[] far = new ReplayingLink[1];
    Peer a = new Peer(packets.engine(), 1_000);
    Engine other =
        packets.farEngine(
            (link, counters) -> {
              far[0] = new ReplayingLink(link, new Route(Address.UNSPECIFIED, 0, 64, 0));
              return far[0];
            });
    Peer b = new Peer(other, 1_000);
    Peer.connect(a, b);
    a.write(1, b, 8);
    run(a.engine, b.engine);
    assertThat(a.pollOnly().wrId()).isEqualTo(1);
    a.write(2, b, 8);
    far[0].replay(batch, now);
    run(b.engine);
    now += AckTimeout.nanos(14) + TICK;
    run(a.engine, b.engine);
    assertThat(a.engine.tally().get(Counter.DROPPED_STALE_RESPONSE)).isEqualTo(batch);
    assertThat(a.engine.tally().get(Counter.TIMEOUTS)).isZero();
    assertThat(a.pollOnly().wrId()).isEqualTo(2);
  }

  /** Throws OutOfMemoryError for the next packets. */
  private static final class StarvingLink extends ForwardingLink {
    int failing;

    StarvingLink(Link inner) {
      super(inner);
    }

    @Override
    public boolean send(MemorySegment datagram, long bytes, Route route, long at) {
      if (failing > 0) {
        failing--;
        throw new OutOfMemoryError("of a test");
      }
      return super.send(datagram, bytes, route, at);
    }
  }

  /** The packet counts as sent, so it has to be repeated; only a turn can arm the timer for it. */
  @Test
  void whatADoorbellWithoutHeapHasLeftIsDoneByTheNextTurn() {
    StarvingLink[] near = new StarvingLink[1];
    Engine engine =
        packets.farEngine(
            (link, counters) -> {
              near[0] = new StarvingLink(link);
              return near[0];
            });
    Peer a = new Peer(engine, 1_000);
    Peer b = new Peer(packets.engine(), 1_000);
    Peer.connect(a, b);
    near[0].failing = 1;
    assertThatThrownBy(() -> a.write(1, b, 8)).isInstanceOf(OutOfMemoryError.class);
    run(a.engine, b.engine);
    now += AckTimeout.nanos(14) + TICK;
    run(a.engine, b.engine);
    assertThat(a.pollOnly().wrId()).isEqualTo(1);
  }

  @Test
  void whoFoundNoHeapIsServedAgainAfterAPauseAndNotInABusyLoop() {
    StarvingLink[] far = new StarvingLink[1];
    Peer a = new Peer(packets.engine(), 1_000);
    Engine other =
        packets.farEngine(
            (link, counters) -> {
              far[0] = new StarvingLink(link);
              return far[0];
            });
    Peer b = new Peer(other, 1_000);
    Peer.connect(a, b);
    far[0].failing = 3;
    a.write(1, b, 8);
    int steps = 0;
    while (b.engine.step(now)) {
      assertThat(++steps).isLessThan(10);
    }
    for (int left = 2; left >= 0; left--) {
      assertThat(far[0].failing).isEqualTo(left);
      long pause = b.engine.nextDeadline() - now;
      assertThat(pause).isBetween(Schedule.PAUSE_NANOS, Schedule.PAUSE_NANOS + TICK);
      now += pause;
      b.engine.step(now);
    }
    run(a.engine, b.engine);
    assertThat(a.pollOnly().wrId()).isEqualTo(1);
    assertThat(a.engine.tally().get(Counter.TIMEOUTS)).isZero();
    assertThat(b.engine.failures().count()).as("a heap shortage is no mistake").isZero();
  }

  /**
   * More timers than a turn serves expire again and again, in a flood that lets them expire now and
   * then only.
   */
  @Test
  void inAFloodOfPacketsTimersExpireInTurn() {
    int batch = 32;
    int fullBatches = 16;
    int servedInATurn = 64;
    int turnsOfAll = 3;
    Engine engine = packets.engine();
    Peer nobody = new Peer(packets.engine(), 1_000);
    nobody.engine.detach(nobody.qp);
    Link flood = packets.stranger();
    Route there = new Route(engine.address(), 0, 64, 0);
    MemorySegment junk = Arena.ofAuto().allocate(16);
    List<Peer> waiting = new ArrayList<>();
    for (int i = 0; i < turnsOfAll * servedInATurn; i++) {
      Peer peer = new Peer(engine, 8);
      // Less than a tick, so that all expire at every occasion.
      peer.connectTo(nobody, 100, 200, 1);
      peer.write(i, nobody, 8);
      waiting.add(peer);
    }
    for (int occasion = 1; occasion <= turnsOfAll; occasion++) {
      now += 2 * TICK;
      for (int turn = 0; turn <= fullBatches; turn++) {
        for (int i = 0; i < batch; i++) {
          assertThat(flood.send(junk, junk.byteSize(), there, now)).isTrue();
        }
        engine.step(now);
      }
      run(nobody.engine);
      long timeouts = engine.tally().get(Counter.TIMEOUTS);
      assertThat(timeouts).isEqualTo((long) occasion * servedInATurn);
    }
    assertThat(waiting)
        .allSatisfy(peer -> assertThat(peer.qp.tally.get(Counter.TIMEOUTS)).isEqualTo(1));
  }

  @Test
  void timeStandsStillWhileNothingIsToBeDone() {
    Peer a = new Peer(packets.engine(), 1_000);
    Peer b = new Peer(packets.engine(), 1_000);
    Peer.connect(a, b);
    run(a.engine, b.engine);
    assertThat(a.engine.nextDeadline()).isEqualTo(Clock.NEVER);
    assertThat(a.engine.step(now)).isFalse();
  }

  @Test
  void anUnansweredRequestIsRepeatedAtItsDeadlineUntilItFails() {
    Peer a = new Peer(packets.engine(), 1_000);
    Peer b = new Peer(packets.engine(), 1_000);
    Peer.connect(a, b);
    b.engine.detach(b.qp);
    a.write(1, b, 100);
    List<Long> steps = new ArrayList<>();
    WorkCompletion failed = null;
    while (failed == null) {
      run(a.engine, b.engine);
      failed = a.pollOnly();
      if (failed == null) {
        assertThat(a.engine.nextDeadline()).isNotEqualTo(Clock.NEVER);
        steps.add(a.engine.nextDeadline() - now);
        now = a.engine.nextDeadline();
      }
    }
    assertThat(failed.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    assertThat(a.engine.tally().get(Counter.RETRANSMITTED)).isEqualTo(7);
    assertThat(b.engine.tally().get(Counter.DROPPED_NO_QP)).isEqualTo(8);
    long timeout = AckTimeout.nanos(14);
    assertThat(steps).hasSize(8).allMatch(step -> step >= timeout && step <= timeout + TICK);
    assertThat(a.engine.nextDeadline()).isEqualTo(Clock.NEVER);
  }

  @Test
  void aQueuePairThatIsTakenAwayHasNoDeadline() {
    Peer a = new Peer(packets.engine(), 1_000);
    Peer b = new Peer(packets.engine(), 1_000);
    Peer.connect(a, b);
    b.engine.detach(b.qp);
    a.write(1, b, 100);
    run(a.engine, b.engine);
    a.engine.detach(a.qp);
    while (a.engine.nextDeadline() != Clock.NEVER) {
      now = a.engine.nextDeadline();
      run(a.engine, b.engine);
    }
    assertThat(a.pollOnly()).isNull();
    assertThat(now).isLessThan(2 * AckTimeout.nanos(14));
  }

  /** Five windows exceed the receiver's queue, so the link refuses sends, and nothing is lost. */
  @Test
  void refusedPacketsAreSentWhenTheLinkTakesThemAgain() {
    Peer target = new Peer(packets.engine(), 1_000_000);
    List<Peer> senders = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Peer sender = new Peer(packets.engine(), 1_000_000);
      Peer receiver = new Peer(target.engine, 1_000_000);
      Peer.connect(sender, receiver);
      sender.write(i, receiver, 1_000_000);
      run(sender.engine);
      senders.add(sender);
    }
    assertThat(senders).anyMatch(sender -> sender.engine.tally().get(Counter.SEND_BLOCKED) > 0);
    List<Engine> engines = new ArrayList<>(senders.stream().map(sender -> sender.engine).toList());
    engines.add(target.engine);
    run(engines.toArray(Engine[]::new));
    long repeated =
        senders.stream().mapToLong(s -> s.engine.tally().get(Counter.RETRANSMITTED)).sum();
    assertThat(repeated).isZero();
    assertThat(now).isZero();
    senders.forEach(sender -> assertThat(sender.qp.sends().head).isEqualTo(1));
  }

  @Test
  void queuePairsToOneDestinationShareTheWindow() {
    Engine engine = packets.engine();
    Engine far = packets.engine();
    for (int i = 0; i < 4; i++) {
      Peer sender = new Peer(engine, 1_000_000);
      Peer.connect(sender, new Peer(far, 1_000_000));
      sender.write(i, sender, 1_000_000);
    }
    // The first had the whole window of 256 packets, the last a quarter of it.
    assertThat(engine.tally().get(Counter.PACKETS_SENT)).isLessThanOrEqualTo(256 + 128 + 85 + 64);
  }
}
