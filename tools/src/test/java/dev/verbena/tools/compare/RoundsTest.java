package dev.verbena.tools.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The times of a cache line before and after each trial are given. */
final class RoundsTest {
  private final List<String> order = new ArrayList<>();

  private Row measure(DoubleSupplier handOff, double... ours) throws InterruptedException {
    Iterator<Double> figures = DoubleStream.of(ours).boxed().iterator();
    Metric metric =
        new Metric(
            "rate",
            "title",
            "M/s",
            true,
            List.of(
                Subject.ours(
                    _ -> {
                      order.add("ours");
                      return new Figure(figures.next(), 0.1 * order.size(), 1);
                    }),
                Subject.floor(
                    "floor",
                    _ -> {
                      order.add("floor");
                      return Figure.of(10);
                    }),
                Subject.peer("peer", Subject.missing("is not installed"))),
            List.of());
    return new Rounds(3, 4, handOff).measure(metric);
  }

  /** Two for each trial; the last one for ever. */
  private static DoubleSupplier times(double... first) {
    Iterator<Double> all =
        Stream.concat(
                DoubleStream.of(first).boxed(), Stream.generate(() -> first[first.length - 1]))
            .iterator();
    return all::next;
  }

  @Test
  void threeRoundsInTurnAreEnoughWhereNothingMoves() throws Exception {
    Row row = measure(times(30, 33, 29, 45, 31), 1, 2, 3);

    assertThat(order).containsExactly("ours", "floor", "ours", "floor", "ours", "floor");
    assertThat(row.ours()).isEqualTo(2);
    assertThat(row.leftOut()).isZero();
    assertThat(row.handOff()).isEqualTo(33);
    assertThat(row.reasons()).containsOnlyKeys("peer");
  }

  @Test
  void oneProcessorNeverMoves() throws Exception {
    assertThat(measure(() -> 0, 1, 2, 3).ours()).isEqualTo(2);
    assertThat(order).hasSize(6);
  }

  @Test
  void trialsAtAnotherDistanceAndThoseDuringAMoveAreRepeated() throws Exception {
    // Ours is far, then the processors move meanwhile, then all is near; the fifth is for the peer.
    Row row = measure(times(160, 165, 30, 30, 30, 160, 30), 1, 2, 30, 40, 50);

    assertThat(order)
        .as("floor has enough after the third round")
        .containsExactly("ours", "floor", "ours", "floor", "ours", "floor", "ours", "ours");
    assertThat(row.ours()).as("of 30, 40 and 50").isEqualTo(40);
    assertThat(row.leftOut()).isEqualTo(2);
    assertThat(row.handOff()).isEqualTo(30);
  }

  @Test
  void whatDoesNotCountWasStillSentAgainAndLeftGarbage() throws Exception {
    Row row = measure(times(160, 165, 30, 30, 30, 160, 30), 1, 2, 30, 40, 50);

    assertThat(row.resent()).hasValue(5);
    assertThat(row.garbage()).hasValue(0.1 * 8);
  }

  @Test
  void whereProcessorsMoveAllTheTimeAllTrialsCount() throws Exception {
    double[] restless = new double[100];
    for (int i = 0; i < restless.length; i++) {
      restless[i] = i % 2 == 0 ? 30 : 160;
    }
    Row row = measure(times(restless), 1, 2, 3, 4, 5, 6, 7, 8, 9);

    assertThat(order).as("three times as many rounds").hasSize(18);
    assertThat(row.ours()).isEqualTo(5);
    assertThat(row.leftOut()).isZero();
    assertThat(row.handOff()).isNaN();
  }
}
