package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.Region;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the responder does with requests, packet by packet. */
class ResponderTest {
  private final Rig rig = Rig.packets();
  private final Block from = rig.a.memory(4096).scribble(1);
  private final Block to = rig.b.memory(4096);

  /** What A would send for what it has posted, without sending it. */
  private List<Packet> capture() {
    rig.pump();
    List<Packet> packets = List.copyOf(rig.a.out.flight);
    rig.a.out.flight.clear();
    return packets;
  }

  private Packet captureSend(int length) {
    rig.a.postSend(1, from, length);
    return capture().getFirst();
  }

  private Packet captureWrite(int length) {
    rig.a.postWrite(1, from, length, to);
    return capture().getFirst();
  }

  private Packet answer() {
    assertThat(rig.b.out.log).isNotEmpty();
    return rig.b.out.log.getLast();
  }

  private void assertRefused(int syndrome, int psn) {
    assertThat(answer().view().aethSyndrome()).isEqualTo(syndrome);
    assertThat(answer().psn()).isEqualTo(psn);
    assertThat(rig.b.status.state()).isEqualTo(QpState.ERR);
  }

  private void assertInvalid(int psn) {
    assertRefused(AethSyndrome.NAK_INVALID_REQUEST, psn);
  }

  @Test
  @Proves("S12.6.1")
  void inAStateThatDoesNotReceiveNothingHappens() {
    Packet send = captureSend(8);
    for (QpState state : List.of(QpState.RESET, QpState.INIT, QpState.ERR)) {
      rig.b.status.state(state);
      rig.inject(send);
    }
    assertThat(rig.b.count(Counter.DROPPED_QP_STATE)).isEqualTo(3);
    assertThat(rig.b.out.log).isEmpty();
  }

  @Test
  @Proves("S12.6.1")
  void aForeignSourceIsDroppedBeforeThePkeyIsLookedAt() {
    Packet send = captureSend(8).edited(b -> PacketEdits.pkey(b, 0x8001));
    rig.b.arrive(send, 77);
    rig.pump();
    assertThat(rig.b.count(Counter.DROPPED_SOURCE)).isEqualTo(1);
    assertThat(rig.b.count(Counter.DROPPED_PKEY)).isZero();
    assertThat(rig.b.out.log).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0xffff, 0x7fff, 1", "0x7fff, 0xffff, 1", "0x7fff, 0x7fff, 0", "0xffff, 0x8001, 0"})
  @Proves("S12.6.1")
  void aPkeyMustMatchAndOneSideBeFullMember(String ours, String theirs, int accepted) {
    rig.b.parameters.pkey(Integer.decode(ours));
    rig.b.postRecv(1, to);
    rig.inject(captureSend(8).edited(b -> PacketEdits.pkey(b, Integer.decode(theirs))));
    assertThat(rig.b.receiveResults()).hasSize(accepted);
    assertThat(rig.b.count(Counter.DROPPED_PKEY)).isEqualTo(1 - accepted);
    assertThat(rig.b.out.log).hasSize(accepted);
  }

  @Test
  @Proves("S12.6.1")
  void aWrongPsnIsSeenBeforeAWrongOpcode() {
    Packet middle = captureSend(256).withOpcode(Opcode.RC_SEND_MIDDLE);
    rig.inject(middle.edited(b -> PacketEdits.psn(b, Rig.PSN_A + 1)));
    assertThat(answer().view().aethSyndrome()).isEqualTo(AethSyndrome.NAK_PSN_SEQUENCE_ERROR);
    assertThat(rig.b.status.state()).isEqualTo(QpState.RTS);
    rig.inject(middle);
    assertInvalid(Rig.PSN_A);
  }

  @Test
  @Proves("S12.6.1")
  void anOpcodeOutOfOrderIsSeenBeforeAMissingReceive() {
    rig.inject(captureSend(8).withOpcode(Opcode.RC_SEND_LAST));
    assertInvalid(Rig.PSN_A);
  }

  @Test
  @Proves({"S12.6.1", "S1.6/07"})
  void aMissingQpRightIsSeenBeforeAMissingReceiveAndABadKey() {
    rig.b.parameters.accessFlags(Access.REMOTE_READ);
    rig.a.postWriteImm(1, from, 8, to, 1);
    rig.inject(capture().getFirst().edited(b -> PacketEdits.rkey(b, 1)));
    assertInvalid(Rig.PSN_A);
  }

  @Test
  @Proves("S12.6.1")
  void aMissingReceiveIsSeenBeforeAWrongLengthAndABadKey() {
    rig.a.postWriteImm(1, from, 8, to, 1);
    rig.inject(capture().getFirst().withLength(4).edited(b -> PacketEdits.rkey(b, 1)));
    assertThat(AethSyndrome.isRnr(answer().view().aethSyndrome())).isTrue();
    assertThat(rig.b.status.state()).isEqualTo(QpState.RTS);
  }

  @Test
  @Proves("S12.6.1")
  void aWrongLengthIsSeenBeforeABadKey() {
    rig.inject(captureWrite(8).withLength(4).edited(b -> PacketEdits.rkey(b, 1)));
    assertInvalid(Rig.PSN_A);
  }

  @Test
  @Proves("S12.6.2")
  void theHalfOfThePsnsAheadIsAGapAndTheHalfBehindARepetition() {
    Packet write = captureWrite(8);
    rig.inject(write.edited(b -> PacketEdits.psn(b, Rig.PSN_A + (1 << 23) - 1)));
    assertThat(answer().view().aethSyndrome()).isEqualTo(AethSyndrome.NAK_PSN_SEQUENCE_ERROR);
    assertThat(answer().psn()).isEqualTo(Rig.PSN_A);
    rig.inject(write.edited(b -> PacketEdits.psn(b, Rig.PSN_A + 5)));
    assertThat(rig.b.out.log).hasSize(1);
    rig.inject(write.edited(b -> PacketEdits.psn(b, Rig.PSN_A + (1 << 23))));
    assertThat(answer().view().aethSyndrome()).isEqualTo(AethSyndrome.ACK_UNLIMITED);
    assertThat(rig.b.count(Counter.DUPLICATE_REQUESTS)).isEqualTo(1);
    assertThat(to.bytes()).containsOnly(0);
  }

  @Test
  @Proves("S12.6.2")
  void afterTheExpectedPacketANewGapIsReportedAgain() {
    rig.a.postWrite(1, from, 6 * 256, to);
    List<Packet> packets = capture();
    rig.inject(packets.get(2));
    rig.inject(packets.get(0));
    rig.inject(packets.get(3));
    rig.inject(packets.get(4));
    assertThat(rig.b.count(Counter.SEQUENCE_NAKS_SENT)).isEqualTo(2);
    assertThat(answer().psn()).isEqualTo(Rig.PSN_A + 1);
    assertThat(rig.b.count(Counter.DROPPED_OUT_OF_ORDER)).isEqualTo(1);
  }

  @Test
  void aRepeatedSendIsAcknowledgedWithTheLastPsnAndNotExecuted() {
    rig.b.postRecv(1, to);
    rig.b.postRecv(2, to);
    Packet send = captureSend(8);
    rig.inject(send);
    rig.a.postWrite(2, from, 8, to);
    rig.inject(capture().getFirst());
    rig.inject(send);
    assertThat(answer().psn()).isEqualTo(Rig.PSN_A + 1);
    assertThat(answer().view().aethMsn()).isEqualTo(2);
    assertThat(rig.b.receiveResults()).containsExactly("1");
  }

  @Test
  void aRepeatedWriteIsNotExecuted() {
    Packet write = captureWrite(8);
    rig.inject(write);
    to.scribble(3);
    byte[] before = to.bytes();
    rig.inject(write);
    assertThat(to.bytes()).isEqualTo(before);
    assertThat(rig.b.out.log).hasSize(2);
  }

  @Test
  void aRepeatedAtomicIsAnsweredFromMemoryAndExecutedOnce() {
    to.setLong(0, 40);
    rig.a.postFetchAdd(1, from, to, 2);
    Packet add = capture().getFirst();
    rig.inject(add);
    rig.inject(add);
    rig.inject(add);
    assertThat(to.getLong(0)).isEqualTo(42);
    assertThat(rig.b.out.log)
        .hasSize(3)
        .allMatch(p -> p.is(Opcode.RC_ATOMIC_ACKNOWLEDGE))
        .allMatch(p -> p.view().atomicOriginal() == 40 && p.psn() == Rig.PSN_A);
  }

  @Test
  void anAtomicThatIsForgottenIsNeitherAnsweredNorExecuted() {
    rig.b.parameters.maxDestRdAtomic(2);
    rig.connect(p -> {}, Rig.PSN_A, Rig.PSN_B);
    for (int i = 0; i < 3; i++) {
      rig.a.postFetchAdd(i, from, to, 1);
    }
    List<Packet> adds = capture();
    adds.forEach(rig::inject);
    assertThat(rig.b.out.log).hasSize(3);
    rig.inject(adds.get(0));
    assertThat(rig.b.out.log).hasSize(3);
    rig.inject(adds.get(1));
    assertThat(rig.b.out.log).hasSize(4);
    assertThat(to.getLong(0)).isEqualTo(3);
  }

  @Test
  void aRepeatedReadMayAskForAPartButNotForMore() {
    rig.a.postRead(1, from, 1024, to.scribble(9));
    Packet read = capture().getFirst();
    rig.inject(read);
    assertThat(rig.b.out.log).hasSize(4);
    Packet tail =
        read.edited(
            b -> {
              PacketEdits.psn(b, Rig.PSN_A + 3);
              PacketEdits.va(b, to.addr() + 768);
              PacketEdits.length(b, 256);
            });
    rig.inject(tail);
    assertThat(rig.b.out.log).hasSize(5);
    assertThat(answer().opcode()).isEqualTo(Opcode.RC_READ_RESPONSE_ONLY);
    rig.inject(tail.edited(b -> PacketEdits.length(b, 512)));
    assertThat(rig.b.out.log).hasSize(5);
    assertThat(rig.b.status.state()).isEqualTo(QpState.RTS);
  }

  @Test
  @Proves("S12.6.5")
  void theMsnCountsCompletedMessages() {
    rig.b.postRecv(1, to);
    rig.a.postWrite(1, from, 512, to);
    rig.a.postRead(2, from, 1024, to);
    rig.a.postFetchAdd(3, from, to, 1);
    rig.a.postSend(4, from, 700);
    rig.pump();
    List<Packet> requests = List.copyOf(rig.a.out.flight);
    rig.a.out.flight.clear();
    requests.subList(0, 5).forEach(rig::inject);
    assertThat(rig.b.out.log.stream().filter(p -> Opcode.hasAeth(p.opcode())))
        .extracting(p -> Opcode.name(p.opcode()) + " " + p.view().aethMsn())
        .containsExactly(
            "RC_ACKNOWLEDGE 0",
            "RC_ACKNOWLEDGE 1",
            "RC_READ_RESPONSE_FIRST 2",
            "RC_READ_RESPONSE_LAST 2",
            "RC_ATOMIC_ACKNOWLEDGE 3");
    requests.subList(5, 7).forEach(rig::inject);
    assertThat(answer().view().aethMsn()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Opcode.RC_SEND_MIDDLE,
        Opcode.RC_SEND_LAST,
        Opcode.RC_SEND_LAST_IMM,
        Opcode.RC_WRITE_MIDDLE,
        Opcode.RC_WRITE_LAST,
        Opcode.RC_WRITE_LAST_IMM
      })
  @Proves({"S12.6.6", "S1.6/10"})
  void aContinuationWithoutBeginningIsRefused(int opcode) {
    rig.b.postRecv(1, to);
    rig.a.postSendImm(1, from, 256, 0);
    rig.inject(capture().getFirst().withOpcode(opcode));
    assertInvalid(Rig.PSN_A);
    assertThat(rig.b.receiveResults()).containsExactly("1 WR_FLUSH_ERR");
    assertThat(rig.b.events).contains(EventType.QP_REQ_ERR);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Opcode.RC_SEND_FIRST,
        Opcode.RC_SEND_ONLY,
        Opcode.RC_WRITE_MIDDLE,
        Opcode.RC_WRITE_LAST,
        Opcode.RC_WRITE_FIRST,
        Opcode.RC_WRITE_ONLY,
      })
  @Proves({"S12.6.6", "S1.6/10"})
  void insideASendOnlyItsContinuationIsAccepted(int opcode) {
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 1024);
    List<Packet> packets = capture();
    rig.inject(packets.get(0));
    rig.inject(packets.get(1).withOpcode(opcode));
    assertInvalid(Rig.PSN_A + 1);
  }

  @Test
  @Proves({"S12.6.6", "S1.6/10"})
  void aReadOrAtomicInsideAMessageIsRefused() {
    rig.a.postWrite(1, from, 1024, to);
    rig.inject(capture().getFirst());
    Rig other = Rig.packets();
    other.a.postFetchAdd(1, other.a.memory(8), to, 1);
    other.pump();
    Packet add = other.a.out.log.getFirst().edited(b -> PacketEdits.psn(b, Rig.PSN_A + 1));
    rig.inject(add);
    assertInvalid(Rig.PSN_A + 1);
    assertThat(to.getLong(0)).isEqualTo(from.getLong(0));
  }

  @Test
  @Proves("S12.6.7")
  void anOnlyBeyondTheMtuIsRefused() {
    rig.b.postRecv(1, to);
    rig.inject(captureSend(256).withLength(257));
    assertInvalid(Rig.PSN_A);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 252, 260})
  @Proves("S12.6.7")
  void aFirstOrMiddleThatIsNotFullIsRefused(int length) {
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 1024);
    List<Packet> packets = capture();
    Rig second = Rig.packets();
    second.b.postRecv(1, second.b.memory(4096));
    rig.inject(packets.get(0).withLength(length));
    assertInvalid(Rig.PSN_A);
    second.inject(packets.get(0));
    second.inject(packets.get(1).withLength(length));
    assertThat(second.b.out.log.getLast().view().aethSyndrome())
        .isEqualTo(AethSyndrome.NAK_INVALID_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 257})
  @Proves("S12.6.7")
  void aLastThatIsEmptyOrOverFullIsRefused(int length) {
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 512);
    List<Packet> packets = capture();
    rig.inject(packets.get(0));
    rig.inject(packets.get(1).withLength(length));
    assertInvalid(Rig.PSN_A + 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 499, 501})
  @Proves("S12.6.7")
  void aWriteThatEndsElsewhereThanAnnouncedIsRefused(int announced) {
    rig.a.postWrite(1, from, 500, to);
    List<Packet> packets = capture();
    rig.inject(packets.get(0).edited(b -> PacketEdits.length(b, announced)));
    if (announced > 256) {
      rig.inject(packets.get(1));
    }
    assertThat(answer().view().aethSyndrome()).isEqualTo(AethSyndrome.NAK_INVALID_REQUEST);
    assertThat(rig.b.status.state()).isEqualTo(QpState.ERR);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x80000001, 0xffffffff})
  @Proves("S12.6.7")
  void aLengthBeyondTwoToThe31IsRefused(int length) {
    rig.a.postRead(1, from, 8, to);
    Packet read = capture().getFirst().edited(b -> PacketEdits.length(b, length));
    rig.inject(read);
    assertInvalid(Rig.PSN_A);
    Rig other = Rig.packets();
    rig.a.postWrite(2, from, 1024, to);
    Packet write = capture().getFirst();
    other.inject(
        write.edited(
            b -> {
              PacketEdits.psn(b, Rig.PSN_A);
              PacketEdits.length(b, length);
            }));
    assertThat(other.b.out.log.getLast().view().aethSyndrome())
        .isEqualTo(AethSyndrome.NAK_INVALID_REQUEST);
  }

  @Test
  @Proves("S12.6.9")
  void onlyPacketsThatAskForItAreAcknowledged() {
    rig.a.postWrite(1, from, 20 * 100, to);
    for (Packet packet : capture()) {
      int before = rig.b.out.log.size();
      rig.inject(packet);
      assertThat(rig.b.out.log.size() - before).isEqualTo(packet.view().ackRequest() ? 1 : 0);
    }
  }

  @Test
  @Proves("S12.6.9")
  void theReceiveIsCompleteBeforeItsAckIsSent() {
    rig.b.postRecv(1, to);
    rig.b.out.takes(0);
    rig.inject(captureSend(8));
    assertThat(rig.b.out.log).isEmpty();
    assertThat(rig.b.receiveResults()).containsExactly("1");
    assertThat(to.bytes(0, 8)).isEqualTo(from.bytes(0, 8));
  }

  @Test
  @Proves("S12.6.9")
  void acksThatWaitAreMergedIntoTheLatest() {
    rig.b.out.takes(0);
    for (int i = 0; i < 20; i++) {
      rig.a.postWrite(i, from, 8, to);
    }
    rig.deliverAll();
    rig.b.out.takes(100);
    rig.deliverAll();
    assertThat(rig.b.out.log).hasSize(1);
    assertThat(answer().psn()).isEqualTo(Rig.PSN_A + 19);
    assertThat(rig.a.sendResults()).hasSize(20);
  }

  @Test
  @Proves({"S12.6.11", "S1.6/10"})
  void withoutResourcesReadsAndAtomicsAreRefused() {
    rig.connect(p -> p.maxDestRdAtomic(0), Rig.PSN_A, Rig.PSN_B);
    rig.a.postRead(1, from, 8, to);
    rig.inject(capture().getFirst());
    assertInvalid(Rig.PSN_A);
    Rig other = Rig.packets(p -> p.maxDestRdAtomic(0));
    other.a.postFetchAdd(1, other.a.memory(8), other.b.memory(8), 1);
    other.deliverAll();
    assertThat(other.a.sendResults()).containsExactly("1 REM_INV_REQ_ERR");
  }

  @Test
  @Proves({"S12.6.11", "S1.6/10"})
  void manyMoreReadsThanResourcesAreRefused() {
    rig.a.parameters.maxRdAtomic(100);
    rig.b.out.takes(0);
    for (int i = 0; i < 20; i++) {
      rig.a.postRead(i, from, 8, to);
    }
    rig.deliverAll();
    rig.b.out.takes(100);
    rig.deliverAll();
    assertThat(rig.b.status.state()).isEqualTo(QpState.ERR);
    assertThat(rig.a.sendResults()).contains("8 REM_INV_REQ_ERR", "9 WR_FLUSH_ERR");
  }

  @Test
  @Proves("S12.6.13")
  void acksGoToThePeerAndAskForNothing() {
    rig.b.parameters.pkey(0x8055);
    rig.a.parameters.pkey(0x8055);
    rig.inject(captureWrite(8));
    assertThat(answer().view().destQpn()).isEqualTo(0x11);
    assertThat(answer().view().pkey()).isEqualTo(0x8055);
    assertThat(answer().view().ackRequest()).isFalse();
    assertThat(answer().view().solicited()).isFalse();
    assertThat(answer().psn()).isEqualTo(Rig.PSN_A);
  }

  @Test
  @Proves("S1.6/06")
  void aKeyThatNoRegionHasIsARemoteAccessError() {
    rig.b.postRecv(1, to);
    rig.inject(captureWrite(8).edited(b -> PacketEdits.rkey(b, to.rkey() ^ 1)));
    assertRefused(AethSyndrome.NAK_REMOTE_ACCESS_ERROR, Rig.PSN_A);
    assertThat(rig.b.events).containsExactly(EventType.QP_ACCESS_ERR);
    assertThat(rig.b.receiveResults()).containsExactly("1 WR_FLUSH_ERR");
    assertThat(rig.b.count(Counter.ACCESS_ERRORS)).isEqualTo(1);
  }

  @Test
  @Proves({"S1.6/06", "S5.2.4"})
  void theLocalKeyGivesNoRemoteAccess() {
    assertThat(to.lkey()).isNotEqualTo(to.rkey());
    rig.inject(captureWrite(8).edited(b -> PacketEdits.rkey(b, to.lkey())));
    assertRefused(AethSyndrome.NAK_REMOTE_ACCESS_ERROR, Rig.PSN_A);
    assertThat(to.bytes()).containsOnly(0);
  }

  @Test
  @Proves("S1.6/06")
  void aRegionOfAnotherDomainIsARemoteAccessError() {
    Region region = to.region();
    rig.b.keys.replace(
        region,
        new Region(
            region.lkey(),
            region.rkey(),
            new Domain(),
            region.access(),
            region.base(),
            region.memory()));
    rig.inject(captureWrite(8));
    assertRefused(AethSyndrome.NAK_REMOTE_ACCESS_ERROR, Rig.PSN_A);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 4096 - 1999, 1L << 62, Long.MIN_VALUE, -4096})
  @Proves("S1.6/06")
  void ofAWriteThatLeavesTheRegionNothingIsWritten(long offset) {
    rig.a.postWrite(1, from, 2000, to);
    rig.inject(capture().getFirst().edited(b -> PacketEdits.va(b, to.addr() + offset)));
    assertRefused(AethSyndrome.NAK_REMOTE_ACCESS_ERROR, Rig.PSN_A);
    assertThat(to.bytes()).containsOnly(0);
  }

  @Test
  @Proves("S1.6/06")
  void aRegionWithoutTheRightIsARemoteAccessError() {
    Block weak = rig.b.memory(64, Access.LOCAL_WRITE | Access.REMOTE_READ, Arena.ofAuto());
    rig.a.postWrite(1, from, 8, weak);
    rig.a.postWrite(2, from, 8, weak);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 REM_ACCESS_ERR", "2 WR_FLUSH_ERR");
    assertThat(weak.bytes()).containsOnly(0);
  }

  @Test
  @Proves("S1.7.1")
  void ofAnEmptyWriteOrReadKeyAndAddressAreNotChecked() {
    rig.a.postRead(1, from, 0, new Block(from.region()));
    rig.a.postWrite(2, from, 0, new Block(from.region()));
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
  }

  @Test
  @Proves("S1.7.1")
  void anEmptySendConsumesAReceiveWithoutElements() {
    rig.b.postRecv(4, wqe -> {});
    rig.a.postSend(1, from, 0);
    rig.deliverAll();
    WorkCompletion completion = rig.b.pollReceives().getFirst();
    assertThat(completion.isSuccess()).isTrue();
    assertThat(completion.byteLen()).isZero();
  }

  @Test
  @Proves("S1.7.2")
  void aWriteWithImmediateNeverTouchesTheReceivesElements() {
    rig.b.postRecv(4, wqe -> wqe.data().add(12345, 0, 8));
    rig.b.postRecv(5, wqe -> {});
    rig.a.postWriteImm(1, from, 1000, to, 0x01020304);
    rig.a.postWriteImm(2, from, 0, to, 7);
    rig.deliverAll();
    List<WorkCompletion> completions = rig.b.pollReceives();
    assertThat(completions.get(0).opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
    assertThat(completions.get(0).wcFlags()).isEqualTo(WcFlags.WITH_IMM);
    assertThat(completions.get(0).immData()).isEqualTo(0x01020304);
    assertThat(completions.get(0).byteLen()).isEqualTo(1000);
    assertThat(completions.get(1).byteLen()).isZero();
    assertThat(completions.get(1).wrId()).isEqualTo(5);
  }

  @Test
  @Proves({"S3.2.3", "S1.6/08"})
  void aMessageLongerThanTheReceiveFailsBothSidesAndOverrunsNothing() {
    rig.b.postRecv(1, to, 300);
    rig.b.postRecv(2, to);
    rig.a.postSend(1, from, 600);
    rig.deliverAll();
    assertThat(rig.b.receiveResults()).containsExactly("1 LOC_LEN_ERR", "2 WR_FLUSH_ERR");
    assertThat(rig.a.sendResults()).containsExactly("1 REM_INV_REQ_ERR");
    assertThat(to.bytes(300, 3796)).containsOnly(0);
    assertThat(rig.a.status.state()).isEqualTo(QpState.ERR);
    assertThat(rig.b.status.state()).isEqualTo(QpState.ERR);
  }

  @Test
  @Proves("S1.6/09")
  void aReceiveWhoseMemoryMayNotBeWrittenFailsBothSides() {
    Block readOnly = rig.b.memory(64, Access.REMOTE_READ, Arena.ofAuto());
    rig.b.postRecv(1, readOnly);
    rig.a.postSend(1, from, 8);
    rig.deliverAll();
    assertThat(rig.b.receiveResults()).containsExactly("1 LOC_PROT_ERR");
    assertThat(rig.a.sendResults()).containsExactly("1 REM_OP_ERR");
    assertThat(readOnly.bytes()).containsOnly(0);
  }

  @Test
  @Proves("S1.6/10")
  void aMisalignedAtomicIsInvalidOnlyIfEverythingElseIsRight() {
    rig.a.postFetchAdd(1, from, to, 1);
    Packet add = capture().getFirst().edited(b -> PacketEdits.va(b, to.addr() + 4));
    rig.inject(add);
    assertInvalid(Rig.PSN_A);
    Rig other = Rig.packets();
    other.inject(add);
    assertThat(other.b.out.log.getLast().view().aethSyndrome())
        .isEqualTo(AethSyndrome.NAK_REMOTE_ACCESS_ERROR);
    assertThat(to.bytes()).containsOnly(0);
  }

  @Test
  @Proves("S1.6/07")
  void eachOperationNeedsItsRightOfTheQueuePair() {
    int[] rights = {Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC};
    for (int i = 0; i < rights.length; i++) {
      int lacking = Endpoint.RIGHTS & ~rights[i];
      Rig poor = Rig.packets(p -> p.accessFlags(lacking));
      Block local = poor.a.memory(8);
      Block remote = poor.b.memory(8);
      switch (i) {
        case 0 -> poor.a.postWrite(1, local, 8, remote);
        case 1 -> poor.a.postRead(1, local, 8, remote);
        default -> poor.a.postFetchAdd(1, local, remote, 1);
      }
      poor.deliverAll();
      assertThat(poor.a.sendResults()).containsExactly("1 REM_INV_REQ_ERR");
    }
  }

  @Test
  @Proves("S5.4.1")
  void atomicsWorkInTheOrderOfTheHost() {
    to.setLong(0, 0x1122334455667788L);
    to.setLong(8, Long.MAX_VALUE);
    rig.a.postCompareSwap(1, from, to, 0x1122334455667788L, 99);
    rig.a.postCompareSwap(2, new Block(rig.a.memory(8).region()), to, 1, 2);
    rig.a.post(
        3,
        WrOpcode.ATOMIC_FETCH_AND_ADD,
        0,
        w -> {
          w.data().add(from.lkey(), from.addr() + 8, 8);
          w.remote(to.addr() + 8, to.rkey());
          w.operands(1, 0);
        });
    rig.deliverAll();
    assertThat(from.getLong(0)).isEqualTo(0x1122334455667788L);
    assertThat(to.getLong(0)).isEqualTo(99);
    assertThat(from.getLong(8)).isEqualTo(Long.MAX_VALUE);
    assertThat(to.getLong(8)).isEqualTo(Long.MIN_VALUE);
    assertThat(rig.a.pollSends())
        .extracting(WorkCompletion::opcode, WorkCompletion::byteLen, WorkCompletion::status)
        .containsOnly(tuple(WcOpcode.COMP_SWAP, 8L, WcStatus.SUCCESS));
  }

  @Test
  void theFirstPacketInReadyToReceiveEstablishesTheConnectionOnce() {
    rig.b.status.state(QpState.RTR);
    rig.a.postWrite(1, from, 8, to);
    rig.a.postWrite(2, from, 8, to);
    rig.deliverAll();
    assertThat(rig.b.events).containsExactly(EventType.COMM_EST);
  }

  @Test
  void aReadWhoseRegionEndsBeforeTheAnswerIsSentIsARemoteAccessError() {
    rig.b.out.takes(0);
    rig.a.postRead(1, from, 1024, to.scribble(1));
    rig.deliverAll();
    rig.b.out.takes(2);
    rig.pump();
    rig.b.keys.remove(to.region());
    rig.b.out.takes(10);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 REM_ACCESS_ERR");
    assertThat(rig.b.status.state()).isEqualTo(QpState.ERR);
    assertThat(rig.b.outbox.isEmpty()).isTrue();
  }

  @Test
  void afterANakTheResponderIsDeaf() {
    rig.a.postWrite(1, from, 8, to);
    rig.a.postWrite(2, from, 8, to);
    List<Packet> packets = capture();
    rig.inject(packets.get(0).edited(b -> PacketEdits.rkey(b, 0)));
    rig.inject(packets.get(0));
    rig.inject(packets.get(1));
    assertThat(rig.b.out.log).hasSize(1);
    assertThat(rig.b.count(Counter.DROPPED_QP_STATE)).isEqualTo(2);
    assertThat(to.bytes()).containsOnly(0);
  }
}
