package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the responder answers, and when. */
final class ResponderAnswerTest extends ResponderFixture {
  @Test
  @Proves("S12.6.9")
  void onlyPacketsThatAskForItAreAcknowledged() {
    rig.a.postWrite(1, from, 20 * 100, to);
    for (Packet packet : capture()) {
      int before = rig.b.out.log.size();
      rig.inject(packet);
      assertThat(rig.b.out.log.size() - before).isEqualTo(packet.view().ackRequest ? 1 : 0);
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
  @Proves("S12.6.9")
  void anAckThatWaitsIsNotLostToTheNakForAStrayPacket() {
    rig.b.out.takes(0);
    rig.a.postWrite(1, from, 8, to);
    rig.deliverAll();
    rig.inject(stray());
    rig.b.out.takes(100);
    rig.deliverAll();
    assertThat(rig.b.count(Counter.SEQUENCE_NAKS_SENT)).isEqualTo(1);
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  @Proves("S12.6.9")
  void whileTheLinkIsSlowStrayPacketsCostNeitherAnAckNorTheAnswerToARead() {
    rig.connect(
        p -> {
          p.maxRdAtomic(1);
          p.maxDestRdAtomic(1);
        },
        Rig.PSN_A,
        Rig.PSN_B);
    rig.b.out.takes(0);
    for (int i = 0; i < 20; i++) {
      rig.a.postWrite(i, from, 8, to);
      rig.deliverAll();
      rig.inject(stray());
    }
    rig.a.postRead(20, from, 8, to);
    rig.deliverAll();
    rig.b.out.takes(100);
    rig.deliverAll();
    assertThat(rig.b.count(Counter.SEQUENCE_NAKS_SENT)).isEqualTo(20);
    assertThat(rig.a.sendResults()).hasSize(21).noneMatch(result -> result.contains("ERR"));
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
    assertThat(rig.a.count(Counter.RETRANSMITTED)).as("the READ, as the last NAK asks").isOne();
  }

  @Test
  @Proves("S12.6.9")
  void theAckOfARepeatedRequestIsNotLostToTheNakForAStrayPacket() {
    rig.b.out.loseOnce(packet -> packet.is(Opcode.RC_ACKNOWLEDGE));
    rig.a.postWrite(1, from, 8, to);
    rig.deliverAll();
    rig.b.out.takes(0);
    rig.inject(stray());
    rig.advanceToDeadline();
    rig.deliverAll();
    rig.b.out.takes(100);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.a.count(Counter.TIMEOUTS)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Proves({"S12.6.11", "S1.6/10"})
  void withoutResourcesReadsAndAtomicsAreRefused(boolean loopback) {
    for (boolean atomic : new boolean[] {false, true}) {
      Rig other =
          loopback
              ? Rig.loopback(p -> p.maxDestRdAtomic(0))
              : Rig.packets(p -> p.maxDestRdAtomic(0));
      Block target = other.b.memory(8);
      if (atomic) {
        other.a.postFetchAdd(1, other.a.memory(8), target, 1);
      } else {
        other.a.postRead(1, other.a.memory(8), 8, target);
      }
      other.deliverAll();
      assertThat(other.a.sendResults()).containsExactly("1 REM_INV_REQ_ERR");
      assertThat(other.b.status.state).isEqualTo(QpState.ERR);
      assertThat(target.getLong(0)).isZero();
    }
  }

  @Test
  @Proves({"S4.3/SQD-SQD", "S12.6.3"})
  void asManyAtomicsAsAModifyAllowsAreRemembered() {
    rig.connect(p -> p.maxDestRdAtomic(1), Rig.PSN_A, Rig.PSN_B);
    rig.b.parameters.maxDestRdAtomic(16);
    rig.a.parameters.maxRdAtomic(16);
    for (int i = 0; i < 16; i++) {
      rig.a.postFetchAdd(i, from, to, 1);
    }
    List<Packet> adds = capture();
    adds.forEach(rig::inject);
    assertThat(rig.b.out.log).hasSize(16);
    adds.forEach(rig::inject);
    assertThat(rig.b.out.log).hasSize(32);
    for (int i = 0; i < 16; i++) {
      assertThat(rig.b.out.log.get(16 + i).view().atomicOriginal())
          .isEqualTo(rig.b.out.log.get(i).view().atomicOriginal());
    }
  }

  @Test
  void whoHasEndedAnswersAgainWhatNeedsNoMemoryAndNothingElse() {
    to.setLong(0, 40);
    rig.b.postRecv(1, to, 2048);
    assertThat(rig.b.responder.isEstablished()).isFalse();
    rig.a.postFetchAdd(1, from, to, 2);
    rig.a.postRead(2, from, 8, to);
    rig.a.postAtomicWrite(3, to, 7);
    rig.a.postWrite(4, from, 8, to);
    rig.a.postSend(5, from, 1000);
    List<Packet> packets = capture();
    for (Packet packet : packets.subList(0, 5)) {
      rig.inject(packet);
    }
    assertThat(rig.b.responder.isEstablished()).isTrue();
    byte[] before = to.bytes();
    int answered = rig.b.out.log.size();

    rig.b.responder.retire();

    rig.inject(packets.get(0));
    assertThat(answer().view().atomicOriginal()).isEqualTo(40);
    rig.inject(packets.get(1));
    assertThat(rig.b.out.log).as("a READ needs memory").hasSize(answered + 1);
    rig.inject(packets.get(2));
    rig.inject(packets.get(3));
    assertThat(rig.b.out.log).hasSize(answered + 3);
    for (Packet packet : packets.subList(5, packets.size())) {
      rig.inject(packet);
    }
    assertThat(rig.b.out.log).hasSize(answered + 3);
    assertThat(rig.b.count(Counter.DROPPED_QP_STATE)).isEqualTo(packets.size() - 5);
    assertThat(rig.b.receiveResults()).isEmpty();
    assertThat(to.bytes()).isEqualTo(before);
  }

  @Test
  void aFrameIsTakenInAStateThatReceivesOnly() {
    Rig frames = Rig.of(Service.RAW, false);
    Chunk frame = new Chunk();
    frame.begin(Operation.SEND, true, true, 0, 1);
    frame.payload.add(from.memory(), 0, 60);
    frames.b.postRecv(1, frames.b.memory(64));
    frames.b.status.state(QpState.INIT);
    frames.b.responder.receive(frame);
    assertThat(frames.b.count(Counter.DROPPED_QP_STATE)).isEqualTo(1);
    assertThat(frames.b.receiveResults()).isEmpty();
    frames.b.status.state(QpState.RTR);
    frames.b.responder.receive(frame);
    assertThat(frames.b.receiveResults()).containsExactly("1");
    assertThat(frames.b.count(Counter.DROPPED_QP_STATE)).isEqualTo(1);
    frames.b.responder.receive(frame);
    assertThat(frames.b.status.state).as("without a receive it is dropped").isEqualTo(QpState.RTR);
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
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.a.sendResults()).contains("8 REM_INV_REQ_ERR", "9 WR_FLUSH_ERR");
  }

  @Test
  @Proves({"S4.3/SQD-SQD", "S12.6.11"})
  void asManyReadsAsAModifyAllowsWaitForTheLinkAndNoneIsLost() {
    rig.connect(p -> p.maxDestRdAtomic(1), Rig.PSN_A, Rig.PSN_B);
    rig.b.parameters.maxDestRdAtomic(16);
    rig.a.parameters.maxRdAtomic(16);
    rig.b.out.takes(0);
    for (int i = 0; i < 16; i++) {
      rig.a.postRead(i, from, 8, to);
    }
    rig.deliverAll();
    rig.b.out.takes(100);
    rig.deliverAll();
    assertThat(rig.b.out.log).hasSize(16);
    assertThat(rig.a.sendResults()).hasSize(16).last().isEqualTo("15");
  }

  @Test
  @Proves("S12.6.13")
  void acksGoToThePeerAndAskForNothing() {
    rig.b.parameters.pkey(0x8055);
    rig.a.parameters.pkey(0x8055);
    rig.inject(captureWrite(8));
    assertThat(answer().view().destQpn).isEqualTo(0x11);
    assertThat(answer().view().pkey).isEqualTo(0x8055);
    assertThat(answer().view().ackRequest).isFalse();
    assertThat(answer().view().solicited).isFalse();
    assertThat(answer().psn()).isEqualTo(Rig.PSN_A);
  }

  /** A request that A has never sent, far ahead of those that it has sent. */
  private Packet stray() {
    return rig.a.out.log.getFirst().edited(bytes -> PacketEdits.psn(bytes, Rig.PSN_A + 1000));
  }
}
