package dev.verbena.verbs.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for the events of one object, beside those of others. */
@Timeout(60)
class EventMailboxTest {
  private final CountDownLatch waiting = new CountDownLatch(1);
  private final Lifetime owner =
      Lifetime.root("context", new Population(kind -> 1), () -> Lifetime.NOTHING);
  private final EventMailbox<String> mailbox =
      new EventMailbox<>(owner, new WaitSignal(waiting::countDown), event -> true);

  EventMailboxTest() {
    owner.begin("openDevice", List.of());
    mailbox.push("another's");
  }

  private boolean await(Duration timeout) {
    try {
      return mailbox.await("get", Deadline.after(timeout), "mine", () -> {});
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private CompletableFuture<Boolean> startWaiting() throws InterruptedException {
    CompletableFuture<Boolean> waiter =
        CompletableFuture.supplyAsync(() -> await(Duration.ofDays(1)), Thread::startVirtualThread);
    waiting.await();
    return waiter;
  }

  @Test
  void anEventBehindThoseOfOthersEndsTheWaitAndLeavesThem() throws InterruptedException {
    assertThat(await(Duration.ZERO)).isFalse();
    CompletableFuture<Boolean> waiter = startWaiting();
    mailbox.push("mine");
    assertThat(waiter.join()).isTrue();
    assertThat(await(Duration.ofMillis(1))).isFalse();
    assertThat(mailbox.poll("poll")).isEqualTo("another's");
  }

  @Test
  void aFailureOfTheMailboxEndsTheWait() throws InterruptedException {
    CompletableFuture<Boolean> waiter = startWaiting();
    mailbox.fail(Errno.EIO, "no more come");
    assertThatThrownBy(waiter::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("no more come");
    assertThat(mailbox.poll("poll")).isEqualTo("another's");
  }
}
