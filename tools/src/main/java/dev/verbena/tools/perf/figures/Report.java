package dev.verbena.tools.perf.figures;

import dev.verbena.tools.kit.Json;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The output for the user: text with the columns of perftest's programs, or one JSON object. */
public final class Report {
  private static final String LINE = "-".repeat(87);

  private final PrintWriter out;
  private final boolean json;
  private final Map<String, Object> object = new LinkedHashMap<>();
  private final List<Object> results = new ArrayList<>();

  public Report(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /** Begins the report with the measurement and its settings. */
  public void begin(String command, String title, Map<String, Object> settings) {
    object.put("test", command);
    settings.forEach(
        (label, value) -> object.put(label.toLowerCase(Locale.ROOT).replace(' ', '_'), value));
    text(LINE);
    text(" ".repeat(20) + title);
    settings.forEach((label, value) -> text(" %-16s: %s".formatted(label, value)));
    text(LINE);
  }

  /** A line that appears only in the text form. */
  public void text(String line) {
    if (!json) {
      out.println(line);
    }
  }

  /** The titles of the columns. */
  public void header(String columns) {
    text(LINE);
    text(columns);
  }

  /** A result. */
  public void result(String row, Map<String, Object> fields) {
    text(row);
    results.add(fields);
  }

  /**
   * Ends the report.
   *
   * @param counters of the device, which tell what it has sent again if it counts that
   */
  public void end(Counters counters) {
    text(LINE);
    if (json) {
      if (counters.has(Counter.RETRANSMITTED)) {
        object.put("retransmitted", counters.get(Counter.RETRANSMITTED));
      }
      object.put("results", results);
      out.println(Json.text(object));
    }
  }
}
