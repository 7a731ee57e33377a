package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.memory.Window;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.AckTimeout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When the requester wants another turn, what it requests, and what a reset clears. */
class RequesterTest {
  private final Rig rig = Rig.packets();
  private final Endpoint a = rig.a;
  private final Block from = rig.a.memory(1 << 16).scribble(1);
  private final Block to = rig.b.memory(1 << 16);

  private boolean run() {
    return a.requester.run(new Budget());
  }

  @Test
  void whatWaitsForThePeerNeedsNoOtherTurn() {
    assertThat(run()).as("nothing to do").isFalse();
    a.out.limit(2);
    a.postWrite(1, from, 1000, to);
    assertThat(run()).as("the window is full").isFalse();
    assertThat(a.out.log).hasSize(2);
    rig.deliverAll();
    assertThat(a.sendResults()).containsExactly("1");
    a.out.limit(64);
    a.parameters.maxRdAtomic(1);
    a.postRead(2, from, 8, to);
    a.postRead(3, from, 8, to);
    assertThat(run()).as("as many READs as may be are outstanding").isFalse();
    rig.deliverAll();
    assertThat(a.sendResults()).containsExactly("2", "3");
    a.postRead(4, from, 8, to);
    a.post(
        5,
        WrOpcode.BIND_MW,
        SendFlags.SIGNALED | SendFlags.FENCE,
        w -> w.binding().set(a.window(true), 1, from.lkey(), from.addr(), 8, Access.REMOTE_READ));
    assertThat(run()).as("the fence holds").isFalse();
    rig.deliverAll();
    assertThat(a.sendResults()).containsExactly("4", "5");
    assertThat(run()).isFalse();
  }

  @Test
  void whatWaitsForTheLinkOrForATurnIsRunAgain() {
    a.postWrite(1, from, 1000, to);
    a.out.takes(0);
    assertThat(run()).as("the link is not ready").isTrue();
    a.out.takes(100);
    a.out.refuse(1);
    assertThat(run()).as("the link has refused").isTrue();
    assertThat(a.out.log).isEmpty();
    Budget spent = new Budget();
    spent.spend(Budget.BYTES);
    assertThat(a.requester.run(spent)).as("the budget is spent").isTrue();
    assertThat(a.out.log).isEmpty();
    Budget one = new Budget();
    one.spend(Budget.BYTES - 1);
    assertThat(a.requester.run(one)).as("one packet spends the rest").isTrue();
    assertThat(a.out.log).hasSize(1);
    assertThat(run()).isFalse();
    assertThat(a.out.log).extracting(p -> p.psn() - Rig.PSN_A).containsExactly(0, 1, 2, 3);
    rig.deliverAll();
    assertThat(a.sendResults()).containsExactly("1");
    assertThat(a.count(Counter.RETRANSMITTED)).isZero();
  }

  @Test
  void whatHasFailedNeedsNoOtherTurn() {
    a.post(1, WrOpcode.SEND, SendFlags.SIGNALED, w -> w.data.add(from.lkey() ^ 0x5a5a, 0, 8));
    assertThat(run()).isFalse();
    assertThat(a.sendResults()).containsExactly("1 LOC_PROT_ERR");
    a.postWrite(2, from, 8, to);
    assertThat(run()).isFalse();
    assertThat(a.sendResults()).containsExactly("2 WR_FLUSH_ERR");
  }

  @Test
  void memoryThatEndsUnderARequestThatIsUnderWayNeedsNoOtherTurnEither() {
    a.out.limit(2);
    a.postWrite(1, from, 1000, to);
    assertThat(run()).isFalse();
    a.keys.remove(from.region());
    rig.deliverToB();
    a.arrive(rig.b.out.flight.removeFirst(), rig.b.gid);
    assertThat(run()).isFalse();
    assertThat(a.sendResults()).containsExactly("1 LOC_PROT_ERR");
  }

  @Test
  void whatWasExecutedHereIsSkippedWhenTheRestIsSentAgain() {
    a.postWrite(1, from, 8, to);
    a.postBind(2, a.window(true), 1, from);
    a.postWrite(3, from, 8, to);
    assertThat(run()).isFalse();
    assertThat(a.out.log).hasSize(2);
    a.requester.onTimer(a.requester.deadline());
    assertThat(run()).isFalse();
    assertThat(a.out.log).as("both in one turn").hasSize(4);
  }

  @Test
  void aPacketOfALaterRequestThatTheLinkRefusesIsTheNextToBeSent() {
    a.postWrite(1, from, 8, to);
    a.postWrite(2, from, 8, to);
    a.out.takes(1);
    assertThat(run()).isTrue();
    a.out.takes(10);
    a.out.refuse(1);
    assertThat(run()).isTrue();
    assertThat(run()).isFalse();
    assertThat(a.out.log).extracting(p -> p.psn() - Rig.PSN_A).containsExactly(0, 1);
    rig.deliverAll();
    assertThat(a.sendResults()).containsExactly("1", "2");
  }

  @Test
  @Proves("S12.5.7")
  void whateverIsAnsweredNeedsNoTimerAnyMore() {
    List<Runnable> requests =
        List.of(
            () -> a.postWrite(1, from, 8, to),
            () -> a.postRead(1, from, 8, to),
            () -> a.postFetchAdd(1, from, to, 1),
            () -> a.postAtomicWrite(1, to, 1));
    for (Runnable request : requests) {
      request.run();
      rig.pump();
      assertThat(a.requester.deadline()).isNotEqualTo(Clock.NEVER);
      rig.deliverAll();
      assertThat(a.requester.deadline()).isEqualTo(Clock.NEVER);
    }
  }

  @Test
  void whatWasSentIsNotHeldOnTo() {
    List<Chunk> sent = new ArrayList<>();
    a.connect(
        new WatchedPath(
            chunk -> {
              assertThat(chunk.payload.total).isEqualTo(8);
              sent.add(chunk);
            }));
    a.postWrite(1, from, 8, to);
    run();
    assertThat(sent).hasSize(1);
    assertThat(sent.getFirst().payload.count()).isZero();
  }

  /** The number of packets sent at once. */
  private int inFlight() {
    a.postWrite(1, from, 8 * 256, to);
    rig.pump();
    int count = a.out.flight.size();
    rig.deliverAll();
    return count;
  }

  @Test
  void aLossNarrowsTheWindowUntilEnoughHasArrivedOrTheConnectionIsMadeAnew() {
    a.out.limit(8);
    assertThat(inFlight()).isEqualTo(8);
    a.out.loseOnce(p -> true);
    inFlight();
    int narrow = inFlight();
    assertThat(narrow).isBetween(3, 6);
    int before = narrow;
    for (int round = 0; round < 8; round++) {
      int now = inFlight();
      assertThat(now).isBetween(before, 8);
      before = now;
    }
    assertThat(before).isEqualTo(8);

    a.out.loseOnce(p -> true);
    inFlight();
    a.reset();
    rig.b.reset();
    rig.connect(p -> {}, 0x500, 0x600);
    assertThat(inFlight()).isEqualTo(8);
  }

  @Test
  @Proves("S12.5.3")
  void aLongMessageAsksFourTimesAWindow() {
    a.postWrite(1, from, 64 * 256, to);
    assertThat(run()).isFalse();
    List<Packet> log = a.out.log;
    assertThat(IntStream.range(0, log.size()).filter(i -> log.get(i).view().ackRequest).boxed())
        .containsExactly(0, 16, 32, 48, 63);
  }

  @Test
  @Proves("S1.3.6")
  void anAtomicNeedsRoomForItsResult() {
    a.post(
        1,
        WrOpcode.ATOMIC_FETCH_AND_ADD,
        SendFlags.SIGNALED,
        w -> {
          w.data.add(from.lkey(), from.addr(), 7);
          w.remote(to.addr(), to.rkey());
        });
    assertThat(run()).isFalse();
    assertThat(a.out.log).isEmpty();
    assertThat(a.sendResults()).containsExactly("1 LOC_LEN_ERR");
  }

  @Test
  @Proves("S1.5.8")
  void whatWasExecutedHereCompletesWithWhatIsBeforeIt() {
    Window window = a.window(true);
    a.postWrite(1, from, 8, to);
    a.postBind(2, window, 1, from);
    a.postInvalidate(3, window.key(1));
    a.postBind(4, window, 2, from);
    assertThat(run()).isFalse();
    assertThat(a.keys.byRemoteKey(window.key(2))).isNotNull();
    assertThat(a.sendResults()).as("the WRITE is unanswered").isEmpty();
    rig.deliverToB();
    a.arrive(rig.b.out.flight.removeFirst(), rig.b.gid);
    assertThat(a.sendResults()).containsExactly("1", "2", "3", "4");
  }

  @Test
  @Proves("S4.5.3")
  void aResetForgetsTheRetriesThatWereSpent() {
    for (boolean rnr : new boolean[] {false, true}) {
      Rig other = Rig.packets();
      Block data = other.a.memory(8);
      other.connect(
          p -> {
            p.retryCount(3);
            p.rnrRetry(3);
          },
          Rig.PSN_A,
          Rig.PSN_B);
      for (int round = 0; round < 2; round++) {
        if (!rnr) {
          other.a.out.fault(p -> List.of());
        }
        other.a.postSend(1, data, 8);
        other.deliverAll();
        for (int tries = 0; tries < 2; tries++) {
          assertThat(other.advanceToDeadline()).isTrue();
          other.deliverAll();
        }
        assertThat(other.a.sendResults()).isEmpty();
        other.a.reset();
        other.b.reset();
        other.connect(p -> {}, 0x500, 0x600);
      }
    }
  }

  @Test
  @Proves({"S12.5.6", "S12.5.7"})
  void aSequenceNakStartsTheTimerAnewButNotWhileTheReceiverIsWaitedFor() {
    long timeout = AckTimeout.nanos(14);
    a.postWrite(1, from, 1000, to);
    a.out.loseOnce(p -> p.psn() == Rig.PSN_A);
    rig.pump();
    rig.advance(timeout / 2);
    rig.deliverToB();
    a.out.fault(p -> List.of());
    Packet nak = rig.b.out.flight.removeFirst();
    a.arrive(nak, rig.b.gid);
    assertThat(a.requester.deadline()).isEqualTo(rig.now() + timeout);
    assertThat(a.count(Counter.SEQUENCE_NAKS_RECEIVED)).isEqualTo(1);

    Rig other = Rig.packets();
    other.a.postSend(1, other.a.memory(1000), 1000);
    other.pump();
    other.deliverToB();
    Packet notReady = other.b.out.flight.getFirst();
    other.a.arrive(notReady, other.b.gid);
    assertThat(other.a.count(Counter.RNR_NAKS_RECEIVED)).isEqualTo(1);
    long deadline = other.a.requester.deadline();
    other.advance(1000);
    other.a.arrive(notReady.edited(bytes -> PacketEdits.syndrome(bytes, 0x60)), other.b.gid);
    assertThat(other.a.requester.deadline()).as("the receiver's time").isEqualTo(deadline);
  }

  @Test
  @Proves("S1.6/02")
  void aLandingBufferThatEndsMeanwhileFailsItsRequestAndFlushesTheRest() {
    Block landing = a.memory(1024);
    a.postRead(1, landing, 256, to);
    a.postFetchAdd(2, from, to, 1);
    a.postWrite(3, from, 8, to);
    rig.pump();
    a.keys.remove(landing.region());
    rig.deliverAll();
    assertThat(a.sendResults())
        .containsExactly("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR");
    assertThat(a.sends.head).isEqualTo(a.sends.tail());
    assertThat(a.requester.deadline()).isEqualTo(Clock.NEVER);
    Rig other = Rig.packets();
    Block word = other.a.memory(8);
    other.a.postFetchAdd(1, word, other.b.memory(8), 1);
    other.a.postFetchAdd(2, word, other.b.memory(8), 1);
    other.pump();
    other.a.keys.remove(word.region());
    other.deliverAll();
    assertThat(other.a.sendResults()).containsExactly("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
    assertThat(other.a.sends.head).isEqualTo(other.a.sends.tail());
  }

  @Test
  @Proves("S1.6/14")
  void aFlushCompletesEveryRequestInOrderWhateverItsState() {
    a.out.limit(1);
    a.postWrite(1, from, 1000, to);
    a.post(2, WrOpcode.RDMA_WRITE, 0, w -> {});
    a.postRead(3, from, 8, to);
    run();
    a.status.state(QpState.ERR);
    a.requester.flush();
    assertThat(a.sendResults())
        .containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR");
    assertThat(a.requester.deadline()).isEqualTo(Clock.NEVER);
    assertThat(a.sends.free()).isEqualTo(Endpoint.DEPTH);
    a.requester.flush();
    assertThat(a.sendResults()).isEmpty();
  }
}
