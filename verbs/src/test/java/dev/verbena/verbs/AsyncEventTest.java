package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the object of an asynchronous event, and its acknowledgement. */
class AsyncEventTest {
  @Test
  void itIsAcknowledgedOnceHoweverOften() {
    AtomicInteger acks = new AtomicInteger();
    try (AsyncEvent event =
        new AsyncEvent(null, EventType.PORT_ACTIVE, null, 1, acks::incrementAndGet)) {
      assertThat(acks).hasValue(0);
      event.ack();
      assertThat(acks).hasValue(1);
      event.ack();
    }
    assertThat(acks).hasValue(1);
  }

  @Test
  void closingItAcknowledgesIt() {
    AtomicInteger acks = new AtomicInteger();
    new AsyncEvent(null, EventType.PORT_ERR, null, 1, acks::incrementAndGet).close();
    assertThat(acks).hasValue(1);
  }

  @Test
  void itNamesTheOneObjectItBelongsTo() {
    QueuePair qp = Stubs.of(QueuePair.class);
    CompletionQueue cq = Stubs.of(CompletionQueue.class);
    SharedReceiveQueue srq = Stubs.of(SharedReceiveQueue.class);
    AsyncEvent ofQp = event(EventType.QP_FATAL, qp);
    assertThat(ofQp.qp()).isSameAs(qp);
    assertThat(ofQp.cq()).isNull();
    assertThat(ofQp.srq()).isNull();
    assertThat(ofQp.portNum()).isZero();
    assertThat(event(EventType.CQ_ERR, cq).cq()).isSameAs(cq);
    assertThat(event(EventType.SRQ_ERR, srq).srq()).isSameAs(srq);
    assertThat(ofQp).hasToString("QP_FATAL (local work queue catastrophic error) on stub");
    assertThat(new AsyncEvent(null, EventType.GID_CHANGE, null, 1, () -> {}))
        .hasToString("GID_CHANGE (GID table change) on port 1");
  }

  /** The context may have been closed since, or its device may have failed. */
  @Test
  void aFailureIsToldEvenIfNobodyKnowsWhatItBelongsTo() {
    Context gone =
        Stubs.of(
            Context.class,
            Map.of(
                "device",
                args -> {
                  throw new VerbsException("device", Errno.EIO, "it has failed");
                }));
    AtomicInteger acks = new AtomicInteger();
    AsyncEvent fatal = new AsyncEvent(gone, EventType.DEVICE_FATAL, null, 0, acks::incrementAndGet);
    assertThatThrownBy(() -> AsyncEventHandling.handle(fatal))
        .isInstanceOf(AsyncException.class)
        .hasMessageContaining(
            "DEVICE_FATAL for an object that cannot be determined: device: it has");
    AsyncEvent news = new AsyncEvent(gone, EventType.LID_CHANGE, null, 1, acks::incrementAndGet);
    AsyncEventHandling.handle(news);
    assertThat(acks).hasValue(2);
  }

  private static AsyncEvent event(EventType type, Object element) {
    return new AsyncEvent(null, type, element, 0, () -> {});
  }
}
