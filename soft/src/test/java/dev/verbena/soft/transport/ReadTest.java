package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.memory.Window;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** READs and atomics: limits, answers, resuming, fences. */
class ReadTest {
  private final Rig rig = Rig.packets();
  private final Block landing = rig.a.memory(1 << 16);
  private final Block source = rig.b.memory(1 << 16).scribble(5);

  private List<Packet> requests() {
    return rig.a.out.log.stream().filter(p -> p.is(Opcode.RC_READ_REQUEST)).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "0, RC_READ_RESPONSE_ONLY",
    "1, RC_READ_RESPONSE_ONLY",
    "256, RC_READ_RESPONSE_ONLY",
    "257, RC_READ_RESPONSE_FIRST RC_READ_RESPONSE_LAST",
    "1000, RC_READ_RESPONSE_FIRST RC_READ_RESPONSE_MIDDLE RC_READ_RESPONSE_MIDDLE"
        + " RC_READ_RESPONSE_LAST"
  })
  @Proves({"S12.6.10", "S12.6.13"})
  void aReadIsAnsweredInPacketsOfTheMtu(int length, String opcodes) {
    rig.a.postRead(1, landing, length, source);
    rig.deliverAll();
    List<Packet> answers = rig.b.out.log;
    assertThat(String.join(" ", answers.stream().map(p -> Opcode.name(p.opcode())).toList()))
        .isEqualTo(opcodes);
    for (int i = 0; i < answers.size(); i++) {
      assertThat(answers.get(i).psn()).isEqualTo(Rig.PSN_A + i);
      assertThat(answers.get(i).view().destQpn).isEqualTo(0x11);
      assertThat(answers.get(i).view().ackRequest).isFalse();
      assertThat(answers.get(i).view().pkey).isEqualTo(0xffff);
      if (Opcode.row(answers.get(i).opcode()).has(Aeth.BIT)) {
        assertThat(answers.get(i).view().aethSyndrome()).isEqualTo(AethSyndrome.ACK_UNLIMITED);
        assertThat(answers.get(i).view().aethMsn()).isEqualTo(1);
      }
    }
    WorkCompletion completion = rig.a.pollSends().getFirst();
    assertThat(completion.isSuccess()).isTrue();
    assertThat(completion.byteLen()).isEqualTo(length);
    assertThat(landing.bytes(0, length)).isEqualTo(source.bytes(0, length));
    assertThat(landing.bytes(length, 8)).containsOnly(0);
  }

  @Test
  @Proves("S12.6.10")
  void answersStayInTheOrderOfTheRequestsWhileALongReadIsAnswered() {
    rig.b.out.takes(0);
    rig.a.postRead(1, landing, 5000, source);
    rig.a.postWrite(2, landing, 8, source);
    rig.a.postFetchAdd(3, landing, rig.b.memory(8), 1);
    rig.a.postRead(4, landing, 8, source);
    rig.deliverAll();
    assertThat(rig.b.out.log).isEmpty();
    for (int i = 0; i < 23; i++) {
      rig.b.out.takes(1);
      rig.pump();
    }
    assertThat(rig.b.out.log.stream().map(p -> p.psn() - Rig.PSN_A))
        .isSorted()
        .hasSize(23)
        .doesNotHaveDuplicates();
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3", "4");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9, 18, 19})
  @Proves("S12.5.9")
  void aReadIsResumedAtTheLostAnswer(int lost) {
    rig.b.out.loseOnce(packet -> packet.psn() == Rig.PSN_A + lost);
    rig.a.postRead(1, landing, 5000, source);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(landing.bytes(0, 5000)).isEqualTo(source.bytes(0, 5000));
    assertThat(requests()).hasSize(2);
    Packet resumed = requests().getLast();
    assertThat(resumed.psn()).isEqualTo(Rig.PSN_A + lost);
    assertThat(resumed.view().rethVa()).isEqualTo(source.addr() + lost * 256L);
    assertThat(resumed.view().rethLength()).isEqualTo(5000 - lost * 256L);
    assertThat(rig.b.out.log).hasSize(20 + 20 - lost);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 16})
  @Proves("S12.5.9")
  void aReadBeyondTheWindowIsAskedForInSlices(int window) {
    rig.a.out.limit(window);
    rig.a.postRead(1, landing, 20_000, source);
    rig.a.postRead(2, landing, 10, source);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
    assertThat(landing.bytes(10, 19_990)).isEqualTo(source.bytes(10, 19_990));
    assertThat(requests()).allMatch(p -> p.view().rethLength() <= window * 256L);
    assertThat(rig.a.count(Counter.RETRANSMITTED)).isZero();
  }

  @Test
  void noSmallSliceIsAskedForWhileOtherAnswersAreInFlight() {
    rig.a.out.limit(8);
    rig.a.postRead(1, landing, 6 * 256, source);
    rig.a.postRead(2, landing, 10 * 256, source);
    rig.pump();
    rig.deliverToB();
    List<Packet> answers = List.copyOf(rig.b.out.flight);
    rig.b.out.flight.clear();
    for (int i = 0; i < answers.size(); i++) {
      rig.a.arrive(answers.get(i), rig.b.gid);
      rig.pump();
      assertThat(requests()).as("after %d answers", i + 1).hasSize(i < 1 ? 1 : 2);
    }
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
    assertThat(requests())
        .extracting(p -> (int) p.view().rethLength() / 256)
        .containsExactly(6, 4, 6);
    assertThat(landing.bytes(0, 10 * 256)).isEqualTo(source.bytes(0, 10 * 256));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 30, 77, 78})
  @Proves("S12.5.9")
  void aSliceOfAReadIsResumedWithinWhatThePeerKnows(int lost) {
    rig.a.out.limit(4);
    rig.b.out.loseOnce(packet -> packet.psn() == Rig.PSN_A + lost);
    rig.a.postRead(1, landing, 20_000, source);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(landing.bytes(0, 20_000)).isEqualTo(source.bytes(0, 20_000));
    assertThat(rig.a.count(Counter.TIMEOUTS)).isLessThanOrEqualTo(1);
  }

  @Test
  @Proves("S12.5.9")
  void aReadThatIsRepeatedWhileTheWindowShrinksIsNeverResumedBeyondWhatThePeerKnows() {
    rig.a.out.limit(4);
    rig.a.out.loseOnce(packet -> packet.is(Opcode.RC_READ_REQUEST));
    rig.b.out.loseOnce(packet -> packet.psn() == Rig.PSN_A + 1);
    rig.a.postRead(1, landing, 4 * 256, source);
    rig.pump();
    rig.a.out.limit(2);
    rig.advanceToDeadline();
    rig.deliverAll();
    rig.a.out.limit(4);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(landing.bytes(0, 4 * 256)).isEqualTo(source.bytes(0, 4 * 256));
    assertThat(rig.a.count(Counter.TIMEOUTS)).isLessThanOrEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  @Proves("S12.5.9")
  void readsGetThroughLossWhileTheWindowChanges(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    rig.a.parameters.retryCount(7);
    rig.connect(p -> {}, Rig.PSN_A, Rig.PSN_B);
    rig.a.out.fault(packet -> random.nextInt(20) == 0 ? List.of() : List.of(packet));
    rig.b.out.fault(packet -> random.nextInt(20) == 0 ? List.of() : List.of(packet));
    Block other = rig.a.memory(600);
    for (int round = 0; round < 200; round++) {
      int length = random.nextInt(5000);
      landing.memory().fill((byte) 0);
      other.memory().fill((byte) 0);
      rig.a.postRead(1, landing, length, source);
      rig.a.postWrite(2, landing, 8, rig.b.memory(8));
      rig.a.postRead(3, other, 600, source);
      do {
        rig.a.out.limit(random.nextInt(1, 24));
        rig.pump();
        rig.deliverToB();
        rig.a.out.limit(random.nextInt(1, 24));
        rig.deliverToA();
      } while (!rig.a.out.flight.isEmpty() || rig.advanceToDeadline());
      assertThat(rig.a.sendResults())
          .as("seed %s, round %s", seed, round)
          .containsExactly("1", "2", "3");
      assertThat(landing.bytes(0, length)).isEqualTo(source.bytes(0, length));
      assertThat(other.bytes()).isEqualTo(source.bytes(0, 600));
    }
  }

  @Test
  void aLateAnswerAfterGoingBackShortensTheNextRequest() {
    rig.a.postRead(1, landing, 1024, source);
    rig.pump();
    rig.deliverToB();
    List<Packet> answers = List.copyOf(rig.b.out.flight);
    rig.b.out.flight.clear();
    rig.a.out.takes(0);
    rig.advanceToDeadline();
    rig.a.arrive(answers.get(0), rig.b.gid);
    rig.a.arrive(answers.get(1), rig.b.gid);
    rig.a.out.takes(10);
    rig.deliverAll();
    assertThat(requests().getLast().psn()).isEqualTo(Rig.PSN_A + 2);
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(landing.bytes(0, 1024)).isEqualTo(source.bytes(0, 1024));
  }

  @Test
  void aReadThatWasAnsweredTwiceCompletesOnce() {
    rig.b.out.fault(packet -> List.of(packet, packet));
    rig.a.postRead(1, landing, 1024, source);
    rig.a.postFetchAdd(2, landing, source, 1);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
  }

  @Test
  @Proves("S12.5.4")
  void onlySoManyReadsAndAtomicsAreOutstandingAndTheRestWaitInOrder() {
    rig.a.parameters.maxRdAtomic(2);
    rig.a.postRead(1, landing, 8, source);
    rig.a.postFetchAdd(2, landing, source, 1);
    rig.a.postRead(3, landing, 8, source);
    rig.a.postSend(4, landing, 8);
    rig.b.postRecv(1, source);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(2);
    rig.deliverToB();
    Packet first = rig.b.out.flight.removeFirst();
    rig.b.out.flight.clear();
    rig.a.arrive(first, rig.b.gid);
    rig.pump();
    assertThat(rig.a.out.log.stream().map(Packet::opcode))
        .containsExactly(
            Opcode.RC_READ_REQUEST,
            Opcode.RC_FETCH_ADD,
            Opcode.RC_READ_REQUEST,
            Opcode.RC_SEND_ONLY);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3", "4");
  }

  @Test
  @Proves("S12.5.4")
  void withoutAnyAllowedAReadWaitsForEver() {
    rig.a.parameters.maxRdAtomic(0);
    rig.a.postRead(1, landing, 8, source);
    rig.settle();
    assertThat(rig.a.out.log).isEmpty();
    assertThat(rig.a.sendResults()).isEmpty();
  }

  @Test
  @Proves("S1.2/FENCE")
  void aFencedSendWaitsForTheReadBeforeItAndNothingOvertakes() {
    rig.b.postRecv(1, source);
    rig.a.postRead(1, landing, 1000, source);
    rig.a.post(2, WrOpcode.SEND, SendFlags.SIGNALED | SendFlags.FENCE, wqe -> {});
    rig.a.postWrite(3, landing, 8, source);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(1);
    rig.deliverToB();
    rig.deliverToA();
    assertThat(rig.a.out.log.stream().map(Packet::opcode))
        .containsExactly(Opcode.RC_READ_REQUEST, Opcode.RC_SEND_ONLY, Opcode.RC_WRITE_ONLY);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3");
  }

  @ParameterizedTest
  @EnumSource(
      value = WrOpcode.class,
      names = {"TSO", "DRIVER1"},
      mode = EnumSource.Mode.EXCLUDE)
  @Proves("S1.2/FENCE")
  void whateverIsFencedWaitsForTheReadOrAtomicBeforeIt(WrOpcode opcode) {
    for (boolean atomic : new boolean[] {false, true}) {
      Rig fenced = Rig.packets();
      Block local = fenced.a.memory(512);
      Block remote = fenced.b.memory(512);
      fenced.b.postRecv(1, remote);
      Window window = fenced.a.window(true);
      Window remoteWindow = fenced.b.window(true);
      fenced.b.postBind(1, remoteWindow, 1, remote);
      fenced.pump();
      if (opcode == WrOpcode.LOCAL_INV) {
        fenced.a.postBind(1, window, 1, local);
        fenced.deliverAll();
        fenced.a.pollSends();
      }
      if (atomic) {
        fenced.a.postFetchAdd(2, local, remote, 1);
      } else {
        fenced.a.postRead(2, local, 300, remote);
      }
      fenced.a.post(
          3,
          opcode,
          SendFlags.SIGNALED | SendFlags.FENCE,
          w -> {
            w.immOrKey(remoteWindow.key(1));
            fill(w, window, local, remote);
          });
      fenced.pump();
      boolean bound = fenced.a.keys.byRemoteKey(window.key(1)) != null;
      assertThat(bound).as("a window is bound").isEqualTo(opcode == WrOpcode.LOCAL_INV);
      assertThat(fenced.a.out.log).hasSize(1);
      fenced.deliverToB();
      if (!atomic) {
        fenced.a.arrive(fenced.b.out.flight.removeFirst(), fenced.b.gid);
        fenced.a.pump();
        assertThat(fenced.a.out.log).as("half of the answer is there").hasSize(1);
      }
      fenced.deliverAll();
      assertThat(fenced.a.sendResults()).containsExactly("2", "3");
    }
  }

  private static void fill(SendWqe wqe, Window window, Block local, Block remote) {
    switch (wqe.operation.opcode) {
      case BIND_MW ->
          wqe.binding().set(window, 1, local.lkey(), local.addr(), 8, Access.REMOTE_READ);
      case LOCAL_INV -> wqe.immOrKey(window.key(1));
      case SEND_WITH_INV -> {}
      case FLUSH -> {
        wqe.remote(remote.addr(), remote.rkey());
        wqe.flush(8, FlushType.GLOBAL, FlushLevel.RANGE.number());
      }
      default -> {
        wqe.data.add(local.lkey(), local.addr(), 8);
        wqe.remote(remote.addr(), remote.rkey());
      }
    }
  }

  @Test
  @Proves("S1.2/FENCE")
  void aFenceDoesNotWaitForWritesAndWithoutFenceReadsAreOvertaken() {
    rig.a.postWrite(1, landing, 8, source);
    rig.a.post(2, WrOpcode.RDMA_WRITE, SendFlags.FENCE, w -> w.remote(source.addr(), 0));
    rig.a.postRead(3, landing, 8, source);
    rig.a.postWrite(4, landing, 8, source);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(4);
  }

  @Test
  @Proves({"S12.5.10", "S1.6/13"})
  void anAnswerThatIsTooShortIsABadResponse() {
    failsWithBadResponse(
        answer -> answer.is(Opcode.RC_READ_RESPONSE_MIDDLE) ? answer.withLength(252) : answer);
  }

  @Test
  @Proves({"S12.5.10", "S1.6/13"})
  void aLastAnswerThatIsTooLongIsABadResponse() {
    failsWithBadResponse(
        answer -> answer.is(Opcode.RC_READ_RESPONSE_LAST) ? answer.withLength(233) : answer);
  }

  @Test
  @Proves({"S12.5.10", "S1.6/13"})
  void aLastAnswerThatIsEmptyIsABadResponse() {
    failsWithBadResponse(
        answer -> answer.is(Opcode.RC_READ_RESPONSE_LAST) ? answer.withLength(0) : answer);
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 1024, 1000})
  @Proves({"S12.5.10", "S1.6/13"})
  void aLastAnswerThatDoesNotSayThatItIsTheLastIsABadResponse(int length) {
    int last = Rig.PSN_A + (length - 1) / 256;
    rig.b.out.fault(
        answer ->
            List.of(
                answer.psn() != last
                    ? answer
                    : answer.withoutAeth().withOpcode(Opcode.RC_READ_RESPONSE_MIDDLE)));
    rig.a.postRead(1, landing, length, source);
    rig.a.postSend(2, landing, 8);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 BAD_RESP_ERR", "2 WR_FLUSH_ERR");
  }

  @Test
  @Proves({"S12.5.10", "S1.6/13"})
  void aFirstAnswerInThePlaceOfTheLastIsABadResponse() {
    rig.b.out.fault(
        answer ->
            List.of(
                answer.is(Opcode.RC_READ_RESPONSE_LAST)
                    ? answer.withOpcode(Opcode.RC_READ_RESPONSE_FIRST)
                    : answer));
    rig.a.postRead(1, landing, 1024, source);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 BAD_RESP_ERR");
  }

  @Test
  @Proves("S1.5.5")
  void anAtomicReportsAndWritesEightBytesHoweverLongItsList() {
    landing.scribble(8);
    byte[] before = landing.bytes(12, 20);
    source.setLong(0, 0x1122334455667788L);
    for (WrOpcode opcode : List.of(WrOpcode.ATOMIC_FETCH_AND_ADD, WrOpcode.ATOMIC_CMP_AND_SWP)) {
      rig.a.post(
          1,
          opcode,
          SendFlags.SIGNALED,
          w -> {
            w.data.add(landing.lkey(), landing.addr() + 1, 3);
            w.data.add(landing.lkey(), landing.addr() + 8, 16);
            w.remote(source.addr(), source.rkey());
          });
      rig.deliverAll();
      WorkCompletion completion = rig.a.pollSends().getFirst();
      assertThat(completion.isSuccess()).isTrue();
      assertThat(completion.byteLen()).isEqualTo(8);
    }
    assertThat(landing.bytes(1, 3)).isEqualTo(source.bytes(0, 3));
    assertThat(landing.bytes(8, 5)).isEqualTo(source.bytes(3, 5));
    assertThat(landing.bytes(13, 19)).isEqualTo(Arrays.copyOfRange(before, 1, 20));
  }

  @Test
  @Proves({"S12.5.10", "S1.6/13"})
  void anAtomicAnswerToAReadIsABadResponse() {
    Packet[] atomic = new Packet[1];
    Rig other = Rig.packets();
    other.a.postFetchAdd(1, other.a.memory(8), other.b.memory(8), 1);
    other.deliverAll();
    atomic[0] = other.b.out.log.getFirst();
    failsWithBadResponse(answer -> answer.psn() == Rig.PSN_A ? atomic[0] : answer);
  }

  @Test
  @Proves({"S12.5.10", "S1.6/13"})
  void anAnswerOfAReadToASendIsABadResponse() {
    Rig other = Rig.packets();
    other.a.postRead(1, other.a.memory(8), 8, other.b.memory(8));
    other.deliverAll();
    rig.a.postSend(1, landing, 8);
    rig.a.postSend(2, landing, 8);
    rig.pump();
    rig.a.arrive(other.b.out.log.getFirst(), rig.b.gid);
    assertThat(rig.a.sendResults()).containsExactly("1 BAD_RESP_ERR", "2 WR_FLUSH_ERR");
  }

  @ParameterizedTest
  @ValueSource(ints = {0x40, 0x5f, 0x65, 0x7f, 0x80, 0xff})
  @Proves("S1.6/13")
  void aReservedSyndromeIsABadResponse(int syndrome) {
    rig.a.postWrite(1, landing, 8, source);
    rig.b.out.fault(p -> List.of(p.edited(b -> PacketEdits.syndrome(b, syndrome))));
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 BAD_RESP_ERR");
    assertThat(rig.a.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x60, 0x2c, 0x62})
  @Proves("S1.6/13")
  void anAnswerWithDataThatIsNoAcknowledgementIsABadResponse(int syndrome) {
    rig.a.postRead(1, landing, 8, source);
    rig.b.out.fault(p -> List.of(p.edited(b -> PacketEdits.syndrome(b, syndrome))));
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 BAD_RESP_ERR");
    assertThat(landing.bytes(0, 8)).containsOnly(0);
  }

  @Test
  @Proves("S1.6/02")
  void aLandingBufferThatMayNotBeWrittenFailsBeforeAnythingIsSent() {
    Block readOnly = rig.a.memory(64, 0, Arena.ofAuto());
    rig.a.postRead(1, readOnly, 8, source);
    rig.a.postSend(2, landing, 8);
    rig.deliverAll();
    assertThat(rig.a.out.log).isEmpty();
    assertThat(rig.a.sendResults()).containsExactly("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
  }

  @Test
  @Proves("S1.6/02")
  void aLandingBufferThatEndsMeanwhileFails() {
    rig.a.postRead(1, landing, 1000, source);
    rig.pump();
    rig.a.keys.remove(landing.region());
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 LOC_PROT_ERR");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void aRepeatedReadReplacesTheAnswersThatStillWait(int resources) {
    rig.connect(p -> p.maxDestRdAtomic(resources), Rig.PSN_A, Rig.PSN_B);
    rig.a.postRead(1, landing, 10 * 256, source);
    rig.pump();
    rig.b.out.takes(3);
    rig.deliverToB();
    rig.b.out.flight.clear();
    rig.advanceToDeadline();
    rig.deliverToB();
    rig.b.out.takes(Integer.MAX_VALUE);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(landing.bytes(0, 10 * 256)).isEqualTo(source.bytes(0, 10 * 256));
    assertThat(rig.b.out.log).hasSize(3 + 10);
  }

  @Test
  void repeatedReadsThatStillWaitForTheLinkDoNotMakeAPeerRefuseTheNextOne() {
    rig.connect(
        p -> {
          p.maxRdAtomic(1);
          p.maxDestRdAtomic(1);
        },
        Rig.PSN_A,
        Rig.PSN_B);
    rig.a.postRead(1, landing, 256, source);
    rig.a.postRead(2, landing, 256, source);
    rig.pump();
    rig.deliverToB();
    Packet answer = rig.b.out.flight.removeFirst();
    // The requester runs out of patience; the link takes nothing more from the responder.
    rig.b.out.takes(0);
    rig.advanceToDeadline();
    rig.deliverToB();
    rig.a.arrive(answer, rig.b.gid);
    rig.deliverAll();
    rig.b.out.takes(100);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
  }

  private void failsWithBadResponse(UnaryOperator<Packet> edit) {
    rig.b.out.fault(answer -> List.of(edit.apply(answer)));
    rig.a.postRead(1, landing, 1000, source);
    rig.a.postSend(2, landing, 8);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 BAD_RESP_ERR", "2 WR_FLUSH_ERR");
    assertThat(rig.a.status.state).isEqualTo(QpState.ERR);
  }
}
