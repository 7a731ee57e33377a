package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.QpState;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An atomic that goes directly is executed once, whatever happens meanwhile. */
class DirectAtomicTest {
  private final Rig rig = Rig.packets();
  private final Endpoint a = rig.a;
  private final Block landing = a.memory(8);
  private final Block target = rig.b.memory(8);
  private final CopyPath path = new CopyPath(a, target);

  @BeforeEach
  void postsOne() {
    a.connect(path);
    target.memory().set(ValueLayout.JAVA_LONG, 0, 40);
    a.postFetchAdd(1, landing, target, 2);
    path.parts = 9;
  }

  private void assertExecutedOnce() {
    rig.deliverAll();
    assertThat(target.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
  }

  @Test
  void itsAnswerLandsWithoutAPacket() {
    a.requester.run(new Budget());
    assertThat(a.sendResults()).containsExactly("1");
    assertThat(landing.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
    assertThat(a.out.log).isEmpty();
    assertExecutedOnce();
  }

  @Test
  void packetsTakeWhatThePeerDoesNot() {
    path.parts = 0;
    a.requester.run(new Budget());
    assertThat(a.out.log).hasSize(1);
    assertExecutedOnce();
    assertThat(a.sendResults()).containsExactly("1");
    assertThat(landing.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
  }

  @Test
  void memoryOfThePeerThatEndsMeanwhileFailsIt() {
    path.afterAtomic = new IllegalStateException("closed");
    a.requester.run(new Budget());
    assertFailed();
  }

  @Test
  void anyOtherErrorFailsItAsWell() {
    path.afterAtomic = new OutOfMemoryError("forged");
    assertThatThrownBy(() -> a.requester.run(new Budget())).isSameAs(path.afterAtomic);
    assertFailed();
  }

  private void assertFailed() {
    assertThat(a.sendResults()).containsExactly("1 REM_OP_ERR");
    assertThat(a.status.state).isEqualTo(QpState.ERR);
    a.requester.run(new Budget());
    assertThat(a.out.log).isEmpty();
    assertThat(a.sendResults()).isEmpty();
    assertExecutedOnce();
  }
}
