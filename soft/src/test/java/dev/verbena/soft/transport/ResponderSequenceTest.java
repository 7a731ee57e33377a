package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Opcode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are out of sequence, or whose length is wrong. */
final class ResponderSequenceTest extends ResponderFixture {
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
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
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
}
