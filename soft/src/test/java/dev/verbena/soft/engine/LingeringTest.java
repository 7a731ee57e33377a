package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Clock;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.AckTimeout;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A queue pair ends after its last acknowledgement was lost. A is the peer that lacks it. */
@Timeout(60)
class LingeringTest {
  private static final long TIMEOUT = AckTimeout.nanos(14);

  private long now;

  /** Loses the next packets that are sent. */
  private static final class LossyLink extends ForwardingLink {
    private final LinkCounters counters;
    private final AtomicInteger toLose = new AtomicInteger();

    LossyLink(Link inner, LinkCounters counters) {
      super(inner);
      this.counters = counters;
    }

    @Override
    public boolean send(MemorySegment datagram, long length, Route route, long at) {
      if (toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        counters.add(Counter.FAULTS_DROPPED, 1);
        return true;
      }
      return super.send(datagram, length, route, at);
    }
  }

  /** Flips a bit of a packet's payload, without counting a fault. */
  private static final class DamagingLink extends ForwardingLink {
    private volatile boolean damagesNext;

    DamagingLink(Link inner) {
      super(inner);
    }

    @Override
    public boolean send(MemorySegment datagram, long length, Route route, long at) {
      if (damagesNext) {
        damagesNext = false;
        byte last = datagram.get(ValueLayout.JAVA_BYTE, length - 5);
        datagram.set(ValueLayout.JAVA_BYTE, length - 5, (byte) (last ^ 1));
      }
      return super.send(datagram, length, route, at);
    }
  }

  /** Two connected peers in different processes; the next packets of B may be lost. */
  private static final class Stage implements AutoCloseable {
    private final Lab lab;
    private LossyLink lossy;
    private final DamagingLink damaging;
    private final Peer a;
    private final Peer b;

    Stage(Clock clock, boolean threaded) {
      lab = new Lab(clock, threaded, false);
      DamagingLink[] made = new DamagingLink[1];
      Engine near =
          lab.farEngine(
              (link, counters) -> {
                made[0] = new DamagingLink(link);
                return made[0];
              });
      damaging = made[0];
      a = new Peer(near, 1_000);
      Engine far =
          lab.farEngine(
              (link, counters) -> {
                lossy = new LossyLink(link, counters);
                return lossy;
              });
      b = new Peer(far, 1_000);
      Peer.connect(a, b);
    }

    void damageNextOfA() {
      damaging.damagesNext = true;
    }

    void lose(int packets) {
      lossy.toLose.set(packets);
    }

    @Override
    public void close() {
      lab.close();
    }
  }

  private void run(Stage stage) {
    boolean again = true;
    while (again) {
      boolean first = stage.a.engine.step(now);
      again = stage.b.engine.step(now) || first;
    }
  }

  /** Lets time pass until A has a completion, or nothing is to come any more. */
  private WorkCompletion awaitCompletion(Stage stage) {
    WorkCompletion found = stage.a.pollOnly();
    while (found == null) {
      run(stage);
      found = stage.a.pollOnly();
      long next = Math.min(stage.a.engine.nextDeadline(), stage.b.engine.nextDeadline());
      if (found != null || next == Clock.NEVER) {
        return found;
      }
      now = next;
    }
    return found;
  }

  @Test
  void aRequestThatIsRepeatedAfterTheEndIsAcknowledged() {
    try (Stage stage = new Stage(() -> now, false)) {
      stage.b.receive(1, 100);
      stage.lose(3);
      stage.a.send(2, 100);
      run(stage);
      stage.b.engine.detach(stage.b.qp);
      assertThat(awaitCompletion(stage).status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(now).isGreaterThanOrEqualTo(3 * TIMEOUT);
    }
  }

  @Test
  void whatIsNotARepetitionIsNotExecuted() {
    try (Stage stage = new Stage(() -> now, false)) {
      stage.lose(1);
      stage.a.write(1, stage.b, 8);
      run(stage);
      stage.b.engine.detach(stage.b.qp);
      stage.a.memory.fill((byte) 7);
      stage.a.write(2, stage.b, 8);
      assertThat(awaitCompletion(stage).status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(awaitCompletion(stage).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
      assertThat(stage.b.bytes(8)).containsOnly(0);
    }
  }

  @Test
  void memoryIsReadNoMore() {
    try (Stage stage = new Stage(() -> now, false)) {
      stage.lose(1);
      stage.a.post(1, WrOpcode.RDMA_READ, stage.b.memory.address(), stage.b.region.rkey(), 8);
      run(stage);
      stage.b.engine.detach(stage.b.qp);
      assertThat(awaitCompletion(stage).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    }
  }

  @Test
  void itEndsWhenThePeerHasSpentItsTries() {
    try (Stage stage = new Stage(() -> now, false)) {
      stage.lose(1);
      stage.a.write(1, stage.b, 8);
      run(stage);
      stage.b.engine.detach(stage.b.qp);
      assertThat(stage.b.engine.find(stage.b.qp.qpNum())).isNotNull();
      now = 8 * TIMEOUT - 1;
      run(stage);
      assertThat(stage.b.engine.find(stage.b.qp.qpNum())).isNotNull();
      now = 9 * TIMEOUT;
      run(stage);
      assertThat(stage.b.engine.find(stage.b.qp.qpNum())).isNull();
    }
  }

  @Test
  void withoutLossItEndsAtOnce() {
    try (Stage stage = new Stage(() -> now, false)) {
      stage.a.write(1, stage.b, 8);
      run(stage);
      stage.b.engine.detach(stage.b.qp);
      assertThat(stage.b.engine.find(stage.b.qp.qpNum())).isNull();
    }
  }

  @Test
  void whatAStrangerSendsIsNoLoss() {
    try (Stage stage = new Stage(() -> now, false)) {
      Link stranger = stage.lab.stranger();
      stage.a.write(1, stage.b, 8);
      run(stage);
      sendDamaged(stranger, stage.b.engine, stage.b.qp.qpNum());
      sendDamaged(stranger, stage.b.engine, stage.b.qp.qpNum() ^ 1);
      run(stage);
      assertThat(stage.b.engine.tally().get(Counter.DROPPED_ICRC)).isEqualTo(2);
      stage.b.engine.detach(stage.b.qp);
      assertThat(stage.b.engine.find(stage.b.qp.qpNum())).isNull();
    }
  }

  @Test
  void damageToAPacketOfThePeerIsLoss() {
    try (Stage stage = new Stage(() -> now, false)) {
      stage.b.receive(1, 100);
      stage.a.send(2, 100);
      run(stage);
      stage.damageNextOfA();
      stage.a.write(3, stage.b, 8);
      run(stage);
      assertThat(stage.b.engine.tally().get(Counter.DROPPED_ICRC)).isEqualTo(1);
      stage.b.engine.detach(stage.b.qp);
      assertThat(stage.b.engine.find(stage.b.qp.qpNum())).isNotNull();
    }
  }

  private static void sendDamaged(Link from, Engine to, int qpn) {
    MemorySegment packet = Arena.ofAuto().allocate(64);
    Bth.write(packet, 0, Opcode.RC_SEND_ONLY, Bth.MIG_REQ | Bth.ACK_REQUEST, 0, 0xFFFF, qpn, 0);
    from.send(packet, 64, new Route(to.address(), 0, 64, 0), 0);
  }

  @Test
  void withinAProcessItEndsAtOnce() {
    try (Lab lab = new Lab(() -> now, false, false)) {
      Peer a = new Peer(lab.engine(), 1_000);
      Peer b = new Peer(lab.engine(), 1_000);
      Peer.connect(a, b);
      b.engine.tally().count(Counter.DUPLICATE_REQUESTS);
      a.write(1, b, 8);
      b.engine.step(now);
      b.engine.detach(b.qp);
      assertThat(b.engine.find(b.qp.qpNum())).isNull();
    }
  }

  /** Without lingering, no queue pair could repeat the acknowledgement. */
  @Test
  void aDeviceThatIsClosedWaits() {
    try (Stage stage = new Stage(Lab.realTime(), true)) {
      stage.lose(1);
      stage.a.write(1, stage.b, 8);
      while (stage.b.engine.tally().get(Counter.FAULTS_DROPPED) == 0) {
        Thread.onSpinWait();
      }
      stage.b.engine.detach(stage.b.qp);
      stage.b.engine.close();
      stage.a.awaitSuccess(1);
    }
  }
}
