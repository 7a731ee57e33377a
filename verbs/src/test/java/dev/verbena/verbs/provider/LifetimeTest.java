package dev.verbena.verbs.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LifetimeTest {
  private static final int MOST = 100;

  private final List<String> ended = Collections.synchronizedList(new ArrayList<>());
  private final Population population = new Population(kind -> MOST);
  private final Lifetime context =
      Lifetime.root("context", population, () -> () -> ended.add("context"));

  LifetimeTest() {
    context.begin("openDevice", List.of());
  }

  @Test
  void destroyRefusesAnOwnerOfOthersAndNamesOne() {
    Lifetime pd = child(context, Kind.PD, "1");
    Lifetime mr = child(pd, Kind.MR, "2");
    assertBusy(() -> pd.destroy(), "PD 1", "MR 2");
    assertThat(pd.isClosed()).isFalse();
    mr.destroy();
    pd.destroy();
    assertThat(ended).containsExactly("MR 2", "PD 1");
  }

  @Test
  void destroyRefusesWhatOthersUse() {
    Lifetime cq = child(context, Kind.CQ, "1");
    Lifetime pd = child(context, Kind.PD, "2");
    Lifetime qp = child(pd, Kind.QP, "3", cq);
    assertBusy(() -> cq.destroy(), "CQ 1", "QP 3");
    qp.destroy();
    cq.destroy();
    assertThat(ended).containsExactly("QP 3", "CQ 1");
  }

  @Test
  void whoClosesACompletionQueueBeforeItsQueuePairsIsToldWhatToDo() {
    Lifetime cq = child(context, Kind.CQ, "1");
    Lifetime pd = child(context, Kind.PD, "2");
    for (int i = 0; i < 3; i++) {
      child(pd, Kind.QP, "0x1" + i, cq);
    }
    String remedy = "close the Context, which ends everything, or close the queue pairs first";
    assertBusy(cq::close, "CQ 1 is in use by QP 0x10, QP 0x11, QP 0x12; " + remedy);
    child(pd, Kind.QP, "0x13", cq);
    child(pd, Kind.QP, "0x14", cq);
    assertBusy(cq::close, "CQ 1 is in use by QP 0x10, QP 0x11, QP 0x12 and 2 more; " + remedy);
    assertBusy(pd::destroy, "PD 2 still has QP 0x10, QP 0x11, QP 0x12 and 2 more; " + remedy);
    child(pd, Kind.MR, "3");
    assertBusy(pd::destroy, "and 3 more", "or end what is named here first");
    context.close();
  }

  @Test
  void closeEndsTheSubtreeUsersFirst() {
    Lifetime cq = child(context, Kind.CQ, "1");
    Lifetime pd = child(context, Kind.PD, "2");
    Lifetime parent = child(pd, Kind.PARENT_DOMAIN, "3");
    child(pd, Kind.MR, "4");
    child(parent, Kind.QP, "5", cq);
    child(pd, Kind.QP, "6", cq);
    context.close();
    assertThat(ended)
        .containsExactly("QP 5", "QP 6", "MR 4", "CQ 1", "parent domain 3", "PD 2", "context");
  }

  @Test
  void aDeviceMayWantAnotherOrder() {
    Comparator<Kind> windowsFirst =
        Comparator.<Kind, Boolean>comparing(kind -> kind != Kind.MW)
            .thenComparing(Comparator.naturalOrder());
    for (boolean lost : new boolean[] {false, true}) {
      ended.clear();
      Lifetime root =
          Lifetime.root("other", population, windowsFirst, () -> () -> ended.add("other"));
      root.begin("openDevice", List.of());
      Lifetime pd = child(root, Kind.PD, "1");
      child(pd, Kind.QP, "2");
      child(pd, Kind.MW, "3");
      child(pd, Kind.MR, "4");
      if (lost) {
        root.remains().free(failure -> ended.add("failure"));
      } else {
        root.close();
      }
      assertThat(ended).containsExactly("MW 3", "QP 2", "MR 4", "PD 1", "other");
    }
  }

  @Test
  void closeRefusesWhatIsUsedFromOutsideAndChangesNothing() {
    Lifetime td = child(context, Kind.TD, "1");
    Lifetime pd = child(context, Kind.PD, "2");
    child(pd, Kind.PARENT_DOMAIN, "3", td);
    assertBusy(() -> td.close(), "TD 1", "parent domain 3");
    assertThat(ended).isEmpty();
    pd.close();
    td.close();
    assertThat(ended).containsExactly("parent domain 3", "PD 2", "TD 1");
  }

  @Test
  void closeIsIdempotentAndDestroyIsNot() {
    Lifetime pd = child(context, Kind.PD, "1");
    pd.close();
    pd.close();
    assertThat(ended).containsExactly("PD 1");
    assertThatThrownBy(() -> pd.destroy()).isInstanceOf(ObjectClosedException.class);
    assertThatThrownBy(() -> pd.require("regMr"))
        .isInstanceOf(ObjectClosedException.class)
        .hasMessageContaining("regMr")
        .hasMessageContaining("PD 1 is closed");
  }

  @Test
  void whatIsMadeFromSomethingClosedIsTornDownAtOnce() {
    Lifetime pd = child(context, Kind.PD, "1");
    pd.close();
    assertThatThrownBy(() -> child(pd, Kind.MR, "2")).isInstanceOf(ObjectClosedException.class);
    assertThat(ended).containsExactly("PD 1", "MR 2");
  }

  @Test
  void anObjectThatMovedHoldsItsNewOwner() {
    Lifetime first = child(context, Kind.PD, "1");
    Lifetime second = child(context, Kind.PD, "2");
    Lifetime mr = child(first, Kind.MR, "3");
    mr.move("reregMr", second);
    first.destroy();
    assertBusy(() -> second.destroy(), "PD 2", "MR 3");
  }

  @Test
  void tooManyOfAKindAreRefusedWithEnomem() {
    for (int i = 0; i < MOST; i++) {
      assertThat(population.add(Kind.QP)).isTrue();
    }
    Lifetime pd = child(context, Kind.PD, "1");
    assertThatThrownBy(() -> child(pd, Kind.QP, "2"))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
        .hasMessageContaining("" + MOST);
    assertThat(ended).containsExactly("QP 2");
    population.remove(Kind.QP);
    child(pd, Kind.QP, "3");
  }

  @Test
  @Timeout(20)
  void anInterruptedDestroyLeavesTheObjectAsItWas() throws InterruptedException {
    Unacknowledged events = new Unacknowledged();
    assertThat(events.take()).isTrue();
    CountDownLatch waiting = new CountDownLatch(1);
    Lifetime qp = context.child(Kind.QP, "1", ending(events, waiting));
    qp.begin("createQp", List.of());
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread destroyer = start(() -> qp.destroy(), failure);
    waiting.await();
    destroyer.interrupt();
    destroyer.join();
    assertThat(failure.get())
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINTR));
    qp.require("postSend");
    assertThat(events.acknowledge(1)).isTrue();
    qp.destroy();
    assertThat(ended).containsExactly("QP 1");
  }

  @Test
  @Timeout(20)
  void closeEndsADestroyThatWaitsForEvents() throws InterruptedException {
    Unacknowledged events = new Unacknowledged();
    assertThat(events.take()).isTrue();
    CountDownLatch waiting = new CountDownLatch(1);
    Lifetime qp = context.child(Kind.QP, "1", ending(events, waiting));
    qp.begin("createQp", List.of());
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread destroyer = start(() -> qp.destroy(), failure);
    waiting.await();
    context.close();
    destroyer.join();
    assertThat(failure.get()).isNull();
    assertThat(ended).containsExactly("QP 1", "context");
  }

  private Lifetime.Ending ending(Unacknowledged events, CountDownLatch waiting) {
    return new Lifetime.Ending() {
      @Override
      public void awaitEvents() throws InterruptedException {
        waiting.countDown();
        events.retireWhenNone();
      }

      @Override
      public void dropEvents() {
        events.retire();
      }

      @Override
      public Runnable release() {
        return () -> ended.add("QP 1");
      }
    };
  }

  private static Thread start(Runnable body, AtomicReference<Throwable> failure) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                body.run();
              } catch (RuntimeException e) {
                failure.set(e);
              }
            });
  }

  private Lifetime child(Lifetime owner, Kind kind, String name, Lifetime... uses) {
    String full = kind.text() + " " + name;
    Lifetime child = owner.child(kind, name, () -> () -> ended.add(full));
    child.begin("create", List.of(uses));
    return child;
  }

  private static void assertBusy(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
        .hasMessageContainingAll(words);
  }
}
