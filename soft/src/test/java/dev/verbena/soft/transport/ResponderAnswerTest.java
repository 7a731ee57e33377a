package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Opcode;
import org.junit.jupiter.api.Test;

/** What the responder answers, and when. */
final class ResponderAnswerTest extends ResponderFixture {
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
    assertThat(answer().view().destQpn()).isEqualTo(0x11);
    assertThat(answer().view().pkey()).isEqualTo(0x8055);
    assertThat(answer().view().ackRequest()).isFalse();
    assertThat(answer().view().solicited()).isFalse();
    assertThat(answer().psn()).isEqualTo(Rig.PSN_A);
  }

  /** A request that A has never sent, far ahead of those that it has. */
  private Packet stray() {
    return rig.a.out.log.getFirst().edited(bytes -> PacketEdits.psn(bytes, Rig.PSN_A + 1000));
  }
}
