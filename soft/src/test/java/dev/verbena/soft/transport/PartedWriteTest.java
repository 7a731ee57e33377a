package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A WRITE that goes directly in three parts, because it is longer than two budgets. */
class PartedWriteTest {
  private static final int LENGTH = 2 * (int) Budget.BYTES + 1000;

  private final Rig rig = Rig.packets();
  private final Endpoint a = rig.a;
  private final Block data = a.memory(LENGTH).scribble(1);
  private final Block target = rig.b.memory(LENGTH);
  private final CopyPath path = new CopyPath(a, target);

  @BeforeEach
  void postsTwoAndMakesThePartsOfTheFirst() {
    a.connect(path);
    a.postWrite(1, data, LENGTH, target);
    a.postWrite(2, data, LENGTH, target);
    path.parts = 1;
    a.requester.run(new Budget());
    assertThat(target.bytes(0, Budget.BYTES)).isEqualTo(data.bytes(0, Budget.BYTES));
    a.status.state(QpState.SQD);
    a.requester.drain(true);
  }

  private void run() {
    assertThat(a.requester.isDrained()).isFalse();
    a.requester.run(new Budget());
  }

  @Test
  @Proves({"S4.5.1", "S4.5.2"})
  void aDrainEndsWithTheLastPartAndBeginsNoOtherRequest() {
    path.parts = 9;
    run();
    assertThat(a.events).isEmpty();
    assertThat(a.sendResults()).isEmpty();
    run();
    assertThat(a.events).containsExactly(EventType.SQ_DRAINED);
    assertThat(a.sendResults()).containsExactly("1");
    assertThat(target.bytes()).isEqualTo(data.bytes());
    assertThat(a.requester.isDrained()).isTrue();
    a.status.state(QpState.RTS);
    rig.deliverAll();
    assertThat(a.sendResults()).containsExactly("2");
    assertThat(a.out.log).isEmpty();
  }

  @Test
  void packetsEndWhatOnePartOfFails() {
    run();
    assertThat(a.events).isEmpty();
    assertThat(a.out.log).as("packets, from the first byte").isNotEmpty();
    rig.deliverAll();
    assertThat(a.events).containsExactly(EventType.SQ_DRAINED);
    assertThat(a.sendResults()).containsExactly("1");
    assertThat(target.bytes()).isEqualTo(data.bytes());
  }

  @Test
  void aReconnectedQueuePairKnowsNothingOfTheParts() {
    a.reset();
    a.connect(rig.b, path, Rig.PSN_A, Rig.PSN_B);
    assertThat(a.requester.isDrained()).isTrue();
    Block other = a.memory(LENGTH).scribble(2);
    a.postWrite(3, other, LENGTH, target);
    path.parts = 9;
    rig.pump();
    assertThat(a.sendResults()).containsExactly("3");
    assertThat(target.bytes()).isEqualTo(other.bytes());
  }
}
