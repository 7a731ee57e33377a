package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Opcode;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How the responder acknowledges repeated SENDs and WRITEs. Linux takes an ACK with the last PSN of
 * a READ or an atomic for the answer, and stops after two ACKs of a message that it is
 * retransmitting.
 */
class RepeatedRequestTest {
  private final Rig rig = Rig.packets();
  private final Block from = rig.a.memory(4096).scribble(1);
  private final Block to = rig.b.memory(4096);

  /** The packets of the requests that A has posted, after B has executed them. */
  private List<Packet> executed() {
    List<Packet> packets = captured();
    packets.forEach(rig::inject);
    return packets;
  }

  private List<Packet> captured() {
    rig.pump();
    List<Packet> packets = List.copyOf(rig.a.out.flight);
    rig.a.out.flight.clear();
    return packets;
  }

  private Packet answer() {
    return rig.b.out.log.getLast();
  }

  private void assertAcknowledged(int psn) {
    assertThat(answer().opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
    assertThat(answer().psn()).isEqualTo(psn);
  }

  @Test
  @Proves("S12.6.3")
  void anAcknowledgementDoesNotReachAnAtomicWhoseAnswerMayBeLost() {
    rig.a.postWrite(1, from, 8, to);
    rig.a.postFetchAdd(2, from, to, 1);
    List<Packet> requests = executed();
    rig.inject(requests.getFirst());
    assertAcknowledged(Rig.PSN_A);
  }

  @Test
  @Proves("S12.6.3")
  void anAcknowledgementDoesNotReachAReadWhoseAnswerMayBeLost() {
    rig.a.postWrite(1, from, 8, to);
    rig.a.postWrite(2, from, 8, to);
    rig.a.postRead(3, from, 1024, to);
    rig.a.postWrite(4, from, 8, to);
    rig.a.postWrite(5, from, 8, to);
    List<Packet> requests = executed();
    rig.inject(requests.get(0));
    assertAcknowledged(Rig.PSN_A + 1);
    rig.inject(requests.get(3));
    assertAcknowledged(Rig.PSN_A + 7);
  }

  @Test
  @Proves("S12.6.3")
  void aRepeatedReadWhoseMemoryEndsWhileItIsAnsweredEndsNoConnection() {
    rig.a.postRead(1, from, 1024, to);
    List<Packet> requests = executed();
    int answers = rig.b.out.log.size();
    rig.b.out.takes(1);
    rig.inject(requests.getFirst());
    assertThat(rig.b.out.log).hasSize(answers + 1);
    rig.b.keys.remove(to.region());
    rig.b.out.takes(10);
    rig.pump();
    assertThat(rig.b.out.log).as("the rest is not sent, and no NAK").hasSize(answers + 1);
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
  }

  @Test
  void onlyAPacketThatAsksIsAcknowledgedAgain() {
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 1024);
    List<Packet> packets = executed();
    int answers = rig.b.out.log.size();
    for (Packet packet : packets) {
      rig.inject(packet);
      answers += packet.view().ackRequest ? 1 : 0;
      assertThat(rig.b.out.log).hasSize(answers);
    }
    assertThat(packets.getLast().view().ackRequest).isTrue();
    assertThat(packets).anyMatch(packet -> !packet.view().ackRequest);
    assertAcknowledged(Rig.PSN_A + 3);
  }

  @Test
  void anAcknowledgementThatWaitsIsNotReplacedByALesserOne() {
    rig.a.postWrite(1, from, 8, to);
    rig.a.postFetchAdd(2, from, to, 1);
    rig.a.postWrite(3, from, 8, to);
    List<Packet> requests = captured();
    requests.forEach(packet -> rig.b.arrive(packet, rig.a.gid));
    rig.b.arrive(requests.getFirst(), rig.a.gid);
    rig.pump();
    assertAcknowledged(Rig.PSN_A + 2);
  }
}
