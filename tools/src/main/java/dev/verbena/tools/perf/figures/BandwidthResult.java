package dev.verbena.tools.perf.figures;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The speed of messages of a size, in the unit that both ends have agreed on.
 *
 * @param size message size in bytes
 * @param iterations number of messages
 * @param peak the best speed between any two of them; 0 if not requested
 * @param average the average of all
 * @param messageRate million messages per second
 */
public record BandwidthResult(
    long size, long iterations, double peak, double average, double messageRate) {
  /** As perftest defines it. */
  public static final double MEGABYTE = 1 << 20;

  /** In bytes. */
  public static final double GIGABIT = 1e9 / 8;

  /** The result of an end that measured nothing. */
  public static final BandwidthResult NONE = new BandwidthResult(0, 0, 0, 0, 0);

  private static final String ROW = " %-10d %-14d %-18.2f %-18.2f %.6f";
  private static final String SLOW_ROW = " %-10d %-14d %-18.6f %-18.6f %.6f";
  private static final double SLOW = 0.1;

  private static final double MILLION = 1e6;
  private static final double NANOS = 1e9;

  /**
   * Computes a result from times.
   *
   * @param nanos time of all messages
   * @param peakNanos best time of one message; infinite if unknown
   * @param unit unit of the result, in bytes
   */
  public static BandwidthResult of(
      long size, long iterations, long nanos, double peakNanos, double unit) {
    double rate = iterations * NANOS / Math.max(1, nanos);
    return new BandwidthResult(
        size, iterations, size * NANOS / peakNanos / unit, size * rate / unit, rate / MILLION);
  }

  /** Both directions together. */
  public BandwidthResult plus(BandwidthResult other) {
    return new BandwidthResult(
        size,
        iterations,
        peak + other.peak,
        average + other.average,
        messageRate + other.messageRate);
  }

  /** The line above the results. */
  public static String header(boolean gigabits) {
    String unit = gigabits ? "Gb/sec" : "MB/sec";
    return " #bytes     #iterations    BW peak[%s]    BW average[%s]   MsgRate[Mpps]"
        .formatted(unit, unit);
  }

  /** The line of this result. */
  public String row() {
    String format = average < SLOW ? SLOW_ROW : ROW;
    return String.format(Locale.ROOT, format, size, iterations, peak, average, messageRate);
  }

  /** The fields of the JSON form. */
  public Map<String, Object> fields(boolean gigabits) {
    String unit = gigabits ? "_gbit_per_s" : "_mib_per_s";
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("bytes", size);
    fields.put("iterations", iterations);
    fields.put("peak" + unit, peak);
    fields.put("average" + unit, average);
    fields.put("million_messages_per_s", messageRate);
    return fields;
  }
}
