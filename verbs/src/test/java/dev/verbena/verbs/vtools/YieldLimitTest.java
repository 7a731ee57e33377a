package dev.verbena.verbs.vtools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a thread learns from its waits. */
class YieldLimitTest {
  private final YieldLimit limit = new YieldLimit();

  private void shortWait() {
    limit.learn(false, false);
  }

  private void longWait() {
    limit.learn(true, false);
  }

  private void crowdedWait() {
    limit.learn(true, true);
  }

  /** Waits until one is to stay awake; returns how many slept at once. */
  private int sleepUntilTrial() {
    int sleeps = 0;
    while (limit.yields() == 0) {
      longWait();
      sleeps++;
    }
    return sleeps;
  }

  @Test
  void longWaitsAmongShortOnesKeepAThreadAwake() {
    for (int i = 0; i < 1000; i++) {
      assertThat(limit.yields()).isEqualTo(YieldLimit.MOST);
      longWait();
      shortWait();
    }
  }

  @Test
  void longWaitsWithoutShortOnesEndInSleepingAtOnce() {
    for (int yields = YieldLimit.MOST; limit.yields() > 0; yields /= 2) {
      assertThat(limit.yields()).isEqualTo(yields);
      longWait();
    }
    assertThat(sleepUntilTrial()).isEqualTo(YieldLimit.FEWEST_SLEEPS);
  }

  @Test
  void whoMeetsThreadsThatComputeSleepsAtOnceAndTriesMoreAndMoreRarely() {
    for (int sleeps = YieldLimit.FEWEST_SLEEPS; sleeps < YieldLimit.MOST_SLEEPS; sleeps *= 2) {
      crowdedWait();
      assertThat(sleepUntilTrial()).isEqualTo(sleeps);
    }
    crowdedWait();
    assertThat(sleepUntilTrial()).isEqualTo(YieldLimit.MOST_SLEEPS);
    crowdedWait();
    assertThat(sleepUntilTrial()).isEqualTo(YieldLimit.MOST_SLEEPS);
  }

  @Test
  void someShortWaitsBesideThreadsThatComputeDoNotMakeTrialsFrequent() {
    for (int i = 0; i < 100; i++) {
      for (int j = 0; j < 10; j++) {
        shortWait();
      }
      crowdedWait();
      sleepUntilTrial();
    }
    crowdedWait();
    assertThat(sleepUntilTrial()).isGreaterThan(YieldLimit.MOST_SLEEPS - 20);
  }

  @Test
  void manyShortWaitsMakeUpForTrialsInVain() {
    for (int i = 0; i < 20; i++) {
      crowdedWait();
      sleepUntilTrial();
    }
    for (int i = 0; i < YieldLimit.MOST_SLEEPS; i++) {
      shortWait();
    }
    assertThat(limit.yields()).isEqualTo(YieldLimit.MOST);
    crowdedWait();
    assertThat(sleepUntilTrial()).isEqualTo(YieldLimit.FEWEST_SLEEPS);
  }
}
