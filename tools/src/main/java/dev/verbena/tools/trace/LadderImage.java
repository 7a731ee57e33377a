package dev.verbena.tools.trace;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/**
 * Ladders as an SVG image, light or dark like the reader's screen. What has a remark stands out,
 * and so does a refusal; what was dropped ends at a cross. A thin line is between two messages.
 * Arrows slope because time goes down.
 */
final class LadderImage {
  private static final int WIDTH = 1100;
  private static final int NUMBERS = 80;
  private static final int TIMES = 178;
  private static final int LEFT = 190;
  private static final int RIGHT = 690;
  private static final int ROW = 28;
  private static final int SLOPE = 6;
  private static final int MARGIN = 30;

  /** From the line between two messages to the first packet of the second one. */
  private static final int BEGIN = 19;

  private static final int HEAD = 64;

  /** How far what was dropped gets, behind its text. */
  private static final int DROP = 440;

  private static final int CROSS = 5;

  /** Room for a letter of a remark, rather too much than too little. */
  private static final int LETTER = 8;

  private static final String STYLE =
      """
      <style>
      .paper { fill: #ffffff; }
      text { font: 12px sans-serif; fill: #24292f; }
      .end { font-weight: bold; } .when { fill: #57606a; }
      .bar { stroke: #8c959f; stroke-width: 2; } .begin { stroke: #d0d7de; }
      .plain { stroke: #57606a; fill: #57606a; } .odd { stroke: #bc4c00; fill: #bc4c00; }
      .remark { fill: #bc4c00; }
      .dropped { stroke: #cf222e; stroke-dasharray: 6 4; }
      .cross { stroke: #cf222e; stroke-width: 3; }
      @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; }
      text { fill: #e6edf3; } .when { fill: #8b949e; }
      .bar { stroke: #6e7681; } .begin { stroke: #30363d; }
      .plain { stroke: #8b949e; fill: #8b949e; } .odd { stroke: #f0883e; fill: #f0883e; }
      .remark { fill: #f0883e; }
      .dropped, .cross { stroke: #ff7b72; }
      }
      </style>
      """;

  private final StringBuilder svg = new StringBuilder();
  private final Formatter shapes = new Formatter(svg, Locale.ROOT);

  /** The text of the file. */
  static String svg(List<Ladder> ladders) {
    return new LadderImage().draw(ladders);
  }

  private String draw(List<Ladder> ladders) {
    int height = ladders.stream().mapToInt(LadderImage::height).sum();
    shapes.format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%1$d\""
            + " height=\"%2$d\">%n",
        width(ladders), height);
    svg.append(STYLE);
    svg.append("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    int top = 0;
    for (Ladder ladder : ladders) {
      draw(ladder, top);
      top += height(ladder);
    }
    return svg.append("</svg>\n").toString();
  }

  /** So that no remark is cut off; a capture may have comments of any length. */
  private static int width(List<Ladder> ladders) {
    int longest =
        ladders.stream()
            .flatMap(ladder -> ladder.rungs().stream())
            .mapToInt(rung -> rung.remark().length())
            .max()
            .orElse(0);
    return Math.max(WIDTH, RIGHT + 10 + longest * LETTER);
  }

  private static int height(Ladder ladder) {
    return HEAD + (ladder.rungs().size() + 1) * ROW;
  }

  private void draw(Ladder ladder, int top) {
    int first = top + HEAD;
    int last = top + height(ladder) - ROW;
    text("end", "middle", LEFT, first - 36, ladder.leftEnd());
    text("end", "middle", RIGHT, first - 36, ladder.rightEnd());
    text("when", "end", NUMBERS, first - 16, "packet");
    text("when", "end", TIMES, first - 16, "seconds");
    for (int x : new int[] {LEFT, RIGHT}) {
      shapes.format(
          "<line class=\"bar\" x1=\"%d\" x2=\"%1$d\" y1=\"%d\" y2=\"%d\"/>%n", x, first - 28, last);
    }
    int y = first;
    for (Rung rung : ladder.rungs()) {
      if (rung.begins() && y > first) {
        line("begin", MARGIN, y - BEGIN, RIGHT, y - BEGIN);
      }
      draw(rung, y);
      y += ROW;
    }
    if (ladder.left() > 0) {
      text("when", "start", LEFT + 10, last + 16, ladder.left() + " more packets are not shown");
    }
  }

  private void draw(Rung rung, int y) {
    text("when", "end", NUMBERS, y + 4, String.valueOf(rung.number()));
    text("when", "end", TIMES, y + 4, rung.time());
    int forth = rung.toTheRight() ? 1 : -1;
    int from = rung.toTheRight() ? LEFT : RIGHT;
    int way = rung.dropped() ? DROP : RIGHT - LEFT;
    int to = from + forth * way;
    int end = y + SLOPE * way / (RIGHT - LEFT);
    String look =
        rung.dropped()
            ? "dropped"
            : rung.remarks().isEmpty() && !rung.text().contains("NAK") ? "plain" : "odd";
    line(look, from, y, to, end);
    if (rung.dropped()) {
      line("cross", to - CROSS, end - CROSS, to + CROSS, end + CROSS);
      line("cross", to - CROSS, end + CROSS, to + CROSS, end - CROSS);
    } else {
      int back = to - forth * 9;
      shapes.format(
          "<polygon class=\"%s\" points=\"%d,%d %d,%d %d,%d\"/>%n",
          look, to, end, back, end - 4, back, end + 4);
    }
    text("what", "middle", (LEFT + RIGHT) / 2, y - 4, rung.text());
    text("remark", "start", RIGHT + 10, y + SLOPE, rung.remark());
  }

  private void line(String look, int x1, int y1, int x2, int y2) {
    shapes.format(
        "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n", look, x1, y1, x2, y2);
  }

  private void text(String look, String anchor, int x, int y, String text) {
    if (!text.isEmpty()) {
      shapes.format(
          "<text class=\"%s\" text-anchor=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n",
          look, anchor, x, y, text.replace("&", "&amp;").replace("<", "&lt;"));
    }
  }

  private LadderImage() {}
}
