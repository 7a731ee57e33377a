package dev.verbena.tools.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.compare.Bound.Verdict;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RowTest {
  private static final Subject OURS = Subject.ours(Subject.missing("unused"));
  private static final Subject FLOOR = Subject.floor("floor", Subject.missing("unused"));
  private static final Subject SLOW = Subject.peer("slow", Subject.missing("unused"));
  private static final Subject FAST = Subject.peer("fast", Subject.missing("unused"));

  @ParameterizedTest
  @CsvSource({
    "true, 0.7, 0.9, 0.9, OK",
    "true, 0.7, 0.9, 0.7, SHORT",
    "true, 0.7, 0.9, 0.69, MISSED",
    "false, 3, 1.5, 1.5, OK",
    "false, 3, 1.5, 3, SHORT",
    "false, 3, 1.5, 3.01, MISSED",
    "true, NaN, 1, 0.1, SHORT"
  })
  void aRatioIsJudgedByMustAndGoal(
      boolean atLeast, double must, double goal, double ratio, Verdict verdict) {
    assertThat(new Bound("floor", atLeast, must, goal).judge(ratio)).isEqualTo(verdict);
  }

  @Test
  void theWorstVerdictOfAllBoundsCounts() {
    Row row = row(true, Bound.atLeast(0.5, 0.6, "floor"), Bound.atLeast(15, 30));
    row.add(FLOOR, Figure.of(20));
    row.add(OURS, Figure.of(20));

    assertThat(row.verdict()).isEqualTo(Verdict.SHORT);
  }

  @Test
  void whatWasNotMeasuredIsMissed() {
    Row row = row(true, Bound.atLeast(0.5, 0.6, "floor"));
    row.fail(OURS, "is not built yet");
    assertThat(row.verdict()).isEqualTo(Verdict.MISSED);

    row.add(OURS, Figure.of(1));
    assertThat(row.verdict()).as("without the floor").isEqualTo(Verdict.MISSED);
  }

  @Test
  void aPeerThatIsNotInstalledHasNoGoalForUs() {
    Row row = row(true, Bound.atLeast(Double.NaN, 0.6, "slow"));
    row.add(OURS, Figure.of(1));
    row.fail(SLOW, "cannot be run");

    assertThat(row.verdict()).isEqualTo(Verdict.OK);
    assertThat(row.isWorthTrying(SLOW)).isFalse();
  }

  @Test
  void aMustIsNotJudgedIfItsPeerIsAbsent() {
    Row row = row(true, Bound.atLeast(0.5, 0.6, "slow"), Bound.atLeast(0.5, 2));
    row.add(OURS, Figure.of(1));
    row.fail(SLOW, "cannot be run");
    assertThat(row.verdict()).isEqualTo(Verdict.ABSENT);
    assertThat(printed(row)).contains(" absent ").contains("    slow: cannot be run");

    Row missed = row(true, Bound.atLeast(0.5, 0.6, "slow"), Bound.atLeast(2, 2));
    missed.add(OURS, Figure.of(1));
    assertThat(missed.verdict()).isEqualTo(Verdict.MISSED);
  }

  @Test
  void theFigureIsTheMedianOfItsTrials() {
    Row row = row(true);
    for (double each : new double[] {1, 100, 3}) {
      row.add(OURS, Figure.of(each));
    }
    assertThat(row.ours()).isEqualTo(3);

    row.add(OURS, Figure.of(5));
    assertThat(row.ours()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"true, fast", "false, slow"})
  void theBestPeerDependsOnWhatIsBetter(boolean moreIsBetter, String best) {
    Row row = row(moreIsBetter);
    row.add(SLOW, Figure.of(1));
    row.add(FAST, Figure.of(2));

    assertThat(row.bestPeer()).map(Subject::name).hasValue(best);
  }

  @Test
  void theSummaryHasTheWorstOfOurTrials() {
    Row one = row(true);
    one.add(OURS, new Figure(1, 0.1, 0));
    one.add(OURS, new Figure(1, 3, 7));
    one.add(SLOW, new Figure(1, 1000, 1000));
    Row other = row(true);
    other.add(OURS, new Figure(1, 2, Double.NaN));

    List<Row> summary = Summary.of(List.of(one, other));

    assertThat(summary)
        .extracting(each -> each.metric().name())
        .containsExactly("garbage", "retransmitted");
    assertThat(summary).extracting(Row::ours).containsExactly(3.0, 7.0);
    assertThat(summary).extracting(Row::verdict).containsOnly(Verdict.MISSED);
    assertThat(Summary.of(List.of(row(true)))).isEmpty();
  }

  @Test
  void whatOurDeviceSentAgainAsAFloorCountsAndItsGarbageDoesNot() {
    Row row = row(true);
    row.add(OURS, new Figure(1, 0.1, 3));
    row.add(FLOOR, new Figure(1, 9, 4));
    row.add(FLOOR, Figure.of(1));
    row.add(SLOW, new Figure(1, 9, 1000));

    assertThat(row.resent()).hasValue(7);
    assertThat(row.garbage()).hasValue(0.1);
  }

  /** Ours is 4, of which 2 are a must, and 8 the goal: twice the must, of four times. */
  @Test
  void theChartHasABarOfAllThatIsAsked() {
    Row row =
        row(true, Bound.atLeast(0.5, 2, "floor"), Bound.atMost(1, 1), Bound.atLeast(1, 1, "slow"));
    row.add(OURS, Figure.of(4));
    row.add(FLOOR, Figure.of(4));

    String svg = Chart.svg(List.of(row));

    assertThat(svg)
        .contains("<rect class=\"short\" x=\"565.0\" y=\"44\" width=\"58.8\"")
        .contains("<line class=\"goal\" x1=\"682.5\"")
        .contains("name : floor</text>", ">2.00</text>", "<rect class=\"missed\"", ">0.250</text>")
        .contains("prefers-color-scheme: dark")
        .doesNotContain("slow")
        .endsWith("</svg>" + System.lineSeparator());
  }

  @Test
  void theTableTellsFiguresRatiosAndReasons() {
    Row row = row(true, Bound.atLeast(0.5, 0.6, "floor"));
    row.add(OURS, Figure.of(3));
    row.add(FLOOR, Figure.of(4));
    row.add(SLOW, Figure.of(1234.5));
    row.fail(FAST, "cannot be run");

    assertThat(printed(row))
        .matches("(?s)name +M/s +3.00 +slow 1235? +floor 4.00 +ok +floor 0.750, slow 0.00243\\R.*")
        .contains("    fast: cannot be run");
    assertThat(Table.json(List.of(row)))
        .contains("\"ours\":3.0", "\"best_peer\":\"slow\"", "\"floor\":0.75", "\"fast\":null")
        .endsWith("\"verdict\":\"ok\"}]}");
  }

  @Test
  void theTableTellsPeersThatAreNotTheBestOnALineOfTheirOwn() {
    Row row = row(true);
    row.add(OURS, Figure.of(3));
    row.add(SLOW, Figure.of(2));
    row.add(FAST, Figure.of(4));
    assertThat(printed(row))
        .matches("(?s)name +M/s +3.00 +fast 4.00 +floor - +ok +fast 0.750\\R.*")
        .contains("    also slow 2.00 (ours by 1.50)");

    Row bound = row(true, Bound.atLeast(1, 1, "slow"));
    bound.add(OURS, Figure.of(3));
    bound.add(SLOW, Figure.of(2));
    bound.add(FAST, Figure.of(4));
    assertThat(printed(bound)).contains("slow 1.50, fast 0.750").doesNotContain("also");
  }

  private static String printed(Row row) {
    StringWriter text = new StringWriter();
    Table.print(new PrintWriter(text, true), row);
    return text.toString();
  }

  private static Row row(boolean moreIsBetter, Bound... bounds) {
    return new Row(
        new Metric(
            "name",
            "title",
            "M/s",
            moreIsBetter,
            List.of(OURS, FLOOR, SLOW, FAST),
            List.of(bounds)));
  }
}
