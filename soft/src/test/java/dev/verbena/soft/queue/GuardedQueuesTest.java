package dev.verbena.soft.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Every call takes the guards that it needs, in order, and releases them. */
class GuardedQueuesTest {
  private final List<String> log = new ArrayList<>();
  private final CheckedGuard poll = new CheckedGuard("poll", log);
  private final WorkCompletion entry = new WorkCompletion();
  private long now = 100;

  private CompletionRing ring(boolean ignoresOverrun) {
    return new CompletionRing(
        2,
        new CheckedGuard("add", log),
        poll,
        new CompletionRing.Options(() -> now, true, ignoresOverrun),
        new CompletionRing.Listener() {
          @Override
          public void completed() {
            log.add("completed");
          }

          @Override
          public void waitsUntil(long deadline) {
            log.add("until " + deadline);
          }

          @Override
          public void overrun() {
            log.add("overrun");
          }
        });
  }

  private void assertTakes(ThrowingCallable call, String... expected) {
    log.clear();
    try {
      call.call();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    assertThat(log).containsExactly(expected);
  }

  @Test
  void aRingIsAddedToUnderOneGuardAndPolledUnderTheOther() {
    CompletionRing ring = ring(false);
    WorkCompletion[] into = {new WorkCompletion(), new WorkCompletion()};
    assertTakes(() -> assertThat(ring.poll(into[0])).isFalse());
    assertTakes(() -> assertThat(ring.poll(2, into)).isZero());
    assertTakes(() -> assertThat(ring.add(entry, false, null, 0)).isTrue(), "+add", "-add");
    assertTakes(() -> assertThat(ring.poll(into[0])).isTrue(), "+poll", "-poll");
    assertTakes(() -> ring.arm(false), "+add", "-add");
    assertTakes(
        () -> assertThat(ring.add(entry, false, null, 0)).isTrue(), "+add", "completed", "-add");
    assertTakes(() -> assertThat(ring.poll(2, into)).isEqualTo(1), "+poll", "-poll");
    ring.add(entry, false, null, 0);
    assertTakes(
        () ->
            assertThatThrownBy(() -> ring.poll(1, new WorkCompletion[1]))
                .isInstanceOf(VerbsException.class),
        "+poll",
        "-poll");
    assertTakes(() -> ring.purge(0, true), "+poll", "+add", "-add", "-poll");
    assertThat(ring.isEmpty()).isTrue();
    poll.enter();
    assertTakes(() -> ring.purge(0, true), "+add", "-add");
    assertThat(poll.isHeldByCurrentThread()).isTrue();
    poll.exit();
    assertTakes(() -> assertThat(ring.resize(3)).isTrue(), "+add", "-add");
    assertThat(ring.capacity()).isEqualTo(3);
  }

  @Test
  void whoWaitsToPollARingThatIsClosedGetsInAndFindsNothing() {
    CompletionRing ring = ring(false);
    WorkCompletion[] into = {new WorkCompletion()};
    ring.add(entry, false, null, 0);
    assertTakes(ring::close, "open poll");
    assertTakes(() -> assertThat(ring.poll(into[0])).isFalse(), "+poll", "-poll");
    assertTakes(() -> assertThat(ring.poll(1, into)).isZero(), "+poll", "-poll");
    assertTakes(() -> ring.purge(0, true), "+poll", "+add", "-add", "-poll");
    assertThat(ring.isEmpty()).as("a purge leaves it alone").isFalse();
  }

  @Test
  void anEntryThatIsTakenWhileAnotherThreadLooksIsNotFoundByIt() {
    CompletionRing[] ring = new CompletionRing[1];
    WorkCompletion into = new WorkCompletion();
    Guard taking =
        new Guard() {
          private boolean nested;

          @Override
          public void enter() {
            if (!nested) {
              nested = true;
              assertThat(ring[0].poll(new WorkCompletion())).isTrue();
            }
          }

          @Override
          public boolean tryEnter() {
            return true;
          }

          @Override
          public void exit() {}

          @Override
          public void takeOver() {}

          @Override
          public void open() {}

          @Override
          public boolean isHeldByCurrentThread() {
            return false;
          }
        };
    ring[0] =
        new CompletionRing(
            4,
            Guard.NONE,
            taking,
            CompletionRing.Options.usual(() -> 0),
            CompletionRing.Listener.NONE);
    ring[0].add(entry, false, null, 0);
    assertThat(ring[0].poll(into)).isFalse();
  }

  @Test
  void anOverrunIsToldUnderTheGuardOrIgnored() {
    CompletionRing strict = ring(false);
    CompletionRing lenient = ring(true);
    SendQueue sends = new SendQueue(4, 1, 0);
    for (int i = 0; i < 3; i++) {
      sends.claim(i).begin(i, SendOperation.of(WrOpcode.SEND), 0, true);
    }
    sends.publish(3);
    for (int i = 0; i < 2; i++) {
      assertThat(strict.add(entry, false, null, 0)).isTrue();
      assertThat(lenient.add(entry, false, sends, i)).isTrue();
    }
    assertTakes(
        () -> assertThat(strict.add(entry, false, null, 0)).isFalse(), "+add", "overrun", "-add");
    assertTakes(() -> assertThat(strict.add(entry, false, null, 0)).isFalse(), "+add", "-add");
    assertThat(sends.free()).isEqualTo(1);
    assertTakes(() -> assertThat(lenient.add(entry, false, sends, 2)).isTrue(), "+add", "-add");
    assertThat(sends.free()).as("nobody will poll it").isEqualTo(4);
    assertThat(lenient.add(entry, false, null, 0)).isTrue();
  }

  @Test
  void aModeratedEventComesUnderTheGuardOfThoseWhoAdd() {
    CompletionRing ring = ring(true);
    ring.moderate(3, 50);
    ring.arm(false);
    assertTakes(() -> ring.add(entry, false, null, 0), "+add", "until 150", "-add");
    assertTakes(() -> ring.expire(149), "+add", "until 150", "-add");
    assertTakes(() -> ring.expire(150), "+add", "completed", "-add");
    assertTakes(() -> ring.expire(151), "+add", "-add");
    ring.arm(false);
    ring.poll(new WorkCompletion());
    ring.add(entry, false, null, 0);
    assertTakes(() -> ring.moderate(0, 0), "+add", "completed", "-add");
    assertTakes(() -> ring.moderate(0, 0), "+add", "-add");
  }

  @Test
  void aRingIsMadeSmallerOnlyForAsManyAsWait() {
    CompletionRing ring = ring(false);
    assertThat(ring.resize(100)).isTrue();
    for (int i = 0; i < 70; i++) {
      assertThat(ring.add(entry.wrId(i), false, null, 0)).isTrue();
    }
    assertTakes(() -> assertThat(ring.resize(69)).isFalse(), "+add", "-add");
    assertThat(ring.capacity()).isEqualTo(100);
    assertThat(ring.resize(70)).isTrue();
    assertThat(ring.add(entry, false, null, 0)).isFalse();
    WorkCompletion into = new WorkCompletion();
    for (int i = 0; i < 70; i++) {
      assertThat(ring.poll(into)).isTrue();
      assertThat(into.wrId()).isEqualTo(i);
    }
    assertThat(CompletionRing.unused().capacity()).isEqualTo(1);
  }

  @Test
  void aSharedQueueIsTakenFromUnderItsGuard() {
    SharedRecvQueue queue =
        new SharedRecvQueue(
            2, 3, new CheckedGuard("queue", log), () -> log.add("limit " + log.size()));
    assertThat(queue.maxSge()).isEqualTo(3);
    RecvWqe spare = queue.newSpare();
    assertTakes(() -> assertThat(queue.take(spare)).isNull(), "+queue", "-queue");
    assertTakes(() -> assertThat(queue.isEmpty()).isTrue(), "+queue", "-queue");
    assertTakes(
        () -> {
          queue.enter();
          queue.claim(0).begin(1);
          queue.claim(1).begin(2);
          assertThat(queue.claim(0)).isNotSameAs(queue.claim(1));
          queue.publish(2);
          queue.arm(2);
          queue.exit();
        },
        "+queue",
        "-queue");
    assertTakes(() -> assertThat(queue.isEmpty()).isFalse(), "+queue", "-queue");
    RecvWqe[] taken = new RecvWqe[1];
    assertTakes(() -> taken[0] = queue.take(spare), "+queue", "limit 1", "-queue");
    assertThat(taken[0]).extracting(RecvWqe::wrId).isEqualTo(1L);
    assertThat(queue.limit()).isZero();
    RecvWqe[] back = new RecvWqe[1];
    assertTakes(() -> back[0] = queue.putBack(taken[0]), "+queue", "-queue");
    assertThat(back[0]).as("what stood in its place").isSameAs(spare);
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.take(spare)).isSameAs(taken[0]);
    queue.claim(0).begin(3);
    queue.publish(1);
    RecvWqe made = queue.putBack(taken[0]);
    assertThat(made).as("there is no place left, and so no spare").isNotNull().isNotSameAs(spare);
    assertThat(queue.size()).isEqualTo(3);
    assertThat(queue.free()).isZero();
    assertThat(queue.take(spare)).isSameAs(taken[0]);
    assertThat(queue.take(spare)).extracting(RecvWqe::wrId).isEqualTo(2L);
  }
}
