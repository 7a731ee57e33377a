package dev.verbena.tools.compare;

import dev.verbena.tools.compare.Bound.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Rows that summarize the other rows: conditions on all our measurements. */
final class Summary {
  /** Bytes for each operation; up to this is what the process allocates otherwise. */
  private static final double NOTHING = 0.5;

  private static final Subject OURS =
      Subject.ours(Subject.missing("is made of what the other rows have measured"));

  private static final Metric GARBAGE =
      new Metric(
          "garbage",
          "the most that an operation of any row leaves to the garbage collector in a process (up"
              + " to 0.5 B is what the process allocates otherwise)",
          "B/op",
          false,
          List.of(OURS),
          List.of(Bound.atMost(NOTHING, NOTHING)));

  private static final Metric RESENT =
      new Metric(
          "retransmitted",
          "the most packets of any row that were sent again",
          "packets",
          false,
          List.of(OURS),
          List.of(Bound.atMost(0, 0)));

  /** These rows, without those of which nothing is known. */
  static List<Row> of(List<Row> rows) {
    List<Row> summary = new ArrayList<>();
    add(summary, GARBAGE, rows, Row::garbage);
    add(summary, RESENT, rows, Row::resent);
    return summary;
  }

  private static void add(
      List<Row> summary, Metric metric, List<Row> rows, Function<Row, OptionalDouble> what) {
    Row row = new Row(metric);
    String worst = "";
    double most = -1;
    for (Row each : rows) {
      double value = what.apply(each).orElse(-1);
      if (value > most) {
        most = value;
        worst = each.metric().name();
      }
    }
    if (most < 0) {
      return;
    }
    row.add(OURS, Figure.of(most));
    if (row.verdict() != Verdict.OK) {
      row.fail(OURS, "the most is that of " + worst);
    }
    summary.add(row);
  }

  private Summary() {}
}
