package dev.verbena.tools.compare;

import dev.verbena.tools.kit.ToolException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Measures a row in turns, so that other load on the computer affects all subjects.
 *
 * <p>The host of a virtual computer moves its processors, now to a pair that shares a cache, now to
 * one that does not. Then a cache line takes several times as long from one to the other, and so
 * does all that two threads or processes pass on to each other. So only trials count between which
 * that time was about the same, and rounds of those that lack trials follow until there are enough.
 */
final class Rounds {
  /** Times of which one is at most so many times the other are about the same. */
  private static final double ALIKE = 1.8;

  /** If the processors are moved all the time, there are so many times as many rounds as wanted. */
  private static final int PATIENCE = 3;

  private final int wanted;
  private final int seconds;
  private final DoubleSupplier handOff;

  /** A trial, and how long a cache line took then: NaN if that has changed meanwhile. */
  private record Trial(Subject subject, Figure figure, double handOff) {}

  /**
   * @param wanted rounds
   * @param seconds of a trial
   * @param handOff how long a cache line takes from one processor to the other now, in nanoseconds;
   *     0 if there is only one
   */
  Rounds(int wanted, int seconds, DoubleSupplier handOff) {
    this.wanted = wanted;
    this.seconds = seconds;
    this.handOff = handOff;
  }

  /** All trials of a row. */
  Row measure(Metric metric) throws InterruptedException {
    Row row = new Row(metric);
    List<Trial> all = new ArrayList<>();
    List<Trial> best = List.of();
    for (int round = 0; round < PATIENCE * wanted && rounds(best, row) < wanted; round++) {
      for (Subject subject : metric.subjects()) {
        if (row.isWorthTrying(subject) && (round < wanted || trials(best, subject) < wanted)) {
          tryOnce(row, subject, all);
        }
      }
      best = best(all, row);
    }
    // Without a whole round there is nothing better than all of them.
    List<Trial> counted = rounds(best, row) == 0 ? all : best;
    counted.forEach(each -> row.add(each.subject, each.figure));
    List<Trial> others = new ArrayList<>(all);
    others.removeAll(counted);
    others.forEach(each -> row.leaveOut(each.subject, each.figure));
    if (!all.isEmpty()) {
      row.handOff(counted.getFirst().handOff);
    }
    return row;
  }

  private void tryOnce(Row row, Subject subject, List<Trial> all) throws InterruptedException {
    try {
      double before = handOff.getAsDouble();
      Figure figure = subject.trial().run(seconds);
      double after = handOff.getAsDouble();
      all.add(new Trial(subject, figure, areAlike(before, after) ? after : Double.NaN));
    } catch (Subject.Unavailable | ToolException e) {
      row.fail(subject, String.valueOf(e.getMessage()));
    }
  }

  /** Those trials between which the time was about the same that make the most rounds. */
  private static List<Trial> best(List<Trial> all, Row row) {
    return all.stream()
        .map(first -> all.stream().filter(each -> areAlike(each.handOff, first.handOff)).toList())
        .max(Comparator.comparingLong(alike -> rounds(alike, row)))
        .orElse(List.of());
  }

  /** How often each subject that can be measured was. */
  private static long rounds(List<Trial> trials, Row row) {
    return row.metric().subjects().stream()
        .filter(row::isWorthTrying)
        .mapToLong(subject -> trials(trials, subject))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static long trials(List<Trial> trials, Subject subject) {
    return trials.stream().filter(each -> each.subject.equals(subject)).count();
  }

  private static boolean areAlike(double one, double other) {
    return Math.max(one, other) <= ALIKE * Math.min(one, other);
  }
}
