package dev.verbena.soft.engine;

import dev.verbena.soft.engine.Goodput.Packets;
import dev.verbena.soft.engine.Goodput.Way;
import dev.verbena.soft.engine.tx.PeerWindows;
import dev.verbena.soft.transport.CongestionControls;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Draws the used fraction of a bottleneck against packet loss, as SVG, light or dark like the
 * reader's screen.
 */
final class GoodputPlot {
  private static final double[] LOSSES = {0, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03};
  private static final String[] LABELS = {"0", "0.01 %", "0.03 %", "0.1 %", "0.3 %", "1 %", "3 %"};
  private static final int LEFT = 60;
  private static final int TOP = 20;
  private static final int STEP = 80;
  private static final int HEIGHT = 260;
  private static final int WIDTH = (LOSSES.length - 1) * STEP;

  private static final String STYLE =
      """
      <style>
      .paper { fill: #ffffff; }
      text { font: 12px sans-serif; fill: #24292f; }
      line { stroke: #d0d7de; }
      .fast { stroke: #1f5fbf; } .slow { stroke: #bf3f1f; }
      .wide { stroke: #1a7f37; } .wider { stroke: #8250df; }
      @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; }
      text { fill: #e6edf3; }
      line { stroke: #30363d; }
      .fast { stroke: #58a6ff; } .slow { stroke: #ff7b72; }
      .wide { stroke: #3fb950; } .wider { stroke: #a371f7; }
      }
      </style>
      <rect class="paper" width="100%" height="100%"/>
      """;

  private final StringBuilder svg = new StringBuilder();
  private final int count;
  private final long[] seeds;
  private int curves;

  private GoodputPlot(int count, long[] seeds) {
    this.count = count;
    this.seeds = seeds;
  }

  /**
   * @param count packets that the path could carry in each measurement
   * @param seeds each point is their mean
   */
  static String draw(int count, long... seeds) {
    GoodputPlot plot = new GoodputPlot(count, seeds);
    plot.frame();
    plot.curve("10 Gbit/s, 4 KiB, 151 in flight", "wider", 10, Packets.TO_LARGE_BUFFER);
    plot.curve("10 Gbit/s, 4 KiB, 50 in flight", "wide", 10, Packets.OF_DEVICE);
    plot.curve("10 Gbit/s, 1 KiB, 42 in flight", "fast", 10, Packets.SMALL);
    plot.fixed("the same, fixed limit", "fast", 10, Packets.SMALL);
    plot.curve("1 Gbit/s, 1 KiB, 42 in flight", "slow", 1, Packets.SMALL);
    plot.fixed("the same, fixed limit", "slow", 1, Packets.SMALL);
    return plot.svg.append("</svg>\n").toString();
  }

  private void curve(String name, String look, double gigabits, Packets packets) {
    curve(name, look, "", gigabits, packets, PeerWindows::new);
  }

  private void fixed(String name, String look, double gigabits, Packets packets) {
    curve(name, look, "5 4", gigabits, packets, Goodput::fixed);
  }

  private void frame() {
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n",
            LEFT + WIDTH + 40,
            TOP + HEIGHT + 60));
    svg.append(STYLE);
    for (int tenths = 0; tenths <= 10; tenths += 2) {
      double y = y(tenths / 10.0);
      line(LEFT, y, LEFT + WIDTH, y);
      text("end", LEFT - 8, y + 4, tenths * 10 + " %");
    }
    for (int i = 0; i < LOSSES.length; i++) {
      text("middle", LEFT + i * STEP, TOP + HEIGHT + 18, LABELS[i]);
    }
    text(
        "start",
        LEFT,
        TOP + HEIGHT + 40,
        "part of the packets that get lost, each way (means of the seeds "
            + Arrays.toString(seeds)
            + ")");
  }

  private void curve(
      String name,
      String look,
      String dashes,
      double gigabits,
      Packets packets,
      Supplier<CongestionControls> of) {
    StringBuilder points = new StringBuilder();
    StringBuilder figures = new StringBuilder();
    for (int i = 0; i < LOSSES.length; i++) {
      Way way = new Way(gigabits, LOSSES[i], packets);
      double part = Math.min(1, Goodput.mean(way, of, 1, count, seeds).part());
      points.append(String.format(Locale.ROOT, "%d,%.1f ", LEFT + i * STEP, y(part)));
      figures.append(String.format(Locale.ROOT, ", %s: %.2f", LABELS[i], part));
    }
    String style =
        String.format(
            "class=\"%s\" fill=\"none\" stroke-width=\"2\" stroke-dasharray=\"%s\"", look, dashes);
    // A browser shows the figures to whoever points at the curve.
    svg.append(
        String.format(
            "<polyline points=\"%s\" %s><title>%s%s</title></polyline>\n",
            points.toString().strip(), style, name, figures));
    // So that a line of the frame passes between two names.
    int y = TOP + HEIGHT - 115 + 18 * curves++;
    svg.append(
        String.format(
            "<polyline points=\"%d,%d %d,%d\" %s/>\n", LEFT + 10, y, LEFT + 50, y, style));
    text("start", LEFT + 58, y + 4, name);
  }

  private static double y(double part) {
    return TOP + HEIGHT * (1 - part);
  }

  private void line(double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.0f\" y1=\"%.1f\" x2=\"%.0f\" y2=\"%.1f\"/>\n",
            x1,
            y1,
            x2,
            y2));
  }

  private void text(String anchor, double x, double y, String what) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text text-anchor=\"%s\" x=\"%.0f\" y=\"%.1f\">%s</text>\n",
            anchor,
            x,
            y,
            what));
  }
}
