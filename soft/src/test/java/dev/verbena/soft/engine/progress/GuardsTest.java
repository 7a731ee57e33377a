package dev.verbena.soft.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.verbena.soft.queue.Guard;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static Guard ranked(Rank rank) {
    return new RankedGuard(new LockGuard(), rank);
  }

  private static Thread asleep(Runnable waits) {
    Thread thread = Thread.ofPlatform().daemon().start(waits);
    awaitSleep(thread);
    return thread;
  }

  private static void awaitSleep(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  @Test
  void theTestBuildChecksRanks() {
    assertThat(RankedGuard.make(Rank.CQ)).isInstanceOf(RankedGuard.class);
  }

  @Test
  void aGuardHasOneHolder() {
    Guard guard = new LockGuard();
    guard.enter();
    assertThat(guard.isHeldByCurrentThread()).isTrue();
    assertThat(CompletableFuture.supplyAsync(guard::tryEnter).join()).isFalse();
    assertThat(CompletableFuture.supplyAsync(guard::isHeldByCurrentThread).join()).isFalse();
    guard.exit();
    assertThat(guard.isHeldByCurrentThread()).isFalse();
    assertThat(guard.tryEnter()).isTrue();
    guard.exit();
  }

  @Test
  void onlyTheHolderGivesAGuardBack() {
    Guard guard = new LockGuard();
    assertThatThrownBy(guard::exit).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void aGuardThatChangesHandsIsGivenBackByItsNewHolder() {
    Guard guard = ranked(Rank.POST);
    CompletableFuture.runAsync(guard::enter).join();
    guard.takeOver();
    assertThat(guard.isHeldByCurrentThread()).isTrue();
    assertThat(CompletableFuture.supplyAsync(guard::tryEnter).join()).isFalse();
    guard.exit();
    guard.enter();
    guard.exit();
  }

  @Test
  void aThreadThatSleepsForAGuardMakesNoGarbage() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Guard guard = new LockGuard();
    long[] least = {Long.MAX_VALUE};
    // The first time the JDK loads classes.
    for (int round = 0; round < 5; round++) {
      guard.enter();
      Thread waiting =
          asleep(
              () -> {
                long before = threads.getCurrentThreadAllocatedBytes();
                guard.enter();
                guard.exit();
                least[0] = Math.min(least[0], threads.getCurrentThreadAllocatedBytes() - before);
              });
      guard.exit();
      assertThat(waiting.join(PATIENCE)).isTrue();
    }
    assertThat(least[0]).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allThreadsThatSleepGetIn(boolean opened) throws Exception {
    Guard guard = new LockGuard();
    AtomicInteger entered = new AtomicInteger();
    guard.enter();
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(
          asleep(
              () -> {
                guard.enter();
                entered.incrementAndGet();
                guard.exit();
              }));
    }
    assertThat(entered).hasValue(0);
    if (opened) {
      guard.open();
    } else {
      guard.exit();
    }
    for (Thread thread : waiting) {
      assertThat(thread.join(PATIENCE)).isTrue();
    }
    assertThat(entered).hasValue(4);
  }

  @Test
  void aThreadThatIsInterruptedSleepsOnAndStaysInterrupted() throws Exception {
    Guard guard = new LockGuard();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    guard.enter();
    Thread waiting =
        asleep(
            () -> {
              guard.enter();
              interrupted.complete(Thread.currentThread().isInterrupted());
              guard.exit();
            });
    waiting.interrupt();
    awaitSleep(waiting);
    assertThat(interrupted).isNotDone();
    guard.exit();
    assertThat(waiting.join(PATIENCE)).isTrue();
    assertThat(interrupted).isCompletedWithValue(true);
  }

  @Test
  void noThreadIsForgottenWhereManyWait() throws Exception {
    Guard guard = new LockGuard();
    int[] count = {0};
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    for (int n = 0; n < 10_000; n++) {
                      guard.enter();
                      count[0]++;
                      if (n % 16 == 0) {
                        // Others find it taken for longer than they look.
                        for (int pause = 0; pause < 1_000; pause++) {
                          Thread.onSpinWait();
                        }
                      }
                      guard.exit();
                    }
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(PATIENCE)).isTrue();
    }
    assertThat(count[0]).isEqualTo(40_000);
  }

  @Test
  void ranksMayRise() {
    Guard[] guards = new Guard[Rank.values().length];
    for (Rank rank : Rank.values()) {
      guards[rank.order()] = ranked(rank);
      guards[rank.order()].enter();
    }
    for (Guard guard : guards) {
      guard.exit();
    }
    assertThatCode(
            () -> {
              guards[0].enter();
              guards[0].exit();
            })
        .doesNotThrowAnyException();
  }

  @Test
  void ranksMayNotFall() {
    Guard responder = ranked(Rank.RESPONDER);
    Guard requester = ranked(Rank.REQUESTER);
    responder.enter();
    assertThatThrownBy(requester::enter).isInstanceOf(AssertionError.class);
    assertThatThrownBy(requester::tryEnter).isInstanceOf(AssertionError.class);
    responder.exit();
    requester.enter();
    requester.exit();
  }

  @ParameterizedTest
  @EnumSource(
      value = Rank.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"POLL", "POST"})
  void nobodyHoldsTwoOfARank(Rank rank) {
    Guard one = ranked(rank);
    Guard two = ranked(rank);
    one.enter();
    assertThatThrownBy(two::enter).isInstanceOf(AssertionError.class);
    one.exit();
    two.enter();
    two.exit();
  }

  @Test
  void whatAnApplicationHoldsBetweenItsCallsIsInItsOwnOrder() {
    Guard[] guards = {ranked(Rank.POST), ranked(Rank.POLL), ranked(Rank.POST), ranked(Rank.POLL)};
    for (Guard guard : guards) {
      guard.enter();
      assertThatThrownBy(guard::enter).isInstanceOf(AssertionError.class);
    }
    Guard within = ranked(Rank.LINK_RX);
    within.enter();
    assertThatThrownBy(ranked(Rank.POLL)::enter).isInstanceOf(AssertionError.class);
    assertThatThrownBy(ranked(Rank.POST)::enter).isInstanceOf(AssertionError.class);
    within.exit();
    for (Guard guard : guards) {
      guard.exit();
    }
  }
}
