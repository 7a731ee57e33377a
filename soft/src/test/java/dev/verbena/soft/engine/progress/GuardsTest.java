package dev.verbena.soft.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.queue.Guard;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GuardsTest {
  private static Guard ranked(Rank rank) {
    return new RankedGuard(new LockGuard(), rank);
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
