package dev.verbena.tools.compare;

import dev.verbena.tools.compare.Subject.Kind;
import dev.verbena.tools.kit.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/** The rows as text and as JSON. */
final class Table {
  private static final String FORMAT = "%-22s %-6s %10s  %-26s %-30s %-8s %s";

  /** The header line. */
  static String header() {
    return String.format(
        Locale.ROOT, FORMAT, "metric", "unit", "ours", "best peer", "floor", "verdict", "ours by");
  }

  /**
   * Prints a row, and below it the peers that are neither the best nor in a bound, and the reasons
   * for missing figures.
   */
  static void print(PrintWriter out, Row row) {
    StringJoiner floors = new StringJoiner(", ");
    row.floors().forEach(each -> floors.add(figure(row, each)));
    StringJoiner ratios = new StringJoiner(", ");
    StringJoiner others = new StringJoiner(", ");
    Optional<Subject> best = row.bestPeer();
    for (Subject each : row.metric().subjects()) {
      double ratio = row.ratio(each.name());
      if (each.kind() == Kind.OURS || Double.isNaN(ratio)) {
        continue;
      }
      if (each.kind() == Kind.FLOOR || best.equals(Optional.of(each)) || row.isBound(each)) {
        ratios.add(each.name() + " " + number(ratio));
      } else {
        others.add(figure(row, each) + " (ours by " + number(ratio) + ")");
      }
    }
    out.println(
        String.format(
                Locale.ROOT,
                FORMAT,
                row.metric().name(),
                row.metric().unit(),
                number(row.ours()),
                best.map(peer -> figure(row, peer)).orElse("-"),
                orDash(floors),
                row.verdict().text(),
                orDash(ratios))
            .stripTrailing());
    if (others.length() > 0) {
      out.println("    also " + others);
    }
    if (row.leftOut() > 0) {
      out.println(
          "    a cache line takes %s ns from processor to processor; %d trials when it took"
                  .formatted(number(row.handOff()), row.leftOut())
              + " another time do not count");
    }
    row.reasons().forEach((name, reason) -> out.println("    " + name + ": " + reason));
  }

  private static String orDash(StringJoiner list) {
    return list.length() == 0 ? "-" : list.toString();
  }

  private static String figure(Row row, Subject subject) {
    return subject.name() + " " + number(row.median(subject.name()));
  }

  /** A number with three significant digits. */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    int digits = value == 0 ? 0 : (int) Math.floor(Math.log10(Math.abs(value)));
    return String.format(Locale.ROOT, "%." + Math.clamp(2 - digits, 0, 6) + "f", value);
  }

  /** All rows, with all measurements. */
  static String json(List<Row> rows) {
    List<Object> list = new ArrayList<>();
    for (Row row : rows) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("metric", row.metric().name());
      fields.put("title", row.metric().title());
      fields.put("unit", row.metric().unit());
      fields.put("ours", row.ours());
      Optional<Subject> best = row.bestPeer();
      best.ifPresent(peer -> fields.put("best_peer", peer.name()));
      Map<String, Object> others = new LinkedHashMap<>();
      Map<String, Object> ratios = new LinkedHashMap<>();
      for (Subject each : row.metric().subjects()) {
        if (each.kind() != Kind.OURS) {
          others.put(each.name(), row.median(each.name()));
          ratios.put(each.name(), row.ratio(each.name()));
        }
      }
      fields.put("others", others);
      fields.put("ratios", ratios);
      fields.put("reasons", row.reasons());
      fields.put("hand_off_ns", row.handOff());
      fields.put("left_out", row.leftOut());
      fields.put("verdict", row.verdict().text());
      list.add(fields);
    }
    return Json.text(Map.of("rows", list));
  }

  private Table() {}
}
