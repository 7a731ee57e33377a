package dev.verbena.tools.perf.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** What is computed from times. */
final class ResultsTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void bandwidthIsInMegabytesOrGigabits() {
    BandwidthResult megabytes =
        BandwidthResult.of(1 << 20, 500, SECOND / 2, SECOND / 2000, BandwidthResult.MEGABYTE);
    BandwidthResult gigabits =
        BandwidthResult.of(125_000_000, 8, SECOND, SECOND, BandwidthResult.GIGABIT);

    assertThat(megabytes).isEqualTo(new BandwidthResult(1 << 20, 500, 2000, 1000, 0.001));
    assertThat(gigabits).isEqualTo(new BandwidthResult(125_000_000, 8, 1, 8, 0.000008));
    assertThat(megabytes.row()).matches(" 1048576 +500 +2000.00 +1000.00 +0.001000");
  }

  @Test
  void anUnknownPeakIsZero() {
    assertThat(BandwidthResult.of(1, 1, 1, Double.POSITIVE_INFINITY, 1).peak()).isZero();
  }

  @Test
  void thePeakIsTheBestBetweenAPostAndALaterEnd() {
    PeakMeter peak = new PeakMeter(6);
    peak.posted(0, 0);
    peak.completed(2, 1000);
    peak.posted(2, 2000);
    peak.completed(3, 2300);
    peak.completed(6, 2800);

    assertThat(peak.bestNanos()).isEqualTo(200);
  }

  @Test
  void aPeakOfNothingIsInfinite() {
    assertThat(new PeakMeter(1).bestNanos()).isInfinite();
  }

  @Test
  void latencyIsHalfOfTheTimeThereAndBack() {
    Histogram times = new Histogram(3);
    for (int i = 1; i <= 1000; i++) {
      times.recordValue(i * 1000L);
    }
    LatencyResult result = new LatencyResult(8, 1001, times, 2);

    assertThat((double) result.fields().get("typical_us"))
        .isCloseTo(250, Percentage.withPercentage(0.2));
    assertThat((double) result.fields().get("p99_us"))
        .isCloseTo(495, Percentage.withPercentage(0.2));
    assertThat((double) result.fields().get("min_us")).isCloseTo(0.5, within(0.01));
    assertThat(result.row()).startsWith(" 8       1001 ");
  }

  @Test
  void latencyByTheClockIsTimePerMessage() {
    LatencyResult result = new LatencyResult(8, 1000, new Histogram(3), 2);

    assertThat(result.timedRow(SECOND)).matches(" 8 +1000 +500.00 +1000.00");
  }

  @Test
  void theClockLeavesOutItsMargins() {
    RunClock clock = RunClock.timed(Duration.ofNanos(100), Duration.ofNanos(20));
    clock.start(-50);

    assertThat(clock.counts(-31)).isFalse();
    assertThat(clock.counts(-30)).isTrue();
    assertThat(clock.counts(29)).isTrue();
    assertThat(clock.counts(30)).isFalse();
    assertThat(clock.isOver(49)).isFalse();
    assertThat(clock.isOver(50)).isTrue();
    assertThat(clock.countedNanos()).isEqualTo(60);
  }

  @Test
  void aRunOfANumberOfMessagesIsNeverOverByTheClock() {
    RunClock clock = RunClock.untimed();
    clock.start(0);

    assertThat(clock.isOver(Long.MAX_VALUE)).isFalse();
    assertThat(clock.counts(Long.MAX_VALUE)).isTrue();
  }
}
