package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole connections: every operation under faults, both ways to the peer, beginning and end. */
class ConnectionTest {
  private static Rig rig(boolean loopback) {
    return loopback ? Rig.loopback(p -> {}) : Rig.packets();
  }

  @ParameterizedTest
  @CsvSource({"false, 0xfffffe", "true, 0xfffffe", "false, 0xffffff", "true, 0xffffff"})
  void everyOperationSurvivesTheWrapOfThePsn(boolean loopback, String psn) {
    int start = Integer.decode(psn);
    Rig rig =
        loopback
            ? Rig.loopback(p -> {}, start, start)
            : Rig.packets(p -> {}, start, start, 4 * Endpoint.DEPTH);
    EveryOperation operations = new EveryOperation(rig);
    operations.post(0);
    rig.settle();
    operations.assertDone();
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0xfffff0, 0xfffffa, 0xfffffe, 0xffffff})
  void goingBackWorksAcrossTheWrapOfThePsn(int start) {
    Rig rig = Rig.packets(p -> p.retryCount(7), start, start, 4 * Endpoint.DEPTH);
    EveryOperation operations = new EveryOperation(rig);
    int[] count = {0};
    rig.a.out.fault(p -> count[0]++ % 5 == 4 ? List.of() : List.of(p));
    rig.b.out.fault(p -> count[0]++ % 7 == 6 ? List.of() : List.of(p));
    operations.post(0);
    rig.settle();
    operations.assertDone();
  }

  @Test
  void everythingTwiceHappensOnce() {
    Rig rig = Rig.packets();
    rig.a.out.fault(p -> List.of(p, p));
    rig.b.out.fault(p -> List.of(p, p));
    EveryOperation operations = new EveryOperation(rig);
    operations.post(0);
    rig.settle();
    operations.assertDone();
    assertThat(rig.b.count(Counter.DUPLICATE_REQUESTS)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void everyOperationSurvivesLossRepetitionAndReordering(long seed) {
    Random random = new Random(seed);
    Rig rig =
        Rig.packets(
            p -> {
              p.retryCount(7);
              p.rnrRetry(7);
            },
            random.nextInt(1 << 24),
            random.nextInt(1 << 24),
            4 * Endpoint.DEPTH);
    rig.a.out.limit(1 + random.nextInt(40));
    // At most every fourth packet is lost, because the seventh retry may be lost too.
    rig.a.out.fault(new Unreliable(random, rig.a.out));
    rig.b.out.fault(new Unreliable(random, rig.b.out));
    EveryOperation operations = new EveryOperation(rig);
    for (int round = 0; round < 5; round++) {
      operations.post(round);
      rig.settle();
      operations.assertDone();
    }
  }

  /** Loses some packets, repeats some, and lets some overtake others. */
  private record Unreliable(Random random, ScriptedOut out)
      implements Function<Packet, List<Packet>> {
    @Override
    public List<Packet> apply(Packet packet) {
      List<Packet> arriving = new ArrayList<>();
      switch (random.nextInt(12)) {
        case 0 -> {}
        case 1 -> arriving.addAll(List.of(packet, packet));
        case 2 -> {
          int place = random.nextInt(out.flight.size() + 1);
          out.flight.add(place, packet);
        }
        default -> arriving.add(packet);
      }
      return arriving;
    }
  }

  @Test
  void manySmallTurnsDoTheSameAsOneLargeOne() {
    Rig rig = Rig.packets();
    EveryOperation operations = new EveryOperation(rig);
    operations.post(0);
    rig.a.out.takes(0);
    rig.b.out.takes(0);
    for (int i = 0; i < 200; i++) {
      rig.a.out.takes(1);
      rig.b.out.takes(1);
      rig.pump();
      rig.deliverAll();
    }
    operations.assertDone();
  }

  @Test
  void aLoopbackTurnCopiesNoMoreThanItsBudgetAndOneChunk() {
    Rig rig = Rig.loopback(p -> p.mtu(Mtu.MTU_4096));
    Block landing = rig.a.memory(1 << 20);
    Block source = rig.b.memory(1 << 20).scribble(3);
    rig.a.postRead(1, landing, 1 << 20, source);
    assertThat(rig.a.requester.run(new Budget())).isTrue();
    long copied = 1 << 20;
    while (copied > 0 && landing.memory().get(ValueLayout.JAVA_LONG, copied - 8) == 0) {
      copied -= 8;
    }
    assertThat(copied).isLessThanOrEqualTo(Budget.BYTES + DirectPath.CHUNK_PSNS * 4096L);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(landing.bytes()).isEqualTo(source.bytes());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onTheLoopbackAsOnTheWireAReceiverThatIsNotReadyIsWaitedFor(boolean loopback) {
    Rig rig = rig(loopback);
    Block from = rig.a.memory(4000).scribble(1);
    Block to = rig.b.memory(4000);
    rig.a.postSend(1, from, 4000);
    rig.a.postWriteImm(2, from, 4000, to, 1);
    rig.deliverAll();
    rig.b.postRecv(1, to);
    assertThat(rig.advanceToDeadline()).isTrue();
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    rig.b.postRecv(2, to);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("2");
    assertThat(rig.b.receiveResults()).containsExactly("1", "2");
    assertThat(to.bytes()).isEqualTo(from.bytes());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Proves({"S1.6/11", "S12.12"})
  void aPeerThatDoesNotReceiveIsGivenUp(boolean loopback) {
    Rig rig = rig(loopback);
    rig.b.status.state(QpState.INIT);
    rig.a.postRead(1, rig.a.memory(5000), 5000, rig.b.memory(5000));
    rig.a.postSend(2, rig.a.memory(8), 8);
    long begin = rig.now();
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    assertThat(rig.now() - begin).isEqualTo(4 * (4096L << 14));
    assertThat(rig.b.count(Counter.DROPPED_QP_STATE)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Proves("S1.6.2")
  void whoeverPollsAFailureFindsTheQueuePairInError(boolean loopback) {
    Rig rig = rig(loopback);
    rig.b.postRecv(1, rig.b.memory(8));
    rig.a.postSend(1, rig.a.memory(100), 100);
    rig.deliverAll();
    assertThat(rig.b.receiveResults()).containsExactly("1 LOC_LEN_ERR");
    assertThat(rig.a.sendResults()).containsExactly("1 REM_INV_REQ_ERR");
    assertThat(rig.a.statesOfCompletions).containsOnly(QpState.ERR);
    assertThat(rig.b.statesOfCompletions).containsOnly(QpState.ERR);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Proves({"S1.6.1", "S1.6.2", "S1.5.1", "S1.5.6", "S1.6/14"})
  void anErrorFlushesEverythingBehindItInOrderSignaledOrNot(boolean loopback) {
    Rig rig = rig(loopback);
    Block from = rig.a.memory(64);
    rig.a.postRecv(50, from);
    rig.a.postRecv(51, from);
    rig.b.postRecv(60, rig.b.memory(64));
    rig.a.postWrite(-1, from, 8, rig.b.memory(64));
    rig.a.post(
        Long.MIN_VALUE, WrOpcode.RDMA_WRITE, 0, w -> w.data.add(from.lkey(), from.addr(), 8));
    rig.a.post(3, WrOpcode.SEND, 0, w -> {});
    rig.a.post(4, WrOpcode.SEND, SendFlags.SIGNALED, w -> {});
    rig.deliverAll();
    assertThat(rig.a.sendResults())
        .containsExactly(
            "-1", Long.MIN_VALUE + " REM_ACCESS_ERR", "3 WR_FLUSH_ERR", "4 WR_FLUSH_ERR");
    assertThat(rig.a.receiveResults()).containsExactly("50 WR_FLUSH_ERR", "51 WR_FLUSH_ERR");
    assertThat(rig.b.receiveResults()).containsExactly("60 WR_FLUSH_ERR");
    assertThat(rig.a.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
    rig.a.post(5, WrOpcode.SEND, 0, w -> {});
    rig.pump();
    assertThat(rig.a.sendResults()).containsExactly("5 WR_FLUSH_ERR");
  }

  @Test
  @Proves("S1.5.2")
  void completionsComeInTheOrderOfPostingEvenIfAnswersDoNot() {
    Rig rig = Rig.packets();
    Block local = rig.a.memory(4096);
    Block remote = rig.b.memory(4096);
    rig.a.postRead(1, local, 1000, remote);
    rig.a.postWrite(2, local, 8, remote);
    rig.pump();
    rig.deliverToB();
    // The ACK of the WRITE overtakes the answers of the READ.
    rig.b.out.flight.addFirst(rig.b.out.flight.removeLast());
    rig.a.arrive(rig.b.out.flight.removeFirst(), rig.b.gid);
    assertThat(rig.a.sendResults()).isEmpty();
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
  }

  @Test
  @Proves("S1.5.1")
  void withoutSignalThereIsNoCompletion() {
    Rig rig = Rig.packets();
    rig.a.post(1, WrOpcode.RDMA_WRITE, 0, w -> {});
    rig.a.post(2, WrOpcode.RDMA_WRITE, SendFlags.SIGNALED, w -> {});
    rig.a.post(3, WrOpcode.RDMA_WRITE, 0, w -> {});
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2");
    assertThat(rig.a.sends.free()).isEqualTo(Endpoint.DEPTH - 1);
  }

  @Test
  void aFailureOfALaterRequestWaitsForThoseBeforeIt() {
    Rig rig = Rig.packets();
    Block local = rig.a.memory(1000);
    rig.a.postWrite(1, local, 1000, rig.b.memory(1000));
    rig.a.post(2, WrOpcode.SEND, 0, w -> w.data.add(local.lkey(), local.addr() + 1, 1000));
    rig.pump();
    assertThat(rig.a.sendResults()).isEmpty();
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2 LOC_PROT_ERR");
    assertThat(rig.a.out.log).hasSize(4);
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
  }

  @Test
  void aDrainingQueueFinishesWhatItStartedAndNothingElse() {
    Rig rig = Rig.packets();
    rig.a.out.limit(2);
    Block from = rig.a.memory(4096).scribble(1);
    Block to = rig.b.memory(4096);
    rig.a.postWrite(1, from, 2000, to);
    rig.a.postWrite(2, from, 8, to);
    rig.pump();
    drain(rig.a, true);
    rig.pump();
    assertThat(rig.a.requester.isDrained()).isFalse();
    assertThat(rig.a.events).isEmpty();
    rig.a.out.loseOnce(p -> true);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.a.requester.isDrained()).isTrue();
    assertThat(rig.a.events).containsExactly(EventType.SQ_DRAINED);
    rig.a.postWrite(3, from, 8, to);
    rig.settle();
    assertThat(rig.a.sendResults()).isEmpty();
    assertThat(rig.a.events).hasSize(1);
    rig.a.status.state(QpState.RTS);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("2", "3");
  }

  @Test
  @Proves("S4.5.2")
  void everyDrainThatAsksForItIsReported() {
    Rig rig = Rig.packets();
    Block from = rig.a.memory(64);
    Block to = rig.b.memory(64);
    for (int drain = 1; drain <= 3; drain++) {
      rig.a.postWrite(drain, from, 8, to);
      rig.pump();
      drain(rig.a, true);
      rig.pump();
      assertThat(rig.a.events).as("while the WRITE is unanswered").hasSize(drain - 1);
      rig.settle();
      assertThat(rig.a.events).hasSize(drain).containsOnly(EventType.SQ_DRAINED);
      rig.a.status.state(QpState.RTS);
      rig.settle();
    }
    drain(rig.a, false);
    rig.settle();
    assertThat(rig.a.events).hasSize(3);
  }

  @Test
  @Proves("S4.5.2")
  void aDrainIsReportedThoughTheQueuePairGoesOnBeforeItsTurn() {
    Rig rig = Rig.packets();
    drain(rig.a, true);
    rig.a.status.state(QpState.RTS);
    rig.a.postWrite(1, rig.a.memory(8), 8, rig.b.memory(8));
    rig.pump();
    assertThat(rig.a.events).containsExactly(EventType.SQ_DRAINED);
    drain(rig.a, true);
    rig.a.status.state(QpState.ERR);
    rig.settle();
    assertThat(rig.a.events).as("given up").hasSize(1);
    rig.a.reset();
    rig.b.reset();
    rig.connect(p -> {}, 1, 2);
    rig.settle();
    assertThat(rig.a.events).hasSize(1);
  }

  private static void drain(Endpoint end, boolean notify) {
    end.requester.drain(notify);
    end.status.state(QpState.SQD);
  }

  @Test
  void whileDrainingTheResponderGoesOn() {
    Rig rig = Rig.packets();
    rig.b.status.state(QpState.SQD);
    rig.b.postRecv(1, rig.b.memory(64));
    rig.a.postSend(1, rig.a.memory(64), 64);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  void afterAResetTheQueuePairIsAsNew() {
    Rig rig = Rig.packets();
    Block from = rig.a.memory(4096).scribble(1);
    Block to = rig.b.memory(4096);
    rig.b.postRecv(1, to);
    rig.b.postRecv(2, to);
    rig.a.postSend(1, from, 2000);
    rig.a.postRead(2, from, 2000, to);
    rig.a.postFetchAdd(3, from, to, 1);
    rig.pump();
    rig.b.arrive(rig.a.out.flight.getFirst(), rig.a.gid);
    rig.a.out.flight.clear();
    rig.a.reset();
    rig.b.reset();
    assertThat(rig.a.requester.deadline()).isEqualTo(Clock.NEVER);
    assertThat(rig.a.sends.free()).isEqualTo(Endpoint.DEPTH);
    rig.pump();
    assertThat(rig.a.sendResults()).isEmpty();
    assertThat(rig.b.receiveResults()).isEmpty();
    rig.connect(p -> {}, 0x500, 0x600);
    EveryOperation operations = new EveryOperation(rig);
    operations.post(0);
    rig.settle();
    operations.assertDone();
  }

  @Test
  void aFailedQueuePairCanBeUsedAgainAfterAReset() {
    Rig rig = Rig.packets();
    rig.a.out.fault(p -> List.of());
    rig.a.postSend(1, rig.a.memory(8), 8);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1 RETRY_EXC_ERR");
    rig.a.reset();
    rig.b.reset();
    rig.a.out.fault(List::of);
    rig.connect(p -> {}, 7, 8);
    EveryOperation operations = new EveryOperation(rig);
    operations.post(0);
    rig.settle();
    operations.assertDone();
  }

  @Test
  @Proves("S1.5.3")
  void slotsComeBackWhenACompletionAtOrBehindThemIsPolled() {
    Rig rig = Rig.packets();
    for (int round = 0; round < 50; round++) {
      for (int i = 0; i < Endpoint.DEPTH; i++) {
        boolean last = i == Endpoint.DEPTH - 1;
        rig.a.post(i, WrOpcode.RDMA_WRITE, last ? SendFlags.SIGNALED : 0, w -> {});
      }
      assertThat(rig.a.sends.free()).isZero();
      rig.deliverAll();
      assertThat(rig.a.sends.free()).isZero();
      assertThat(rig.a.sendResults()).hasSize(1);
      assertThat(rig.a.sends.free()).isEqualTo(Endpoint.DEPTH);
    }
  }

  @Test
  void anOverrunTakesTheQueuePairDown() {
    Rig rig = Rig.packets(p -> {}, 1, 2, 2);
    for (int i = 0; i < 4; i++) {
      rig.a.post(i, WrOpcode.RDMA_WRITE, SendFlags.SIGNALED, w -> {});
    }
    rig.deliverAll();
    assertThat(rig.a.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.a.events).containsExactly(EventType.QP_FATAL);
    assertThat(rig.a.sendResults()).containsExactly("0", "1");
  }

  @Test
  @Proves("S6.3")
  void aReceiveWhoseCompletionQueueIsFullEndsItsQueuePair() {
    Rig rig = Rig.packets(p -> {}, Rig.PSN_A, Rig.PSN_B, /* cqe= */ 1);
    Block from = rig.a.memory(8);
    Block to = rig.b.memory(8);
    for (int i = 1; i <= 2; i++) {
      rig.b.postRecv(i, to);
      rig.a.post(i, WrOpcode.SEND, 0, wqe -> wqe.data.add(from.lkey(), from.addr(), 8));
    }
    rig.pump();
    rig.deliverToB();
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.b.events).contains(EventType.QP_FATAL);
    assertThat(rig.b.receiveResults()).containsExactly("1");
  }

  @Test
  @Proves("S6.3")
  void aSendWhoseCompletionQueueIsFullEndsItsQueuePair() {
    Rig rig = Rig.packets(p -> {}, Rig.PSN_A, Rig.PSN_B, /* cqe= */ 1);
    Block from = rig.a.memory(8);
    Block to = rig.b.memory(8);
    rig.a.postWrite(1, from, 8, to);
    rig.a.postWrite(2, from, 8, to);
    rig.deliverAll();
    assertThat(rig.a.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.a.events).containsExactly(EventType.QP_FATAL);
    assertThat(rig.a.sendResults()).containsExactly("1");
  }
}
