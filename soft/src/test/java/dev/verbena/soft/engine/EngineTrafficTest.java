package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two engines in real time, by loopback and by packets. */
@Timeout(60)
class EngineTrafficTest {
  private static final long BIG = 5_000_001;

  @ParameterizedTest(name = "loopback {0}")
  @ValueSource(booleans = {true, false})
  void carriesAWriteOfManyBudgets(boolean loopback) {
    try (Lab lab = Lab.threaded(loopback)) {
      Peer a = new Peer(lab.engine(), BIG);
      Peer b = new Peer(lab.engine(), BIG);
      Peer.connect(a, b);
      byte[] data = new byte[(int) BIG];
      new Random(1).nextBytes(data);
      a.memory.copyFrom(MemorySegment.ofArray(data));
      a.write(7, b, BIG);
      a.awaitSuccess(7);
      assertThat(b.bytes(BIG)).isEqualTo(data);
      assertThat(a.engine.tally().get(Counter.LOOPBACK_MESSAGES)).isEqualTo(loopback ? 1 : 0);
      assertThat(a.engine.tally().get(Counter.PACKETS_SENT) > 0).isEqualTo(!loopback);
    }
  }

  @ParameterizedTest(name = "loopback {0}")
  @ValueSource(booleans = {true, false})
  void carriesSendsReadsAndAtomics(boolean loopback) {
    try (Lab lab = Lab.threaded(loopback)) {
      Peer a = new Peer(lab.engine(), 100_000);
      Peer b = new Peer(lab.engine(), 100_000);
      Peer.connect(a, b);
      b.memory.set(ValueLayout.JAVA_LONG, 0, 41);
      a.post(1, WrOpcode.ATOMIC_FETCH_AND_ADD, b.memory.address(), b.region.rkey(), 8);
      a.awaitSuccess(1);
      assertThat(a.memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(41);
      b.memory.fill((byte) 9);
      a.post(2, WrOpcode.RDMA_READ, b.memory.address(), b.region.rkey(), 100_000);
      a.awaitSuccess(2);
      assertThat(a.bytes(100_000)).isEqualTo(b.bytes(100_000));
      b.receive(3, 100_000);
      a.memory.fill((byte) 5);
      a.send(4, 50_000);
      a.awaitSuccess(4);
      b.awaitSuccess(3);
      assertThat(b.bytes(50_000)).isEqualTo(a.bytes(50_000));
    }
  }

  @ParameterizedTest(name = "loopback {0}")
  @ValueSource(booleans = {true, false})
  void aQueuePairConnectedToItselfWorks(boolean loopback) {
    try (Lab lab = Lab.threaded(loopback)) {
      Peer a = new Peer(lab.engine(), 10_000);
      Peer.connect(a, a);
      a.post(1, WrOpcode.RDMA_WRITE, a.memory.address() + 5_000, a.region.rkey(), 3_000);
      a.awaitSuccess(1);
    }
  }

  @ParameterizedTest(name = "loopback {0}")
  @ValueSource(booleans = {true, false})
  void bothDirectionsOnOneDeviceWorkAtOnce(boolean loopback) throws InterruptedException {
    try (Lab lab = Lab.threaded(loopback)) {
      Engine engine = lab.engine();
      Peer a = new Peer(engine, 10_000);
      Peer b = new Peer(engine, 10_000);
      Peer.connect(a, b);
      Thread other = Thread.ofPlatform().start(() -> exchange(b, a));
      exchange(a, b);
      other.join();
    }
  }

  private static void exchange(Peer from, Peer to) {
    for (int i = 0; i < 2_000; i++) {
      from.write(i, to, 2_000);
      from.awaitSuccess(i);
    }
  }

  @ParameterizedTest(name = "loopback {0}")
  @ValueSource(booleans = {true, false})
  void aRefusedRequestFlushesBothEnds(boolean loopback) {
    try (Lab lab = Lab.threaded(loopback)) {
      Peer a = new Peer(lab.engine(), 10_000);
      Peer b = new Peer(lab.engine(), 10_000);
      Peer.connect(a, b);
      b.receive(1, 10);
      b.receive(2, 10);
      a.receive(5, 10);
      a.post(3, WrOpcode.RDMA_WRITE, b.memory.address(), ~b.region.rkey(), 100);
      assertThat(awaitAny(a).status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
      assertThat(awaitAny(a).status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
      assertThat(awaitAny(b).wrId()).isEqualTo(1);
      assertThat(awaitAny(b).wrId()).isEqualTo(2);
      assertThat(a.qp.status().state).isEqualTo(QpState.ERR);
      assertThat(b.qp.status().state).isEqualTo(QpState.ERR);
      // Posted in ERR: flushed by the doorbells (S4.5).
      a.send(8, 10);
      assertThat(awaitAny(a).wrId()).isEqualTo(8);
      b.receive(9, 10);
      WorkCompletion flushed = awaitAny(b);
      assertThat(flushed.wrId()).isEqualTo(9);
      assertThat(flushed.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
      assertThat(a.poll()).isNull();
      assertThat(b.poll()).isNull();
    }
  }

  private static WorkCompletion awaitAny(Peer peer) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    WorkCompletion found = peer.poll();
    while (found == null && System.nanoTime() < deadline) {
      Thread.onSpinWait();
      found = peer.poll();
    }
    assertThat(found).as("completion").isNotNull();
    return found;
  }

  @ParameterizedTest(name = "loopback {0}")
  @ValueSource(booleans = {true, false})
  void completesAtATargetThatDoesNotPoll(boolean loopback) throws InterruptedException {
    try (Lab lab = Lab.threaded(loopback)) {
      Peer a = new Peer(lab.engine(), 10_000);
      Peer b = new Peer(lab.engine(), 10_000);
      Peer.connect(a, b);
      b.receive(1, 1_000);
      b.ring.arm(false);
      a.ring.arm(false);
      a.send(2, 1_000);
      assertThat(b.signal.await(TimeUnit.SECONDS.toNanos(20))).isTrue();
      assertThat(a.signal.await(TimeUnit.SECONDS.toNanos(20))).isTrue();
      WorkCompletion received = b.pollOnly();
      assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
      assertThat(a.pollOnly().wrId()).isEqualTo(2);
    }
  }

  @Test
  void aPeerThatIsGoneIsSilentAndTheRequestTimesOut() {
    try (Lab lab = Lab.threaded(true)) {
      Peer a = new Peer(lab.engine(), 10_000);
      Peer b = new Peer(lab.engine(), 10_000);
      Peer.connect(a, b);
      b.engine.detach(b.qp);
      a.qp.change(() -> a.qp.parameters().timeout(5));
      a.write(1, b, 100);
      assertThat(awaitAny(a).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
      assertThat(b.engine.tally().get(Counter.DROPPED_NO_QP)).isEqualTo(1 + 7);
      assertThat(b.memory.get(ValueLayout.JAVA_BYTE, 0)).isZero();
    }
  }

  @Test
  void aClosedEngineIsSilent() {
    try (Lab lab = Lab.threaded(true)) {
      Peer a = new Peer(lab.engine(), 10_000);
      Peer b = new Peer(lab.engine(), 10_000);
      Peer.connect(a, b);
      b.engine.close();
      b.engine.close();
      assertThat(b.engine.isUp()).isFalse();
      b.engine.progress();
      a.write(1, b, 100);
      assertThat(a.poll()).isNull();
    }
  }
}
