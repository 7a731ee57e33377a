package dev.verbena.soft.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.memory.Domain;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.provider.EventQueue;
import dev.verbena.verbs.provider.Signal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Send queue, receive queue, completion ring and event queue on their own. */
class QueueTest {
  private static final int CAPACITY = 200;

  private final List<String> told = new ArrayList<>();
  private final CompletionRing ring =
      new CompletionRing(
          CAPACITY,
          Guard.NONE,
          Guard.NONE,
          CompletionRing.Options.usual(() -> 0),
          new CompletionRing.Listener() {
            @Override
            public void completed() {
              told.add("completed");
            }

            @Override
            public void waitsUntil(long deadline) {}

            @Override
            public void overrun() {
              told.add("overrun");
            }
          });
  private final WorkCompletion entry = new WorkCompletion();

  private boolean add(long id) {
    return ring.add(entry.wrId(id).status(WcStatus.SUCCESS), false, null, 0);
  }

  private boolean addSolicited(long id, WcStatus status, boolean solicited) {
    return ring.add(entry.wrId(id).status(status), solicited, null, 0);
  }

  private long poll() {
    WorkCompletion into = new WorkCompletion();
    return ring.poll(into) ? into.wrId() : -1;
  }

  private static void post(SendQueue queue, int count) {
    for (int i = 0; i < count; i++) {
      queue.claim(i).begin(i, SendOperation.of(WrOpcode.SEND), 0, true);
    }
    queue.publish(count);
  }

  @Test
  void exactlyTheCapacityCanBePostedWithoutPolling() {
    SendQueue queue = new SendQueue(3, 1, 0);
    post(queue, 3);
    assertThat(queue.free()).isZero();
    queue.advanceHead();
    assertThat(queue.free()).isZero();
    queue.reclaim(0);
    assertThat(queue.free()).isEqualTo(1);
  }

  @Test
  void aPolledCompletionFreesEverythingUpToIt() {
    SendQueue queue = new SendQueue(4, 1, 0);
    post(queue, 4);
    ring.add(entry, false, queue, 2);
    assertThat(queue.free()).isZero();
    poll();
    assertThat(queue.free()).isEqualTo(3);
  }

  @Test
  void aCompletionFromBeforeAResetFreesNothing() {
    SendQueue queue = new SendQueue(4, 1, 0);
    post(queue, 4);
    ring.add(entry, false, queue, 3);
    queue.reset();
    assertThat(queue.free()).isEqualTo(4);
    post(queue, 2);
    poll();
    assertThat(queue.free()).isEqualTo(2);
    assertThat(queue.head).isEqualTo(4);
    assertThat(queue.tail()).isEqualTo(6);
  }

  @Test
  void requestsAreFoundByTheirNumbersAlsoAfterTheQueueHasTurned() {
    SendQueue queue = new SendQueue(3, 1, 0);
    assertThat(queue.capacity()).isEqualTo(3);
    for (int round = 0; round < 5; round++) {
      queue.claim(0).begin(100 + round, SendOperation.of(WrOpcode.SEND), 0, true);
      queue.claim(1).begin(200 + round, SendOperation.of(WrOpcode.SEND), 0, true);
      queue.publish(2);
      assertThat(queue.tail() - queue.head).isEqualTo(2);
      assertThat(queue.get(queue.head).wrId).isEqualTo(100 + round);
      assertThat(queue.get(queue.head + 1).wrId).isEqualTo(200 + round);
      queue.advanceHead();
      queue.advanceHead();
      assertThat(queue.head).isEqualTo(queue.tail()).isEqualTo(2L * (round + 1));
      queue.reclaim(queue.head - 1);
      assertThat(queue.free()).isEqualTo(3);
      queue.reclaim(queue.head - 2);
      assertThat(queue.free()).as("an older completion frees nothing").isEqualTo(3);
    }
    assertThat(new RecvQueue(7, 1).capacity()).isEqualTo(7);
  }

  @Test
  void ownReceivesAreThoseOfTheQueueAndOfItsDomainAlone() {
    RecvQueue queue = new RecvQueue(2, 1);
    Domain domain = new Domain();
    OwnReceives own = new OwnReceives(queue, ring, domain);
    assertThat(own.select(77)).isTrue();
    assertThat(own.isPosted()).isFalse();
    assertThat(own.take()).isNull();
    assertThat(own.owned()).isNull();
    queue.claim(0).begin(1);
    queue.claim(1).begin(2);
    queue.publish(2);
    assertThat(own.isPosted()).isTrue();
    assertThat(own.take()).isSameAs(own.owned()).extracting(RecvWqe::wrId).isEqualTo(1L);
    own.putBack();
    assertThat(own.take()).extracting(RecvWqe::wrId).isEqualTo(1L);
    own.release();
    assertThat(own.take()).extracting(RecvWqe::wrId).isEqualTo(2L);
    own.reset();
    assertThat(own.isPosted()).isFalse();
    assertThat(queue.free()).isEqualTo(2);
    assertThat(own.ring()).isSameAs(ring);
    assertThat(own.domain()).isSameAs(domain).isSameAs(own.keyDomain(5));
    assertThat(own.mayTouch(domain)).isTrue();
    assertThat(own.mayTouch(new Domain())).isFalse();
    assertThat(own.isShared()).isFalse();
  }

  @Test
  void theGuardOfWhatOneThreadUsesExcludesNobody() {
    assertThat(Guard.NONE.tryEnter()).isTrue();
    assertThat(Guard.NONE.tryEnter()).isTrue();
    assertThat(Guard.NONE.isHeldByCurrentThread()).isFalse();
  }

  @Test
  void receivesAreTakenInTheirOrder() {
    RecvQueue queue = new RecvQueue(2, 1);
    assertThat(queue.peek()).isNull();
    for (int i = 0; i < 10; i += 2) {
      queue.claim(0).begin(i);
      queue.claim(1).begin(i + 1);
      assertThat(queue.peek()).isNull();
      queue.publish(2);
      assertThat(queue.free()).isZero();
      assertThat(queue.peek()).extracting(RecvWqe::wrId).isEqualTo((long) i);
      queue.remove();
      assertThat(queue.free()).isEqualTo(1);
      assertThat(queue.peek()).extracting(RecvWqe::wrId).isEqualTo((long) i + 1);
      queue.remove();
    }
    queue.claim(0).begin(1);
    queue.publish(1);
    queue.reset();
    assertThat(queue.peek()).isNull();
    assertThat(queue.free()).isEqualTo(2);
  }

  @Test
  void theRingHoldsExactlyItsCapacityInOrderAlsoAfterItHasTurned() {
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 30; i++) {
        assertThat(add(i)).isTrue();
        assertThat(poll()).isEqualTo(i);
      }
    }
    for (int i = 0; i < CAPACITY; i++) {
      assertThat(add(i)).isTrue();
    }
    WorkCompletion[] into = new WorkCompletion[CAPACITY + 1];
    Arrays.setAll(into, i -> new WorkCompletion());
    assertThat(ring.poll(10, into)).isEqualTo(10);
    assertThat(ring.poll(CAPACITY + 1, into)).isEqualTo(CAPACITY - 10);
    assertThat(into[0].wrId()).isEqualTo(10);
    assertThat(into[CAPACITY - 11].wrId()).isEqualTo(CAPACITY - 1);
    assertThat(ring.poll(1, into)).isZero();
    assertThat(told).isEmpty();
  }

  @Test
  void aMissingPlaceForAnEntryIsNamedAndLosesNothing() {
    add(1);
    add(2);
    WorkCompletion[] into = {new WorkCompletion(), null, null};
    assertThatThrownBy(() -> ring.poll(3, into))
        .hasMessage("poll: wc[1] is null (EINVAL: Invalid argument)");
    assertThat(ring.poll(1, into)).isEqualTo(1);
    assertThat(into[0].wrId()).isEqualTo(1);
    assertThat(poll()).isEqualTo(2);
  }

  @Test
  void anOverrunIsToldOnceAndLosesNothingFromBefore() {
    for (int i = 0; i < CAPACITY; i++) {
      add(i);
    }
    assertThat(told).isEmpty();
    assertThat(add(1)).isFalse();
    assertThat(add(2)).isFalse();
    assertThat(told).containsExactly("overrun");
    assertThat(poll()).isZero();
    assertThat(add(3)).isFalse();
    assertThat(told).hasSize(1);
    for (int i = 1; i < CAPACITY; i++) {
      assertThat(poll()).isEqualTo(i);
    }
    assertThat(ring.isEmpty()).isTrue();
  }

  @Test
  void whoeverHasAskedForAnEventIsToldOfAnOverrun() {
    for (int i = 0; i < CAPACITY; i++) {
      add(i);
    }
    ring.arm(true);
    add(1);
    assertThat(told).containsExactly("overrun", "completed");
    add(2);
    assertThat(told).as("once").hasSize(2);
  }

  @Test
  void whoeverAsksForAnEventAfterAnOverrunIsToldAtOnce() {
    for (int i = 0; i <= CAPACITY; i++) {
      add(i);
    }
    ring.arm(false);
    assertThat(told).containsExactly("overrun", "completed");
  }

  @Test
  void resizingKeepsTheEntriesOrIsRefused() {
    for (int i = 0; i < 100; i++) {
      add(i);
    }
    assertThat(poll()).isZero();
    assertThat(ring.resize(98)).isFalse();
    assertThat(ring.capacity()).isEqualTo(CAPACITY);
    assertThat(ring.resize(99)).isTrue();
    assertThat(poll()).isEqualTo(1);
    assertThat(add(100)).isTrue();
    assertThat(ring.resize(1000)).isTrue();
    for (int i = 101; i < 1001; i++) {
      assertThat(add(i)).isTrue();
    }
    for (int i = 2; i < 1001; i++) {
      assertThat(poll()).isEqualTo(i);
    }
  }

  @Test
  void roomThatNobodyNeedsYetCostsNothing() {
    assertThat(ring.resize(1 << 30)).isTrue();
    assertThat(ring.capacity()).isEqualTo(1 << 30);
    assertThat(add(1)).isTrue();
    assertThat(poll()).isEqualTo(1);
  }

  @Test
  void purgingTakesTheEntriesOfOneQueuePairAndGivesTheirSendsBack() {
    SendQueue sends = new SendQueue(2, 1, 0);
    post(sends, 2);
    for (int i = 0; i < 50; i++) {
      add(-i);
      poll();
    }
    for (int i = 0; i < 60; i++) {
      entry.wrId(i).qpNum(i % 3);
      ring.add(entry, false, i % 3 == 1 && i < 6 ? sends : null, i / 3);
    }
    ring.purge(1, false);
    assertThat(sends.free()).isEqualTo(2);
    assertThat(poll()).isZero();
    assertThat(poll()).isEqualTo(2);
    assertThat(poll()).isEqualTo(3);
    assertThat(poll()).isEqualTo(5);
    assertThat(poll()).isEqualTo(6);
    assertThat(poll()).as("it received this").isEqualTo(7);
    ring.purge(1, true);
    for (int i = 8; i < 60; i++) {
      if (i % 3 != 1) {
        assertThat(poll()).isEqualTo(i);
      }
    }
    assertThat(ring.isEmpty()).isTrue();
    ring.purge(1, true);
    assertThat(add(61)).isTrue();
    assertThat(poll()).isEqualTo(61);
  }

  @Test
  void anEventIsForTheNextEntryOnceAndNotForThosePresent() {
    add(1);
    ring.arm(false);
    assertThat(told).isEmpty();
    add(2);
    add(3);
    assertThat(told).containsExactly("completed");
    ring.arm(false);
    ring.arm(false);
    add(4);
    add(5);
    assertThat(told).hasSize(2);
  }

  @Test
  void aSolicitedEventIsForSolicitedEntriesAndErrors() {
    ring.arm(true);
    addSolicited(1, WcStatus.SUCCESS, false);
    assertThat(told).isEmpty();
    addSolicited(2, WcStatus.SUCCESS, true);
    assertThat(told).hasSize(1);
    ring.arm(true);
    addSolicited(3, WcStatus.WR_FLUSH_ERR, false);
    assertThat(told).hasSize(2);
  }

  @Test
  @Proves("S6.6")
  void anErrorOfASendIsSolicitedTooAndItsSuccessIsNot() {
    SendQueue sends = new SendQueue(2, 1, 0);
    post(sends, 2);
    ring.arm(true);
    ring.add(entry.wrId(1).status(WcStatus.SUCCESS), false, sends, 0);
    assertThat(told).isEmpty();
    ring.add(entry.wrId(2).status(WcStatus.REM_ACCESS_ERR), false, sends, 1);
    assertThat(told).containsExactly("completed");
  }

  @Test
  void askingForAnyIsNotWeakenedByAskingForSolicited() {
    ring.arm(false);
    ring.arm(true);
    add(1);
    assertThat(told).hasSize(1);
    ring.arm(true);
    ring.arm(false);
    add(2);
    assertThat(told).hasSize(2);
  }

  @Test
  void anEventQueueSignalsItsFirstEventAndItsLast() {
    List<String> signals = new ArrayList<>();
    EventQueue<String> queue =
        new EventQueue<>(
            new Signal() {
              @Override
              public void raise() {
                signals.add("raise");
              }

              @Override
              public void change() {
                signals.add("change");
              }

              @Override
              public void remain() {
                signals.add("remain");
              }

              @Override
              public void lower() {
                signals.add("lower");
              }
            });
    assertThat(queue.poll()).isNull();
    queue.push("a");
    queue.push("b");
    queue.push("c");
    assertSignals(signals, "raise", "change", "change");
    assertThat(queue.hasNews()).isTrue();
    queue.purge(e -> e.equals("b"));
    assertSignals(signals, "change");
    assertThat(queue.poll()).isEqualTo("a");
    assertSignals(signals, "remain");
    assertThat(queue.poll()).isEqualTo("c");
    assertSignals(signals, "lower");
    assertThat(queue.hasNews()).isFalse();
    queue.purge(e -> true);
    assertSignals(signals, "change");
    queue.push("d");
    queue.purge(e -> true);
    assertSignals(signals, "raise", "lower", "change");
    assertThat(queue.poll()).isNull();
    queue.push("e");
    queue.push("f");
    signals.clear();
    assertThat(queue.take("g")).isFalse();
    assertThat(queue.take("f")).isTrue();
    assertThat(queue.take("f")).isFalse();
    assertSignals(signals, "remain");
    assertThat(queue.take("e")).isTrue();
    assertSignals(signals, "lower");

    queue.push("h");
    signals.clear();
    queue.end();
    assertSignals(signals, "raise", "change");
    assertThat(queue.poll()).isEqualTo("h");
    queue.purge(e -> true);
    assertSignals(signals, "remain", "change");
    assertThat(queue.hasNews()).isTrue();
  }

  /** What was signalled since the last call. */
  private static void assertSignals(List<String> signals, String... expected) {
    assertThat(signals).containsExactly(expected);
    signals.clear();
  }
}
