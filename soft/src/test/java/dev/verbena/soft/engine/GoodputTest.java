package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.engine.Goodput.Packets;
import dev.verbena.soft.engine.Goodput.Way;
import dev.verbena.soft.engine.tx.PeerWindows;
import dev.verbena.soft.transport.CongestionControls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractDoubleAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How the congestion control uses a bottleneck, in virtual time. */
class GoodputTest {
  private static final String PLOT = "verbena.goodput.plot";
  private static final long[] SEEDS = {1, 2, 3, 4};

  /** How long a measurement is, for each seed: the path could carry as many packets. */
  private static final int COUNT = 30_000;

  /** Long enough for a fixed limit to find some way through a bottleneck that is too narrow. */
  private static final int LONG = 48_000;

  /** Less than the limit in flight, which is 42 packets of 1 KiB. */
  private static final int TIGHT = 32 << 10;

  private static Goodput carried(Way way, Supplier<CongestionControls> control) {
    return Goodput.mean(way, control, 1, COUNT, SEEDS);
  }

  private static AbstractDoubleAssert<?> assertPart(Goodput carried) {
    return assertThat(carried.part()).as("mean of the seeds %s", Arrays.toString(SEEDS));
  }

  /** What may be in flight at which speed, gigabits per second. */
  static Stream<Arguments> sendersAndSpeeds() {
    return Stream.of(
        Arguments.of(Packets.SMALL, 1),
        Arguments.of(Packets.SMALL, 10),
        Arguments.of(Packets.SMALL_IN_RUNS, 10),
        Arguments.of(Packets.OF_DEVICE, 1),
        Arguments.of(Packets.OF_DEVICE, 10),
        Arguments.of(Packets.TO_LARGE_BUFFER, 1),
        Arguments.of(Packets.TO_LARGE_BUFFER, 10));
  }

  @ParameterizedTest
  @MethodSource("sendersAndSpeeds")
  void aHealthyPathIsFullAndNothingIsSentAgain(Packets packets, double gigabits) {
    Goodput carried = carried(new Way(gigabits, 0, packets), PeerWindows::new);
    assertPart(carried).isGreaterThan(0.98);
    assertThat(carried.again()).isZero();
  }

  @ParameterizedTest
  @MethodSource("sendersAndSpeeds")
  void aLossOfOneInAThousandCostsATenthAtMost(Packets packets, double gigabits) {
    assertPart(carried(new Way(gigabits, 0.001, packets), PeerWindows::new)).isGreaterThan(0.9);
  }

  @ParameterizedTest
  @MethodSource("sendersAndSpeeds")
  void aLossOfOneInAHundredCostsAHalfAtMost(Packets packets, double gigabits) {
    Way way = new Way(gigabits, 0.01, packets);
    Goodput carried = carried(way, PeerWindows::new);
    assertPart(carried).isGreaterThan(0.5);
    // One seed is enough, because it is far less.
    Goodput fixed = Goodput.mean(way, Goodput::fixed, 1, COUNT, SEEDS[0]);
    assertPart(carried).as("more than with a fixed limit").isGreaterThan(fixed.part());
  }

  @Test
  void whereThereIsLessRoomThanMayBeInFlightMostOfThePathIsUsedAllTheSame() {
    Way way = new Way(1, 0, Packets.SMALL, TIGHT);
    Goodput carried = Goodput.mean(way, PeerWindows::new, 1, LONG, SEEDS);
    Goodput fixed = Goodput.mean(way, Goodput::fixed, 1, LONG, SEEDS);
    assertThat(carried.part()).isGreaterThan(0.8);
    assertThat(fixed.part()).isLessThan(0.5);
    assertThat(carried.overruns()).isLessThan(fixed.overruns() / 5);
  }

  @Test
  void connectionsThroughOneBottleneckHaveEvenShares() {
    Way way = new Way(1, 0.001, Packets.SMALL, TIGHT);
    Goodput carried = Goodput.mean(way, PeerWindows::new, 4, COUNT, SEEDS);
    assertThat(carried.least()).isGreaterThan(0.7);
    assertPart(carried).isGreaterThan(0.7);
  }

  /** Writes the plot of docs/performance.md. */
  @Test
  @EnabledIfSystemProperty(
      named = PLOT,
      matches = ".+",
      disabledReason = "draws a plot where -Dverbena.goodput.plot=FILE says so")
  void thePlotIsDrawn() throws IOException {
    Files.writeString(Path.of(System.getProperty(PLOT)), GoodputPlot.draw(LONG, SEEDS));
  }
}
