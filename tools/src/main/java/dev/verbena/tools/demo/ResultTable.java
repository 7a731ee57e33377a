package dev.verbena.tools.demo;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints the results. */
final class ResultTable {
  private final PrintWriter out;

  ResultTable(PrintWriter out) {
    this.out = out;
  }

  void print(List<Measurement> rows) {
    line("operation", "size", "messages", "p50", "p99", "bandwidth", "resent");
    line("---------", "----", "--------", "---", "---", "---------", "------");
    for (Measurement row : rows) {
      line(
          row.operation().name(),
          size(row.size()),
          Long.toString(row.messages()),
          row.isLatency() ? micros(row.latency().getValueAtPercentile(50)) : "-",
          row.isLatency() ? micros(row.latency().getValueAtPercentile(99)) : "-",
          row.bytesPerSecond() > 0
              ? String.format(Locale.ROOT, "%.1f MB/s", row.bytesPerSecond() / 1e6)
              : "-",
          row.retransmitted().isPresent() ? Long.toString(row.retransmitted().getAsLong()) : "-");
    }
  }

  private void line(String... cells) {
    out.println(String.format(Locale.ROOT, "  %-21s %8s %9s %10s %10s %14s %9s", (Object[]) cells));
  }

  private static String micros(long nanos) {
    return String.format(Locale.ROOT, "%.1f us", nanos / 1e3);
  }

  /** Bytes, in the largest binary unit that leaves a whole number. */
  static String size(int bytes) {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) {
      return (bytes >> 10) + " KiB";
    }
    return bytes + " B";
  }
}
