package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.QpState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QpStatusTest {
  private final QpStatus status = new QpStatus(request -> {});
  private int flushes;

  @BeforeEach
  void countFlushes() {
    status.whenFailed(() -> flushes++);
  }

  @Test
  void whatFailsHasBothQueuesToFlushOnce() {
    status.state(QpState.RTS);
    assertThat(flushes).isZero();
    assertThat(status.fail("a test")).isTrue();
    assertThat(status.state).isEqualTo(QpState.ERR);
    assertThat(flushes).isEqualTo(1);
    assertThat(status.fail("a test")).isFalse();
    assertThat(flushes).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(QpState.class)
  @Proves("S1.6.2")
  void aFailedSendOfAnUnreliableServiceEndsSendingAlone(QpState before) {
    status.state(before);
    status.failSends(QpState.SQE, "a test");
    boolean sends = before == QpState.RTS || before == QpState.SQD;
    assertThat(status.state).isEqualTo(sends ? QpState.SQE : before);
    assertThat(flushes).isZero();
  }
}
