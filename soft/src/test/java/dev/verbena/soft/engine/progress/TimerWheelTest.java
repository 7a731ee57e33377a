package dev.verbena.soft.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.transport.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimerWheelTest {
  private static final long TICK = 1 << 16;
  private static final long TURN = 4096 * TICK;
  private static final int MANY = 10_000;

  private static final class Timer {
    final TimerWheel.Entry<Timer> entry = new TimerWheel.Entry<>(this);
    long deadline = Clock.NEVER;
    int fired;
  }

  private final List<Timer> fired = new ArrayList<>();
  private final TimerWheel<Timer> wheel =
      new TimerWheel<>(
          timer -> {
            timer.fired++;
            fired.add(timer);
          });

  private void arm(Timer timer, long deadline, long now) {
    timer.deadline = deadline;
    if (!wheel.covers(timer.entry, deadline)) {
      wheel.arm(timer.entry, deadline, now);
    }
  }

  @Test
  void firesAfterTheDeadlineAndWithinATick() {
    Timer timer = new Timer();
    arm(timer, 1_000_000, 0);
    assertThat(wheel.nextFiring()).isBetween(1_000_001L, 1_000_000 + TICK);
    wheel.fire(1_000_000);
    assertThat(fired).isEmpty();
    wheel.fire(wheel.nextFiring());
    assertThat(fired).containsExactly(timer);
    assertThat(wheel.nextFiring()).isEqualTo(Clock.NEVER);
    assertThat(wheel.size()).isZero();
  }

  @Test
  void aLaterDeadlineLeavesTheEntryWhereItIs() {
    Timer timer = new Timer();
    arm(timer, 10 * TICK, 0);
    long first = wheel.nextFiring();
    assertThat(wheel.covers(timer.entry, 500 * TICK)).isTrue();
    arm(timer, 500 * TICK, TICK);
    assertThat(wheel.nextFiring()).isEqualTo(first);
    assertThat(wheel.size()).isEqualTo(1);
  }

  @Test
  void anEarlierDeadlineMovesTheEntry() {
    Timer timer = new Timer();
    Timer neighbour = new Timer();
    arm(neighbour, 500 * TICK, 0);
    arm(timer, 500 * TICK, 0);
    arm(timer, 10 * TICK, 0);
    assertThat(wheel.size()).isEqualTo(2);
    wheel.fire(20 * TICK);
    assertThat(fired).containsExactly(timer);
    wheel.fire(501 * TICK);
    assertThat(fired).containsExactly(timer, neighbour);
  }

  @Test
  void aDeadlineBeyondATurnIsLookedAtOnceATurn() {
    Timer timer = new Timer();
    arm(timer, 3 * TURN, 0);
    long now = 0;
    while (timer.deadline > now) {
      now = wheel.nextFiring();
      assertThat(wheel.fire(now)).isEqualTo(1);
      arm(timer, timer.deadline, now);
    }
    assertThat(timer.fired).isBetween(3, 5);
    assertThat(now).isBetween(3 * TURN, 3 * TURN + TICK);
  }

  @Test
  void anIdleTimeOfManyTurnsDoesNotFireWhatIsArmedBehindIt() {
    Timer timer = new Timer();
    long now = 50 * TURN + 12345;
    arm(timer, now + 100 * TICK, now);
    wheel.fire(now + 99 * TICK);
    assertThat(fired).isEmpty();
    wheel.fire(now + 102 * TICK);
    assertThat(fired).containsExactly(timer);
  }

  @Test
  void aDeadlineInThePastFiresAtTheNextTick() {
    Timer timer = new Timer();
    long now = 10 * TURN;
    arm(timer, 5, now);
    wheel.fire(now + TICK);
    assertThat(fired).containsExactly(timer);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void thousandsOfEntriesFireInTimeHoweverTheyAreArmed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Timer[] timers = new Timer[MANY];
    Arrays.setAll(timers, i -> new Timer());
    long now = 0;
    int expired = 0;
    while (expired < 5 * MANY) {
      for (int i = 0; i < 500; i++) {
        Timer timer = timers[random.nextInt(MANY)];
        arm(timer, now + random.nextLong(2 * TURN), now);
      }
      now += random.nextLong(64 * TICK);
      fired.clear();
      wheel.fire(now);
      for (Timer timer : fired) {
        if (timer.deadline <= now) {
          timer.deadline = Clock.NEVER;
          expired++;
        } else {
          arm(timer, timer.deadline, now);
        }
      }
      long time = now;
      assertThat(timers)
          .as("seed %d at %d: overdue timers", seed, now)
          .noneMatch(timer -> time - timer.deadline >= TICK);
    }
  }
}
