package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Address;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Opcode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of the responder's checks, and when it is silent. */
final class ResponderOrderTest extends ResponderFixture {
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
    rig.b.arrive(send, new Address(77, 77));
    rig.pump();
    assertThat(rig.b.count(Counter.DROPPED_SOURCE)).isEqualTo(1);
    assertThat(rig.b.count(Counter.DROPPED_PKEY)).isZero();
    assertThat(rig.b.out.log).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"RC, 77, 1", "RC, 1, 77", "RC, 0, 1", "UC, 77, 1", "UC, 1, 77", "XRC, 77, 1"})
  @Proves("S12.6.1")
  void bothHalvesOfTheSourceAreLookedAt(Service service, long hi, long lo) {
    Rig other = Rig.of(service, false);
    Block memory = other.b.memory(64);
    other.b.postRecv(1, memory);
    other.a.postSend(1, other.a.memory(64).scribble(1), 8);
    other.pump();
    Packet send = other.a.out.flight.removeFirst();
    other.b.arrive(send, new Address(hi, lo));
    other.pump();
    assertThat(other.b.count(Counter.DROPPED_SOURCE)).isEqualTo(1);
    assertThat(other.b.out.log).isEmpty();
    assertThat(other.b.receiveResults()).isEmpty();
    other.b.arrive(send, other.a.gid);
    assertThat(other.b.count(Counter.DROPPED_SOURCE)).isEqualTo(1);
    if (service != Service.XRC) {
      assertThat(other.b.receiveResults()).containsExactly("1");
    }
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
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
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
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
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
    assertThat(AethSyndrome.isAck(answer().view().aethSyndrome())).isTrue();
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

  @ParameterizedTest
  @ValueSource(ints = {1 << 10, 1 << 16, (1 << 23) - 8})
  @Proves("S12.6.2")
  void guessesGetFewNaksAndHideNoGap(int ahead) {
    rig.a.postWrite(1, from, 6 * 256, to);
    List<Packet> packets = capture();
    Packet guess = packets.get(0).edited(b -> PacketEdits.psn(b, Rig.PSN_A + ahead + 2));
    rig.inject(guess);
    rig.inject(packets.get(0));
    rig.inject(guess);
    rig.inject(guess);
    assertThat(rig.b.count(Counter.SEQUENCE_NAKS_SENT)).isEqualTo(1);
    assertThat(rig.b.count(Counter.DROPPED_OUT_OF_ORDER)).isEqualTo(2);
    int told = ahead < 1 << 16 ? 0 : 3;
    assertThat(rig.b.count(Counter.UNLIKELY_PSNS)).isEqualTo(told);
    assertThat(rig.b.refusals).hasSize(told).allMatch(text -> text.endsWith(": a guess?"));
    rig.inject(packets.get(2));
    assertThat(rig.b.count(Counter.SEQUENCE_NAKS_SENT)).isEqualTo(2);
    assertThat(answer().psn()).isEqualTo(Rig.PSN_A + 1);
  }

  @Test
  @Proves("S12.6.2")
  void aPacketThatMayBeInFlightIsNoGuess() {
    Packet write = captureWrite(8);
    rig.inject(write.edited(b -> PacketEdits.psn(b, Rig.PSN_A + 1_025)));
    rig.inject(write);
    rig.inject(write.edited(b -> PacketEdits.psn(b, Rig.PSN_A + 1 + 1_025)));
    assertThat(rig.b.count(Counter.SEQUENCE_NAKS_SENT)).isEqualTo(1);
    rig.inject(write.edited(b -> PacketEdits.psn(b, Rig.PSN_A + 1 + 1_024)));
    assertThat(rig.b.count(Counter.SEQUENCE_NAKS_SENT)).isEqualTo(2);
  }

  @Test
  @Proves("S12.6.2")
  void afterAThousandPacketsAGuessIsAnsweredAgain() {
    Packet write = captureWrite(8);
    Packet guess = write.edited(b -> PacketEdits.psn(b, Rig.PSN_A + (1 << 20)));
    rig.inject(guess);
    for (int i = 0; i < 1_023; i++) {
      int psn = Rig.PSN_A + i;
      rig.inject(write.edited(b -> PacketEdits.psn(b, psn)));
    }
    rig.inject(guess);
    assertThat(rig.b.count(Counter.SEQUENCE_NAKS_SENT)).isEqualTo(1);
    rig.inject(write.edited(b -> PacketEdits.psn(b, Rig.PSN_A + 1_023)));
    rig.inject(guess);
    assertThat(rig.b.count(Counter.SEQUENCE_NAKS_SENT)).isEqualTo(2);
  }

  @Test
  @Proves("S12.6.2")
  void aGuessIsAnsweredAlsoWhenHalfOfAllPsnsHavePassedSinceTheLastOne() {
    Packet write = captureWrite(8);
    rig.inject(write.edited(b -> PacketEdits.psn(b, Rig.PSN_A + (1 << 20))));
    SpanList data = new SpanList();
    data.add(MemorySegment.ofArray(new byte[8]), 0, 8);
    int count = 1 << 22;
    for (int psn = Rig.PSN_A; psn < Rig.PSN_A + 3 * count; psn += count) {
      assertThat(rig.b.responder.writeWhole(psn, count, to.rkey(), to.addr(), data)).isTrue();
    }
    rig.inject(write.edited(b -> PacketEdits.psn(b, Rig.PSN_A + 3 * count + (1 << 20))));
    assertThat(rig.b.count(Counter.SEQUENCE_NAKS_SENT)).isEqualTo(2);
  }

  @Test
  @Proves("S12.6.2")
  void aRepetitionFarBehindIsAnsweredAndCounted() {
    Packet write = captureWrite(8);
    rig.inject(write.edited(b -> PacketEdits.psn(b, Rig.PSN_A - (1 << 16))));
    assertThat(rig.b.count(Counter.UNLIKELY_PSNS)).isZero();
    rig.inject(write.edited(b -> PacketEdits.psn(b, Rig.PSN_A - (1 << 16) - 1)));
    assertThat(rig.b.count(Counter.UNLIKELY_PSNS)).isEqualTo(1);
    assertThat(rig.b.out.log).hasSize(2);
  }
}
