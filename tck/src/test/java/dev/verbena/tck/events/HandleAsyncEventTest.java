package dev.verbena.tck.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.PortSnapshot;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.SrqInitAttr;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The object of an event, and its usual handling. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HandleAsyncEventTest {
  private static final Set<EventType> FAILURES =
      EnumSet.of(
          EventType.DEVICE_FATAL,
          EventType.SRQ_ERR,
          EventType.CQ_ERR,
          EventType.QP_FATAL,
          EventType.QP_REQ_ERR,
          EventType.QP_ACCESS_ERR,
          EventType.PATH_MIG_ERR,
          EventType.WQ_FATAL);

  private static final Set<EventType> CHANGES_OF_THE_PORT =
      EnumSet.of(
          EventType.LID_CHANGE,
          EventType.SM_CHANGE,
          EventType.PKEY_CHANGE,
          EventType.GID_CHANGE,
          EventType.PORT_ACTIVE,
          EventType.PORT_ERR,
          EventType.CLIENT_REREGISTER);

  private final Context context = Devices.open(TckLink.selected().getFirst().device());
  private final CompletionQueue cq = context.createCq(1);

  @AfterAll
  void closeContext() {
    context.close();
  }

  @ParameterizedTest
  @EnumSource
  @Proves({"S10.6", "PY-127", "PY-107", "PY-182", "PY-180"})
  void failuresAreThrownAndChangesOfThePortAreLookedAtAgain(EventType type) {
    EndPort endPort = context.endPort();
    PortSnapshot before = endPort.snapshot();
    AtomicInteger acknowledged = new AtomicInteger();
    boolean ofThePort = CHANGES_OF_THE_PORT.contains(type);
    Object element = ofThePort || type == EventType.DEVICE_FATAL ? null : cq;
    AsyncEvent event =
        new AsyncEvent(context, type, element, ofThePort ? 1 : 0, acknowledged::incrementAndGet);

    AsyncException thrown =
        catchThrowableOfType(AsyncException.class, () -> context.handleAsyncEvent(event));

    assertThat(acknowledged).hasValue(1);
    assertThat(event.eventType()).isEqualTo(type);
    if (ofThePort) {
      assertThat(endPort.snapshot()).as("the port was asked anew").isNotSameAs(before);
    } else {
      assertThat(endPort.snapshot()).isSameAs(before);
    }
    if (!FAILURES.contains(type)) {
      assertThat(thrown).isNull();
      return;
    }
    assertThat(thrown).isInstanceOf(RdmaException.class);
    assertThat(thrown.event()).isSameAs(event);
    assertThat(thrown).hasMessage("Asynchronous error event - " + type + " for " + event.obj());
    assertThat(new AsyncException(event, "Oh")).hasMessage("Oh - " + type + " for " + event.obj());
    assertThat(event.obj()).isSameAs(element == null ? endPort.device() : cq);
  }

  @OnEveryLink
  @Proves({"PY-126", "PY-121", "PY-131"})
  void eachEventNamesTheObjectItBelongsTo(TckLink link) throws Exception {
    PairSetup setup = PairSetup.on(link).mrAccess(1);
    try (QpPair pair = setup.open();
        Selector selector = Selector.open()) {
      Context target = pair.right().context();
      SelectionKey key = target.asyncEventSource().registerPoll(selector);
      SelectionKey other = pair.right().recvCq().channel().registerPoll(selector);
      assertThat(target.checkPoll(key)).isFalse();
      assertThat(target.getAsyncEvent(Duration.ZERO)).as("EAGAIN").isNull();

      QpEnd left = pair.left();
      left.qp().postSend(SendWrs.write(1, pair.right(), 0, left.sge(0, 8)));
      left.awaitSend(1);
      selector.select(Await.DEADLINE.toMillis());
      assertThat(target.checkPoll(key)).as("QP_ACCESS_ERR to read").isTrue();
      assertThat(target.checkPoll(other)).isFalse();
      AsyncEvent refused = Events.await(target, EventType.QP_ACCESS_ERR);
      assertThat(refused.obj()).isSameAs(pair.right().qp());
      assertThat(refused.endPort()).isNull();
      assertThatThrownBy(() -> target.handleAsyncEvent(refused)).isInstanceOf(AsyncException.class);
      Background.run(pair.right().qp()::destroy).result();

      var srq = pair.right().pd().createSrq(SrqInitAttr.basic(4, 1));
      srq.modifyLimit(1);
      AsyncEvent limit = Events.await(target, EventType.SRQ_LIMIT_REACHED);
      assertThat(limit.obj()).isSameAs(srq);
      target.handleAsyncEvent(limit);
      Background.run(srq::destroy).result();
    }
    try (QpPair pair = QpPair.open(link)) {
      Context target = pair.right().context();
      CompletionQueue small = target.createCq(1);
      QpEnd failed = Overrun.of(link, pair, small);
      AsyncEvent overrun = Events.await(target, EventType.CQ_ERR);
      assertThat(overrun.obj()).isSameAs(small);
      overrun.ack();
      AsyncEvent fatal = Events.await(target, EventType.QP_FATAL);
      assertThat(fatal.obj()).isSameAs(failed.qp());
      fatal.ack();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PORT_ACTIVE", "LID_CHANGE"})
  @Proves("PY-126")
  void anEventOfAPortNamesTheEndPort(EventType type) {
    try (AsyncEvent event = new AsyncEvent(context, type, null, 1, () -> {})) {
      assertThat(event.endPort()).isSameAs(context.endPort());
      assertThat(event.obj()).isSameAs(context.endPort());
    }
  }
}
