package dev.verbena.tools.compare;

import dev.verbena.tools.compare.Bound.Verdict;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/**
 * The rows as an SVG image, light or dark like the reader's screen. A bar shows how many times a
 * bound is reached; bars to the right of the line at 1 reach it. A tick is the goal.
 */
final class Chart {
  private static final int WIDTH = 860;
  private static final int LEFT = 330;
  private static final int RIGHT = 60;
  private static final int LINE = 20;
  private static final int TOP = 40;

  /** The axis goes from one 16th to 16, by powers of two. */
  private static final int DOUBLINGS = 4;

  private static final String STYLE =
      """
      <style>
      .paper { fill: #ffffff; }
      text { font: 12px sans-serif; fill: #24292f; }
      .axis { stroke: #d0d7de; } .one { stroke: #57606a; } .goal { stroke: #24292f; }
      .ok { fill: #2da44e; } .short { fill: #bf8700; } .missed { fill: #cf222e; }
      @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; }
      text { fill: #e6edf3; }
      .axis { stroke: #30363d; } .one { stroke: #8b949e; } .goal { stroke: #e6edf3; }
      .ok { fill: #3fb950; } .short { fill: #d29922; } .missed { fill: #f85149; }
      }
      </style>
      """;

  private final StringBuilder svg = new StringBuilder();
  private final Formatter shapes = new Formatter(svg, Locale.ROOT);

  /** A bar: how many times the bound is reached, and the goal in the same unit. */
  private record Bar(String label, double reached, double goal, Verdict verdict) {
    static Bar of(Row row, Bound bound) {
      double limit = bound.hasMust() ? bound.must() : bound.goal();
      double value = bound.isAbsolute() ? row.ours() : row.ratio(bound.against());
      String against = bound.isAbsolute() ? "" : " : " + bound.against();
      return new Bar(
          row.metric().name() + against,
          bound.atLeast() ? value / limit : limit / value,
          bound.atLeast() ? bound.goal() / limit : limit / bound.goal(),
          bound.judge(value));
    }
  }

  /** The text of the file. */
  static String svg(List<Row> rows) {
    List<Bar> bars = new ArrayList<>();
    for (Row row : rows) {
      row.metric().bounds().stream()
          .map(bound -> Bar.of(row, bound))
          .filter(bar -> Double.isFinite(bar.reached()) && bar.reached() > 0)
          .forEach(bars::add);
    }
    return new Chart().draw(bars);
  }

  private String draw(List<Bar> bars) {
    int height = TOP + bars.size() * LINE + LINE;
    shapes.format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%1$d\""
            + " height=\"%2$d\">%n",
        WIDTH, height);
    svg.append(STYLE);
    svg.append("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    for (int power = -DOUBLINGS; power <= DOUBLINGS; power++) {
      double x = x(Math.scalb(1.0, power));
      line(power == 0 ? "one" : "axis", x, TOP - LINE / 2.0, height - LINE / 2.0);
      String label = power < 0 ? "1/" + (1 << -power) : String.valueOf(1 << power);
      text("middle", x, TOP - LINE, label);
    }
    for (int i = 0; i < bars.size(); i++) {
      draw(bars.get(i), TOP + i * LINE);
    }
    svg.append("</svg>").append(System.lineSeparator());
    return svg.toString();
  }

  private void draw(Bar bar, int top) {
    double one = x(1);
    double end = x(bar.reached());
    text("end", LEFT - 8.0, top + LINE * 0.7, bar.label());
    shapes.format(
        "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
        bar.verdict().text(),
        Math.min(one, end),
        top + 4,
        Math.max(1, Math.abs(end - one)),
        LINE - 8);
    double goal = x(bar.goal());
    line("goal", goal, top + 2.0, top + LINE - 2.0);
    double drawn = Math.max(Math.max(one, end), goal);
    text("start", drawn + 6, top + LINE * 0.7, Table.number(bar.reached()));
  }

  private void line(String type, double x, double from, double to) {
    shapes.format(
        "<line class=\"%s\" x1=\"%.1f\" x2=\"%2$.1f\" y1=\"%.1f\" y2=\"%.1f\"/>%n",
        type, x, from, to);
  }

  private void text(String anchor, double x, double y, String text) {
    shapes.format("<text text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>%n", anchor, x, y, text);
  }

  /** The position of a value on the axis; beyond the axis, its end. */
  private static double x(double value) {
    double doublings = Math.log(value) / Math.log(2);
    double at = (Math.clamp(doublings, -DOUBLINGS, DOUBLINGS) + DOUBLINGS) / (2.0 * DOUBLINGS);
    return LEFT + at * (WIDTH - LEFT - RIGHT);
  }

  private Chart() {}
}
