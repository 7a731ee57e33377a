package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.engine.Goodput.Way;
import dev.verbena.soft.engine.tx.PeerWindows;
import dev.verbena.soft.transport.CongestionControls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the congestion control uses a bottleneck, in virtual time. */
class GoodputTest {
  private static final String PLOT = "verbena.goodput.plot";
  private static final long NANOS = 400_000_000;
  private static final long SEED = 1;

  /** More than the limit in flight, which is 42 packets of 1 KiB, and less. */
  private static final int ROOMY = 64 << 10;

  private static final int TIGHT = 32 << 10;

  private static Goodput carried(Way way, Supplier<CongestionControls> control) {
    return Goodput.of(way, control, 1, NANOS, SEED);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 10})
  void aHealthyPathIsFullAndNothingIsSentAgain(double gigabits) {
    Goodput carried = carried(new Way(gigabits, ROOMY, 0), PeerWindows::new);
    assertThat(carried.part()).isGreaterThan(0.98);
    assertThat(carried.again()).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 10})
  void aLossOfOneInAThousandCostsATenthAtMost(double gigabits) {
    assertThat(carried(new Way(gigabits, ROOMY, 0.001), PeerWindows::new).part())
        .isGreaterThan(0.9);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 10})
  void aLossOfOneInAHundredCostsAHalfAtMost(double gigabits) {
    Goodput carried = carried(new Way(gigabits, ROOMY, 0.01), PeerWindows::new);
    assertThat(carried.part()).isGreaterThan(0.5);
    assertThat(carried.part())
        .as("more than with a fixed limit")
        .isGreaterThan(carried(new Way(gigabits, ROOMY, 0.01), Goodput::fixed).part());
  }

  /** Each loss leaves a gap in the IDs of a run. */
  @Test
  void packetsInRunsKeepToTheSameBars() {
    Goodput healthy = carried(new Way(10, ROOMY, 0).inRuns(), PeerWindows::new);
    assertThat(healthy.part()).isGreaterThan(0.98);
    assertThat(healthy.again()).isZero();
    assertThat(carried(new Way(10, ROOMY, 0.001).inRuns(), PeerWindows::new).part())
        .isGreaterThan(0.9);
    assertThat(carried(new Way(10, ROOMY, 0.01).inRuns(), PeerWindows::new).part())
        .isGreaterThan(0.5);
  }

  @Test
  void whereThereIsLessRoomThanMayBeInFlightMostOfThePathIsUsedAllTheSame() {
    Way way = new Way(1, TIGHT, 0);
    Goodput carried = carried(way, PeerWindows::new);
    Goodput fixed = carried(way, Goodput::fixed);
    assertThat(carried.part()).isGreaterThan(0.8);
    assertThat(fixed.part()).isLessThan(0.5);
    assertThat(carried.overruns()).isLessThan(fixed.overruns() / 5);
  }

  @Test
  void connectionsThroughOneBottleneckHaveEvenShares() {
    Goodput carried = Goodput.of(new Way(1, TIGHT, 0.001), PeerWindows::new, 4, NANOS, SEED);
    assertThat(carried.least()).isGreaterThan(0.7);
    assertThat(carried.part()).isGreaterThan(0.7);
  }

  /** Writes the plot of docs/performance.md. */
  @Test
  @EnabledIfSystemProperty(
      named = PLOT,
      matches = ".+",
      disabledReason = "draws a plot where -Dverbena.goodput.plot=FILE says so")
  void thePlotIsDrawn() throws IOException {
    Files.writeString(Path.of(System.getProperty(PLOT)), GoodputPlot.draw(ROOMY, NANOS, SEED));
  }
}
