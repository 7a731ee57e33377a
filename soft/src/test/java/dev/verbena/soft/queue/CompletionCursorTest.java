package dev.verbena.soft.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Cursor, timestamps and moderated events of a completion ring, in virtual time. */
class CompletionCursorTest {
  private static final int CAPACITY = 100;

  private final List<String> told = new ArrayList<>();
  private final CompletionRing.Listener listener =
      new CompletionRing.Listener() {
        @Override
        public void completed() {
          told.add("completed");
        }

        @Override
        public void waitsUntil(long deadline) {
          told.add("until " + deadline);
        }

        @Override
        public void overrun() {
          told.add("overrun");
        }
      };
  private final WorkCompletion entry = new WorkCompletion();
  private long now = 1000;

  private CompletionRing ring(boolean stamped, boolean ignoresOverrun) {
    return new CompletionRing(
        CAPACITY,
        Guard.NONE,
        Guard.NONE,
        new CompletionRing.Options(() -> now, stamped, ignoresOverrun),
        listener);
  }

  private void add(CompletionRing ring, long id) {
    assertThat(ring.add(entry.wrId(id).status(WcStatus.SUCCESS), false, null, 0)).isTrue();
  }

  private static CompletionEntry at(CompletionCursor cursor) {
    return Objects.requireNonNull(cursor.current());
  }

  private static long id(CompletionCursor cursor) {
    return at(cursor).completion.wrId();
  }

  @Test
  void whatWasVisitedMakesRoomAtOnceAndIsNotPolledAgain() {
    CompletionRing ring = ring(false, false);
    CompletionCursor cursor = new CompletionCursor(ring);
    for (int i = 0; i < CAPACITY; i++) {
      add(ring, i);
    }
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.next()).isTrue();
    add(ring, CAPACITY);
    add(ring, CAPACITY + 1);
    assertThat(id(cursor)).isEqualTo(1);
    cursor.end();
    assertThat(cursor.current()).isNull();
    WorkCompletion into = new WorkCompletion();
    assertThat(ring.poll(into)).isTrue();
    assertThat(into.wrId()).isEqualTo(2);
  }

  @Test
  void theCursorStaysOnItsEntryWhileTheRingMoves() {
    CompletionRing ring = ring(false, false);
    CompletionCursor cursor = new CompletionCursor(ring);
    for (int i = 0; i < 60; i++) {
      add(ring, i);
    }
    assertThat(cursor.next()).isTrue();
    for (int i = 1; i < 30; i++) {
      assertThat(cursor.next()).isTrue();
    }
    for (int i = 60; i < CAPACITY; i++) {
      add(ring, i);
    }
    assertThat(id(cursor)).isEqualTo(29);
    assertThat(ring.resize(CAPACITY - 31)).isFalse();
    assertThat(ring.resize(1000)).isTrue();
    for (int i = CAPACITY; i < 500; i++) {
      add(ring, i);
    }
    for (int i = 30; i < 500; i++) {
      assertThat(cursor.next()).isTrue();
      assertThat(id(cursor)).isEqualTo(i);
    }
    assertThat(cursor.next()).isFalse();
    add(ring, 500);
    assertThat(cursor.next()).isTrue();
    assertThat(id(cursor)).isEqualTo(500);
    cursor.end();
    assertThat(cursor.current()).isNull();
    assertThat(ring.isEmpty()).isTrue();
    assertThat(ring.resize(1)).isTrue();
  }

  @Test
  void aVisitedEntryFreesItsPlaceInTheSendQueueAtOnce() {
    CompletionRing ring = ring(false, false);
    CompletionCursor cursor = new CompletionCursor(ring);
    SendQueue sends = new SendQueue(2, 1, 0);
    for (int i = 0; i < 2; i++) {
      sends.claim(i).begin(i, SendOperation.of(WrOpcode.SEND), 0, true);
    }
    sends.publish(2);
    ring.add(entry, false, sends, 0);
    ring.add(entry, false, sends, 1);
    assertThat(cursor.next()).isTrue();
    assertThat(sends.free()).isEqualTo(1);
    assertThat(cursor.next()).isTrue();
    assertThat(sends.free()).isEqualTo(2);
    cursor.end();
  }

  @Test
  void entriesBearTheTimeOfTheirArrival() {
    CompletionRing ring = ring(true, false);
    CompletionCursor cursor = new CompletionCursor(ring);
    for (int i = 0; i < CAPACITY; i++) {
      now = 1000 + 7L * i;
      add(ring, i);
    }
    assertThat(cursor.next()).isTrue();
    for (int i = 0; i < CAPACITY; i++) {
      assertThat(at(cursor).timestamp()).isEqualTo(1000 + 7L * i);
      cursor.next();
    }
    cursor.end();
  }

  @Test
  void nobodyLooksAtTheClockForARingWithoutTimeStamps() {
    CompletionRing ring =
        new CompletionRing(
            CAPACITY,
            Guard.NONE,
            Guard.NONE,
            CompletionRing.Options.usual(
                () -> {
                  throw new AssertionError("asked for the time");
                }),
            listener);
    ring.arm(false);
    add(ring, 1);
    assertThat(ring.poll(new WorkCompletion())).isTrue();
    assertThat(told).containsExactly("completed");
  }

  @Test
  void anEntryTooManyIsLostWithoutAWordIfSoWished() {
    CompletionRing ring = ring(false, true);
    SendQueue sends = new SendQueue(CAPACITY + 1, 1, 0);
    for (int i = 0; i <= CAPACITY; i++) {
      sends.claim(0).begin(i, SendOperation.of(WrOpcode.SEND), 0, true);
      sends.publish(1);
      assertThat(ring.add(entry.wrId(i), false, sends, i)).isTrue();
    }
    assertThat(told).isEmpty();
    assertThat(sends.free()).isEqualTo(CAPACITY + 1);
    WorkCompletion into = new WorkCompletion();
    for (int i = 0; i < CAPACITY; i++) {
      assertThat(ring.poll(into)).isTrue();
      assertThat(into.wrId()).isEqualTo(i);
    }
    assertThat(ring.poll(into)).isFalse();
  }

  @Test
  void aModeratedEventComesWithTheLastOfSoMany() {
    CompletionRing ring = ring(false, false);
    ring.moderate(3, 500);
    add(ring, 0);
    assertThat(told).as("not asked for").isEmpty();
    ring.arm(false);
    add(ring, 1);
    now += 100;
    add(ring, 2);
    assertThat(told).containsOnly("until 1500");
    told.clear();
    add(ring, 3);
    add(ring, 4);
    assertThat(told).containsExactly("completed");
  }

  @Test
  void aModeratedEventComesWhenTheFirstHasWaitedSoLong() {
    CompletionRing ring = ring(false, false);
    ring.moderate(3, 500);
    ring.arm(false);
    add(ring, 1);
    told.clear();
    ring.expire(1499);
    assertThat(told).containsExactly("until 1500");
    told.clear();
    ring.expire(1500);
    ring.expire(1501);
    assertThat(told).containsExactly("completed");
  }

  @Test
  void onlySolicitedEntriesCountForWhoWaitsForThem() {
    CompletionRing ring = ring(false, false);
    ring.moderate(2, 500);
    ring.arm(true);
    add(ring, 1);
    add(ring, 2);
    ring.expire(9999);
    assertThat(told).isEmpty();
    ring.add(entry, true, null, 0);
    told.clear();
    add(ring, 3);
    assertThat(told).doesNotContain("completed");
    ring.add(entry.status(WcStatus.WR_FLUSH_ERR), false, null, 0);
    assertThat(told).contains("completed");
  }

  @Test
  void anEventThatWaitsIsRaisedWhenItIsToWaitDifferently() {
    CompletionRing ring = ring(false, false);
    ring.moderate(9, 500);
    ring.moderate(3, 500);
    assertThat(told).isEmpty();
    ring.arm(false);
    add(ring, 1);
    told.clear();
    ring.moderate(9, 900);
    assertThat(told).containsExactly("completed");
    ring.expire(9999);
    add(ring, 2);
    assertThat(told).hasSize(1);
  }
}
