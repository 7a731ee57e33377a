package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.AckTimeout;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RnrTimer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Acknowledgements, lost packets, timers. */
class GoingBackTest {
  private static final int TIMEOUT_CODE = 14;
  private static final long SHORTEST_SILENCE = 300_000;
  private static final long TIMEOUT = AckTimeout.nanos(TIMEOUT_CODE);

  private final Rig rig = Rig.packets();
  private final Block from = rig.a.memory(8192).scribble(1);
  private final Block to = rig.b.memory(8192);

  private List<Integer> psnsOfA() {
    return rig.a.out.log.stream().map(packet -> packet.psn() - Rig.PSN_A).toList();
  }

  private List<Packet> naks() {
    return rig.b.out.log.stream()
        .filter(p -> p.is(Opcode.RC_ACKNOWLEDGE))
        .filter(p -> AethSyndrome.isNak(p.view().aethSyndrome()))
        .toList();
  }

  @Test
  @Proves("S12.5.5")
  void oneAckCompletesAllBeforeIt() {
    for (int i = 0; i < 5; i++) {
      rig.a.postWrite(i, from, 300, to);
    }
    rig.pump();
    rig.deliverToB();
    Packet last = rig.b.out.log.getLast();
    assertThat(last.psn()).isEqualTo(Rig.PSN_A + 9);
    rig.b.out.flight.clear();
    rig.b.out.flight.add(last);
    rig.deliverToA();
    assertThat(rig.a.sendResults()).containsExactly("0", "1", "2", "3", "4");
    assertThat(rig.a.requester.deadline()).isEqualTo(Clock.NEVER);
  }

  @Test
  @Proves("S12.5.5")
  void anAckInsideAMessageCompletesOnlyWhatIsBeforeTheMessage() {
    rig.a.postWrite(1, from, 256, to);
    rig.a.postWrite(2, from, 1024, to);
    rig.pump();
    rig.deliverToB();
    Packet ack = rig.b.out.log.getLast().edited(bytes -> PacketEdits.psn(bytes, Rig.PSN_A + 3));
    rig.b.out.flight.clear();
    rig.a.arrive(ack, rig.b.gid);
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  @Proves("S12.5.5")
  void anAckBeyondAnUnansweredReadAsksForTheReadAgain() {
    rig.a.postWrite(1, from, 8, to);
    rig.a.postRead(2, from, 256, to);
    rig.a.postWrite(3, from, 8, to);
    rig.b.out.loseOnce(packet -> packet.is(Opcode.RC_READ_RESPONSE_ONLY));
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3");
    assertThat(psnsOfA()).containsExactly(0, 1, 2, 1, 2);
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
  }

  @Test
  @Proves("S12.5.5")
  void anAckBeyondAnUnansweredAtomicAsksForTheAtomicAgain() {
    rig.a.postFetchAdd(1, from, to, 5);
    rig.a.postWrite(2, from, 8, rig.b.memory(8));
    rig.b.out.loseOnce(packet -> packet.is(Opcode.RC_ATOMIC_ACKNOWLEDGE));
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
    assertThat(to.getLong(0)).isEqualTo(5);
    assertThat(from.getLong(0)).isZero();
  }

  @Test
  @Proves({"S12.5.6", "S12.6.2"})
  void aGapIsReportedOnceAndSentAgainFromThere() {
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 8 * 256);
    rig.a.out.loseOnce(packet -> packet.psn() == Rig.PSN_A + 3);
    rig.deliverAll();
    assertThat(psnsOfA()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 3, 4, 5, 6, 7);
    assertThat(naks()).hasSize(1);
    assertThat(naks().getFirst().psn()).isEqualTo(Rig.PSN_A + 3);
    assertThat(naks().getFirst().view().aethSyndrome())
        .isEqualTo(AethSyndrome.NAK_PSN_SEQUENCE_ERROR);
    assertThat(rig.b.count(Counter.DROPPED_OUT_OF_ORDER)).isEqualTo(3);
    assertThat(rig.a.count(Counter.RETRANSMITTED)).isEqualTo(5);
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.b.receiveResults()).containsExactly("1");
    assertThat(to.bytes(0, 2048)).isEqualTo(from.bytes(0, 2048));
  }

  @Test
  @Proves("S12.5.6")
  void aRepeatedSequenceNakCausesNoSecondRetry() {
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 4 * 256);
    rig.a.out.loseOnce(packet -> packet.psn() == Rig.PSN_A + 1);
    rig.b.out.fault(packet -> List.of(packet, packet, packet));
    rig.deliverAll();
    assertThat(psnsOfA()).containsExactly(0, 1, 2, 3, 1, 2, 3);
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  @Proves("S12.5.6")
  void aSequenceNakAcknowledgesAllBeforeIt() {
    rig.a.postWrite(1, from, 256, to);
    rig.a.postWrite(2, from, 256, to);
    rig.a.postWrite(3, from, 256, to);
    rig.a.out.loseOnce(packet -> packet.psn() == Rig.PSN_A + 1);
    rig.pump();
    rig.deliverToB();
    Packet nak = naks().getFirst();
    rig.b.out.flight.clear();
    rig.a.arrive(nak, rig.b.gid);
    assertThat(rig.a.sendResults()).containsExactly("1");
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2", "3");
  }

  @Test
  @Proves("S12.5.6")
  void aPacketThatIsLostTwiceIsSentAgainByTheTimer() {
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 4 * 256);
    rig.a.out.lose(2, packet -> packet.psn() == Rig.PSN_A + 1);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).isEmpty();
    rig.settle();
    assertThat(naks()).hasSize(1);
    assertThat(rig.a.count(Counter.TIMEOUTS)).isEqualTo(1);
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(to.bytes(0, 1024)).isEqualTo(from.bytes(0, 1024));
  }

  @Test
  @Proves("S12.5.7")
  void theTimerGoesBackToTheOldestUnacknowledgedPacketAndNotEarlier() {
    rig.a.postWrite(1, from, 256, to);
    rig.a.postWrite(2, from, 600, to);
    rig.b.out.lose(1, packet -> packet.psn() == Rig.PSN_A + 3);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    rig.advance(TIMEOUT - 1);
    assertThat(rig.a.out.log).hasSize(4);
    rig.advance(1);
    assertThat(psnsOfA()).containsExactly(0, 1, 2, 3, 1, 2, 3);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("2");
    assertThat(rig.a.requester.deadline()).isEqualTo(Clock.NEVER);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 6, 7})
  @Proves({"S12.5.7", "S12.12", "S1.6/11"})
  void silenceEndsInRetryExceededAfterExactlyTheRetries(int retries) {
    rig.connect(p -> p.retryCount(retries), Rig.PSN_A, Rig.PSN_B);
    rig.a.out.fault(packet -> List.of());
    rig.a.postWrite(1, from, 300, to);
    rig.a.postWrite(2, from, 1, to);
    rig.pump();
    long begin = rig.now();
    rig.advance((retries + 1) * TIMEOUT - 1);
    assertThat(rig.a.sendResults()).isEmpty();
    assertThat(rig.a.out.log).hasSize(3 * (retries + 1));
    rig.advance(1);
    assertThat(rig.now() - begin).isEqualTo((retries + 1) * TIMEOUT);
    assertThat(rig.a.sendResults()).containsExactly("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    assertThat(rig.a.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
    assertThat(rig.a.requester.deadline()).isEqualTo(Clock.NEVER);
  }

  @ParameterizedTest
  @CsvSource({"0, 3", "3, 0", "7, 1", "1, 7"})
  @Proves({"S12.5.7", "S4.3/SQD-SQD"})
  void theRetriesThatAModifyLeavesCountFromTheNextLossOn(int before, int after) {
    rig.connect(p -> p.retryCount(before), Rig.PSN_A, Rig.PSN_B);
    rig.a.parameters.retryCount(after);
    rig.a.out.fault(packet -> List.of());
    rig.a.postWrite(1, from, 8, to);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1 RETRY_EXC_ERR");
    assertThat(rig.a.out.log).hasSize(after + 1);
  }

  @ParameterizedTest
  @CsvSource({"0, 3", "3, 0", "7, 1", "1, 6"})
  @Proves({"S12.5.8", "S4.3/SQD-SQD"})
  void theRnrRetriesThatAModifyLeavesCountFromTheNextRefusalOn(int before, int after) {
    rig.connect(p -> p.rnrRetry(before), Rig.PSN_A, Rig.PSN_B);
    rig.a.parameters.rnrRetry(after);
    rig.a.postSend(1, from, 8);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1 RNR_RETRY_EXC_ERR");
    assertThat(rig.a.out.log).hasSize(after + 1);
  }

  @Test
  @Proves("S12.5.7")
  void timeoutZeroWaitsForEver() {
    rig.a.parameters.timeout(0);
    rig.a.out.fault(packet -> List.of());
    rig.a.postWrite(1, from, 8, to);
    rig.pump();
    assertThat(rig.a.requester.deadline()).isEqualTo(Clock.NEVER);
    assertThat(rig.a.sendResults()).isEmpty();
  }

  @Test
  @Proves("S12.5.7")
  void progressRefillsTheRetries() {
    rig.connect(p -> p.retryCount(1), Rig.PSN_A, Rig.PSN_B);
    rig.a.out.limit(1);
    for (int i = 0; i < 10; i++) {
      rig.a.postWrite(i, from, 8, to);
    }
    // The first sending of each packet is lost, the second is not.
    boolean[] lose = {false};
    rig.a.out.fault(
        packet -> {
          lose[0] = !lose[0];
          return lose[0] ? List.of() : List.of(packet);
        });
    rig.settle();
    assertThat(rig.a.sendResults())
        .containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    assertThat(rig.a.count(Counter.TIMEOUTS)).isEqualTo(10);
  }

  @Test
  @Proves("S12.5.7")
  void aPeerThatHasAnsweredIsTriedSeveralTimesWithinEachFurtherTimeout() {
    rig.connect(p -> p.retryCount(1), Rig.PSN_A, Rig.PSN_B);
    rig.a.postWrite(1, from, 8, to);
    rig.settle();
    rig.a.out.lose(4, packet -> true);
    rig.a.postWrite(2, from, 8, to);
    rig.pump();
    long begin = rig.now();
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
    assertThat(rig.now() - begin).isBetween(TIMEOUT, 2 * TIMEOUT - 1);
    assertThat(rig.a.count(Counter.TIMEOUTS)).isEqualTo(1);
  }

  @Test
  @Proves("S12.5.7")
  void aPeerThatIsSlowToAnswerHasTheWholeTimeAfterALossAlso() {
    rig.connect(p -> p.retryCount(1), Rig.PSN_A, Rig.PSN_B);
    rig.a.postWrite(0, from, 8, to);
    rig.settle();
    rig.a.out.lose(1, packet -> true);
    rig.a.postWrite(1, from, 8, to);
    rig.settle();
    for (int i = 2; i < 20; i++) {
      rig.a.postWrite(i, from, 8, to);
      rig.pump();
      rig.advance(TIMEOUT / 2);
      rig.deliverToB();
      rig.deliverToA();
    }
    assertThat(rig.a.sendResults()).hasSize(20).doesNotHaveDuplicates();
    assertThat(rig.a.count(Counter.TIMEOUTS)).isEqualTo(1);
    assertThat(rig.a.count(Counter.RETRANSMITTED)).isEqualTo(1);
  }

  /** No packet after the last one of an answer can reveal its loss. */
  @Test
  @Proves("S12.5.7")
  void whereLossIsUsualAndAnswersAreQuickASilenceIsTakenForALoss() {
    rig.a.postWrite(0, from, 1024, to);
    rig.a.out.loseOnce(packet -> packet.psn() == Rig.PSN_A + 1);
    rig.settle();
    rig.a.postWrite(1, from, 8, to);
    rig.deliverAll();
    long begin = rig.now();
    rig.a.out.loseOnce(packet -> true);
    rig.a.postWrite(2, from, 8, to);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("0", "1", "2");
    assertThat(rig.now() - begin).as("answers come at once").isEqualTo(SHORTEST_SILENCE);
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
    begin = rig.now();
    rig.a.out.lose(3, packet -> true);
    rig.a.postWrite(3, from, 8, to);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("3");
    assertThat(rig.now() - begin).as("each time twice as long").isEqualTo(7 * SHORTEST_SILENCE);
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
  }

  @Test
  @Proves("S12.5.7")
  void severalTriesDoNotChangeWhenTheRetriesEnd() {
    rig.connect(p -> p.retryCount(2), Rig.PSN_A, Rig.PSN_B);
    rig.a.postWrite(1, from, 8, to);
    rig.settle();
    rig.a.out.fault(packet -> List.of());
    rig.a.postWrite(2, from, 8, to);
    rig.pump();
    rig.advance(3 * TIMEOUT - 1);
    assertThat(rig.a.sendResults()).containsExactly("1");
    rig.advance(1);
    assertThat(rig.a.sendResults()).containsExactly("2 RETRY_EXC_ERR");
    assertThat(rig.a.count(Counter.TIMEOUTS)).isEqualTo(3);
  }

  @Test
  @Proves("S12.5.6")
  void theMoreIsLostTheLessIsSentInVain() {
    rig.connect(p -> p.retryCount(7), Rig.PSN_A, Rig.PSN_B);
    int[] count = {0, 0};
    rig.a.out.fault(
        packet -> {
          // Every twentieth, whatever it is.
          boolean lost = ++count[0] % 20 == 0;
          count[1] += lost ? 1 : 0;
          return lost ? List.of() : List.of(packet);
        });
    for (int i = 0; i < 100; i++) {
      rig.a.postWrite(i, from, 8192, to);
    }
    rig.settle();
    assertThat(rig.a.sendResults()).hasSize(100).allMatch(result -> !result.contains("ERR"));
    assertThat(count[1]).isGreaterThan(100);
    assertThat(rig.a.count(Counter.RETRANSMITTED)).isLessThan(8L * count[1]);
    assertThat(to.bytes()).isEqualTo(from.bytes());
  }

  /** A responder keeps no packet that comes too early, so reordering costs as much as loss. */
  @Test
  @Proves("S12.5.6")
  void theMoreComesOutOfTurnTheLessIsSentInVain() {
    rig.connect(p -> p.retryCount(7), Rig.PSN_A, Rig.PSN_B);
    int[] count = {0, 0};
    List<Packet> held = new ArrayList<>();
    rig.a.out.fault(
        packet -> {
          if (++count[0] % 20 == 0) {
            count[1]++;
            held.add(packet);
            return List.of();
          }
          List<Packet> exchanged = new ArrayList<>(List.of(packet));
          exchanged.addAll(held);
          held.clear();
          return exchanged;
        });
    for (int i = 0; i < 100; i++) {
      rig.a.postWrite(i, from, 8192, to);
    }
    rig.settle();
    assertThat(rig.a.sendResults()).hasSize(100).allMatch(result -> !result.contains("ERR"));
    assertThat(count[1]).isGreaterThan(100);
    assertThat(rig.a.count(Counter.RETRANSMITTED)).isLessThan(12L * count[1]);
    assertThat(to.bytes()).isEqualTo(from.bytes());
  }

  @Test
  @Proves("S12.5.7")
  void sequenceNaksSpendRetriesToo() {
    rig.connect(p -> p.retryCount(0), Rig.PSN_A, Rig.PSN_B);
    rig.a.postWrite(1, from, 256, to);
    rig.a.postWrite(2, from, 256, to);
    rig.a.out.loseOnce(packet -> packet.psn() == Rig.PSN_A);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
  }

  @Test
  @Proves("S12.5.7")
  void anAnswerThatComesAfterGoingBackSpendsNoSecondRetry() {
    rig.connect(p -> p.retryCount(1), Rig.PSN_A, Rig.PSN_B);
    rig.a.postRead(1, from, 8, to);
    rig.a.postRead(2, from, 8, to);
    rig.b.out.loseOnce(packet -> packet.psn() == Rig.PSN_A);
    rig.pump();
    rig.deliverToB();
    Packet late = rig.b.out.flight.removeFirst();
    assertThat(rig.b.out.flight).isEmpty();
    rig.advance(TIMEOUT);
    rig.a.arrive(late, rig.b.gid);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
    assertThat(psnsOfA()).containsExactly(0, 1, 0, 1);
  }

  @Test
  void anAckThatComesAfterGoingBackIsCounted() {
    rig.a.postWrite(1, from, 256, to);
    rig.a.postWrite(2, from, 256, to);
    rig.pump();
    rig.deliverToB();
    List<Packet> late = List.copyOf(rig.b.out.flight);
    rig.b.out.flight.clear();
    rig.a.out.takes(0);
    rig.advance(TIMEOUT);
    assertThat(rig.a.out.log).hasSize(2);
    late.forEach(packet -> rig.a.arrive(packet, rig.b.gid));
    rig.a.out.takes(100);
    rig.deliverAll();
    assertThat(rig.a.out.log).hasSize(2);
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
    rig.a.postWrite(3, from, 256, to);
    rig.deliverAll();
    assertThat(psnsOfA()).containsExactly(0, 1, 2);
    assertThat(rig.a.sendResults()).containsExactly("3");
  }

  @Test
  void anAckForAPartComesAfterGoingBackAndTheRestIsSent() {
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 4 * 256);
    rig.pump();
    rig.deliverToB();
    Packet ack = rig.b.out.log.getLast();
    rig.b.out.flight.clear();
    rig.a.out.takes(0);
    rig.advance(TIMEOUT);
    rig.a.arrive(ack.edited(bytes -> PacketEdits.psn(bytes, Rig.PSN_A + 1)), rig.b.gid);
    rig.a.out.takes(100);
    rig.pump();
    assertThat(psnsOfA()).containsExactly(0, 1, 2, 3, 2, 3);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.b.receiveResults()).containsExactly("1");
  }

  @Test
  @Proves("S12.5.10")
  void responsesFromThePastAreDropped() {
    rig.a.postWrite(1, from, 256, to);
    rig.deliverAll();
    Packet ack = rig.b.out.log.getLast();
    rig.a.postWrite(2, from, 256, to);
    rig.pump();
    rig.a.arrive(ack, rig.b.gid);
    rig.a.arrive(ack.edited(b -> PacketEdits.psn(b, Rig.PSN_A + 2)), rig.b.gid);
    rig.a.arrive(
        ack.edited(b -> PacketEdits.syndrome(b, AethSyndrome.NAK_INVALID_REQUEST)), rig.b.gid);
    assertThat(rig.a.count(Counter.DROPPED_STALE_RESPONSE)).isEqualTo(3);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
  }

  @Test
  @Proves({"S12.5.8", "S3.2.1", "S12.12"})
  void withoutAReceiveASendWaitsForTheTimerThatTheNakNames() {
    rig.b.parameters.minRnrTimer(20);
    rig.a.postSend(1, from, 600);
    rig.deliverAll();
    assertThat(rig.b.out.log).hasSize(1);
    assertThat(rig.b.out.log.getFirst().view().aethSyndrome()).isEqualTo(AethSyndrome.rnr(20));
    assertThat(rig.b.out.log.getFirst().psn()).isEqualTo(Rig.PSN_A);
    assertThat(rig.b.count(Counter.RNR_NAKS_SENT)).isEqualTo(1);
    rig.b.postRecv(9, to);
    rig.advance(RnrTimer.nanos(20) - 1);
    assertThat(rig.a.out.log).hasSize(3);
    rig.advance(1);
    assertThat(psnsOfA()).containsExactly(0, 1, 2, 0, 1, 2);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.b.receiveResults()).containsExactly("9");
    assertThat(to.bytes(0, 600)).isEqualTo(from.bytes(0, 600));
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 6})
  @Proves({"S12.5.8", "S12.12", "S1.6/12"})
  void rnrRetriesEndInRnrRetryExceeded(int retries) {
    rig.a.parameters.rnrRetry(retries);
    rig.a.parameters.retryCount(0);
    rig.connect(p -> {}, Rig.PSN_A, Rig.PSN_B);
    rig.a.postSend(1, from, 8);
    rig.a.postSend(2, from, 8);
    long begin = rig.now();
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1 RNR_RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    assertThat(rig.now() - begin).isEqualTo(retries * RnrTimer.nanos(12));
    assertThat(rig.a.count(Counter.RNR_NAKS_RECEIVED)).isEqualTo(retries + 1L);
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
  }

  @Test
  @Proves("S12.5.8")
  void rnrRetrySevenNeverGivesUp() {
    rig.a.parameters.rnrRetry(7);
    rig.a.postSend(1, from, 8);
    for (int i = 0; i < 1000; i++) {
      rig.deliverAll();
      assertThat(rig.advanceToDeadline()).isTrue();
    }
    rig.b.postRecv(2, to);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  @Proves("S12.5.8")
  void progressRefillsTheRnrRetries() {
    rig.a.parameters.rnrRetry(1);
    rig.connect(p -> {}, Rig.PSN_A, Rig.PSN_B);
    for (int i = 0; i < 4; i++) {
      rig.a.postSend(i, from, 8);
      rig.deliverAll();
      rig.b.postRecv(i, to);
      rig.settle();
      assertThat(rig.a.sendResults()).containsExactly("" + i);
    }
  }

  @Test
  @Proves({"S12.5.8", "S3.2.1"})
  void aWriteWithImmediateNeedsItsReceiveOnlyAtItsLastPacket() {
    rig.a.postWriteImm(1, from, 1024, to, 5);
    rig.deliverAll();
    assertThat(rig.b.out.log.getLast().psn()).isEqualTo(Rig.PSN_A + 3);
    assertThat(to.bytes(0, 768)).isEqualTo(from.bytes(0, 768));
    assertThat(to.bytes(768, 256)).containsOnly(0);
    rig.b.postRecv(2, wqe -> {});
    rig.settle();
    assertThat(psnsOfA()).containsExactly(0, 1, 2, 3, 3);
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.b.pollReceives().getFirst().byteLen()).isEqualTo(1024);
    assertThat(to.bytes(0, 1024)).isEqualTo(from.bytes(0, 1024));
  }

  @Test
  @Proves("S12.5.8")
  void anRnrNakAcknowledgesWhatIsBeforeIt() {
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 300);
    rig.a.postSend(2, from, 300);
    rig.b.out.loseOnce(packet -> AethSyndrome.isAck(packet.view().aethSyndrome()));
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    rig.b.postRecv(2, to);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("2");
  }

  @Test
  void nothingIsSentWhileWaitingForAReceiver() {
    rig.a.postSend(1, from, 8);
    rig.deliverAll();
    rig.a.postWrite(2, from, 8, to);
    rig.deliverAll();
    assertThat(rig.a.out.log).hasSize(1);
    rig.b.postRecv(1, to);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
  }

  @Test
  void goingBackMayLandInTheMiddleOfAMessageAndOfTheQueue() {
    rig.b.postRecv(1, to);
    rig.a.postWrite(1, from, 700, to);
    rig.a.postSend(2, from, 1000);
    rig.a.postWrite(3, from, 700, to);
    rig.a.out.loseOnce(packet -> packet.psn() == Rig.PSN_A + 5);
    rig.a.out.loseOnce(packet -> packet.psn() == Rig.PSN_A + 9);
    rig.settle();
    assertThat(psnsOfA()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 6, 7, 8, 9);
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3");
    assertThat(rig.b.receiveResults()).containsExactly("1");
  }

  @Test
  void aLinkThatRefusesAPacketGetsItOnceAndItIsNoRetransmission() {
    rig.a.out.refuse(3);
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 700);
    rig.pump();
    assertThat(rig.a.requester.run(new Budget())).isTrue();
    rig.deliverAll();
    rig.pump();
    rig.deliverAll();
    assertThat(psnsOfA()).containsExactly(0, 1, 2);
    assertThat(rig.a.count(Counter.RETRANSMITTED)).isZero();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  void aResponseToAPacketThatTheLinkRefusedIsStale() {
    rig.a.postWrite(1, from, 8, to);
    rig.deliverAll();
    Packet ack = rig.b.out.log.getLast();
    rig.a.out.refuse(1);
    rig.a.postWrite(2, from, 8, to);
    rig.a.requester.run(new Budget());
    rig.a.arrive(ack.edited(bytes -> PacketEdits.psn(bytes, Rig.PSN_A + 1)), rig.b.gid);
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  void aTurnEndsWhenItsBudgetIsSpent() {
    for (int i = 0; i < 100; i++) {
      rig.a.post(i, WrOpcode.SEND, SendFlags.SIGNALED, wqe -> {});
    }
    rig.a.out.limit(1000);
    assertThat(rig.a.requester.run(new Budget())).isTrue();
    assertThat(rig.a.out.log).hasSize(Budget.STEPS);
    assertThat(rig.a.requester.run(new Budget())).isFalse();
    assertThat(rig.a.out.log).hasSize(100);
  }

  @Test
  void theWindowBoundsWhatIsUnanswered() {
    rig.a.out.limit(5);
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 8192);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(5);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(to.bytes()).isEqualTo(from.bytes());
  }

  @Test
  @Proves("S12.5.7")
  void anAcknowledgementBehindAReadThatStaysUnansweredGivesNoRetriesBack() {
    Rig rig = Rig.packets(p -> p.retryCount(3));
    Block here = rig.a.memory(8);
    Block there = rig.b.memory(8);
    rig.b.out.fault(p -> p.is(Opcode.RC_ACKNOWLEDGE) ? List.of(p) : List.of());
    rig.a.postRead(1, here, 8, there);
    rig.a.postWrite(2, here, 8, there);
    rig.pump();
    rig.deliverToB();
    Packet acknowledgement = rig.b.out.flight.removeFirst();
    List<String> results = new ArrayList<>();
    for (int round = 0; round < 40 && results.isEmpty(); round++) {
      rig.a.arrive(acknowledgement, rig.b.gid);
      rig.advanceToDeadline();
      results.addAll(rig.a.sendResults());
    }
    assertThat(results).containsExactly("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
  }

  @Test
  @Proves("S12.5.5")
  void aLostAnswerIsAskedForAgainAtOnceAlsoWhereThePsnsBegin() {
    Rig rig = Rig.packets(p -> {}, 0, Rig.PSN_B, 4 * Endpoint.DEPTH);
    Block here = rig.a.memory(8);
    Block there = rig.b.memory(8);
    rig.b.out.loseOnce(p -> true);
    rig.a.postRead(1, here, 8, there);
    rig.a.postWrite(2, here, 8, there);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
  }
}
