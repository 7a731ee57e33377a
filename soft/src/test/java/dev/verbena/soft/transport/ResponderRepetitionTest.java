package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the responder handles repeated requests. */
final class ResponderRepetitionTest extends ResponderFixture {
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
  @Proves("S4.5.3")
  void anAtomicFromBeforeAResetIsNeitherAnsweredNorExecuted() {
    to.setLong(0, 40);
    rig.a.postFetchAdd(1, from, to, 2);
    Packet add = capture().getFirst();
    rig.inject(add);
    assertThat(rig.b.out.log).hasSize(1);
    rig.a.reset();
    rig.b.reset();
    rig.connect(p -> {}, Rig.PSN_A + 5, Rig.PSN_B);
    rig.inject(add);
    assertThat(rig.b.count(Counter.DUPLICATE_REQUESTS)).isEqualTo(1);
    assertThat(rig.b.out.log).as("no answer from before").hasSize(1);
    assertThat(to.getLong(0)).isEqualTo(42);
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
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
  }

  @Test
  void aRepeatedReadOfMemoryThatHasEndedIsNotAnsweredAndNoReasonToEndTheConnection() {
    rig.a.postRead(1, from, 8, to);
    Packet read = capture().getFirst();
    rig.inject(read);
    rig.b.keys.remove(to.region());
    rig.inject(read);
    assertThat(rig.b.out.log).hasSize(1);
    assertThat(rig.b.count(Counter.DUPLICATE_REQUESTS)).isEqualTo(1);
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
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
    assertThat(rig.b.out.log.stream().filter(p -> Opcode.row(p.opcode()).has(Aeth.BIT)))
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
}
