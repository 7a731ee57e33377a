package dev.verbena.soft.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeferenceTest {
  private static final long MICROS = 1_000;

  private final Attendance attendance = new Attendance();
  private final Deference deference = new Deference(attendance);
  private long now = 1_000_000_000;

  /** The program calls so often, and then the engine thread wakes. */
  private boolean wakesAfter(int calls) {
    for (int i = 0; i < calls; i++) {
      attendance.comes(now);
      now += MICROS;
      attendance.goes(now);
    }
    now += MICROS;
    return deference.isProven(now, true);
  }

  private int wakingsUntilProven() {
    for (int wakings = 1; wakings < 100_000; wakings++) {
      if (wakesAfter(Deference.LOOP_CALLS)) {
        return wakings;
      }
    }
    throw new AssertionError("never proven");
  }

  @Test
  void stepsBackForAProgramThatPollsBetweenAllWakings() {
    assertThat(wakingsUntilProven()).isEqualTo(Deference.PROOF);
  }

  @Test
  void staysForAProgramThatCallsOnceOrTwiceARound() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(wakesAfter(Deference.LOOP_CALLS - 1)).isFalse();
    }
  }

  @Test
  void staysForAProgramThatPollsUntilItWaitsForItsMemory() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(wakesAfter(100)).isFalse();
      // The packet that changes the memory.
      now += 30 * MICROS;
      assertThat(deference.isProven(now, true)).isFalse();
    }
  }

  @Test
  void stepsBackForAProgramThatTakesAllPacketsItself() {
    for (int i = 1; i < Deference.PROOF; i++) {
      attendance.goes(now);
      assertThat(deference.isProven(now, false)).isFalse();
    }
    assertThat(deference.isProven(now, false)).isTrue();
  }

  @Test
  void oneLongCallIsALoop() {
    attendance.comes(now);
    for (int i = 1; i < Deference.PROOF; i++) {
      now += MICROS;
      assertThat(deference.isProven(now, true)).isFalse();
    }
    assertThat(deference.isProven(now, true)).isTrue();
  }

  @Test
  void aThreadThatIsAboutToSleepRefutesTheProof() {
    for (int i = 1; i < Deference.PROOF; i++) {
      wakesAfter(Deference.LOOP_CALLS);
    }
    deference.refute();
    assertThat(wakingsUntilProven()).isEqualTo(Deference.PROOF);
  }

  @Test
  void aLoopThatStopsAtOnceHasToProveTwiceAsMuchTheNextTime() {
    wakingsUntilProven();
    now += 1_000 * MICROS;
    assertThat(deference.goesOn(now)).isFalse();
    deference.wasTooLong();
    assertThat(wakingsUntilProven()).isEqualTo(2 * Deference.PROOF);
  }

  @Test
  void aLoopThatHasRunForLongIsTrustedAgain() {
    wakingsUntilProven();
    deference.wasTooLong();
    wakingsUntilProven();
    for (int i = 0; i < Deference.SHORT_PAUSES; i++) {
      assertThat(deference.pause()).isEqualTo(Deference.SHORT_PAUSE_NANOS);
      attendance.goes(now);
      assertThat(deference.goesOn(now)).isTrue();
    }
    assertThat(deference.pause()).isEqualTo(Deference.LONG_PAUSE_NANOS);
    deference.wasTooLong();
    assertThat(wakingsUntilProven()).isEqualTo(Deference.PROOF);
  }

  @Test
  void aLoopThatHasOnlyLostItsProcessorIsWaitedFor() {
    wakingsUntilProven();
    for (int round = 0; round < 10; round++) {
      now += 1_000 * MICROS;
      for (int i = 1; i < Deference.MOST_QUIET; i++) {
        assertThat(deference.goesOn(now)).isFalse();
        assertThat(deference.waits()).isTrue();
      }
      attendance.goes(now);
      assertThat(deference.goesOn(now)).isTrue();
    }
    now += 1_000 * MICROS;
    for (int i = 1; i < Deference.MOST_QUIET; i++) {
      assertThat(deference.waits()).isTrue();
    }
    assertThat(deference.waits()).as("it does not come back").isFalse();
  }

  @Test
  void pollsThatTakePacketsCountOnlyWhileTheThreadSleeps() {
    Attendance polls = new Attendance();
    Deference deference = new Deference(polls);
    assertThat(takes(polls, 2 * Attendance.MOST_MISSED)).isEqualTo(2);
    assertThat(deference.isProven(TimeUnit.SECONDS.toNanos(1), true)).isFalse();
    deference.sleeps();
    assertThat(takes(polls, Attendance.MOST_MISSED - 1)).isZero();
    assertThat(deference.isProven(TimeUnit.SECONDS.toNanos(1), true)).isFalse();
    deference.sleeps();
    assertThat(takes(polls, Attendance.MOST_MISSED)).isEqualTo(1);
    assertThat(deference.isProven(TimeUnit.SECONDS.toNanos(1), true)).isTrue();
    assertThat(deference.isProven(TimeUnit.SECONDS.toNanos(1), true)).isFalse();
  }

  @Test
  void callsOfASleepThatHasMissedMuchProveNoLoopAfterIt() {
    deference.sleeps();
    takes(attendance, Attendance.MOST_MISSED);
    assertThat(deference.isProven(now, true)).isTrue();
    wakesAfter(Deference.LOOP_CALLS - 1);
    assertThat(wakingsUntilProven()).isEqualTo(Deference.PROOF);
  }

  /** Takes packets so often; returns how often the engine thread is to be woken. */
  private static int takes(Attendance polls, int times) {
    int wakes = 0;
    for (int i = 0; i < times; i++) {
      polls.comes(0);
      polls.goes(0, 0);
      polls.comes(0);
      wakes += polls.goes(0, 1) ? 1 : 0;
    }
    return wakes;
  }
}
