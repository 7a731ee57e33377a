package dev.verbena.tools.perf.figures;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The latency of messages of a size.
 *
 * @param size message size in bytes
 * @param iterations number of messages, including those left out of the statistics
 * @param times nanoseconds from one message to the next
 * @param ways number of transits in that time: 2 for there and back, of which one is reported
 */
public record LatencyResult(long size, long iterations, Histogram times, int ways) {
  /** The line above the results. */
  public static final String HEADER =
      " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
          + "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]";

  /** The line above the results of timed runs. */
  public static final String TIMED_HEADER =
      " #bytes        #iterations       t_avg[usec]    tps average";

  private static final double MICRO = 1e3;

  /** Percentiles in each half of the rest. */
  private static final int TICKS = 5;

  /** The line of this result. */
  public String row() {
    return String.format(
        Locale.ROOT,
        " %-7d %-14d %-14.2f %-12.2f %-18.2f %-14.2f %-15.2f %-22.2f %.2f",
        size,
        iterations,
        micros(times.getMinValue()),
        micros(times.getMaxValue()),
        percentile(50),
        micros(times.getMean()),
        micros(times.getStdDeviation()),
        percentile(99),
        percentile(99.9));
  }

  /** The line of this result for a timed run. */
  public String timedRow(long nanos) {
    return String.format(
        Locale.ROOT,
        " %-13d %-17d %-14.2f %.2f",
        size,
        iterations,
        micros((double) nanos / Math.max(1, iterations)),
        iterations * 1e9 / nanos);
  }

  /** All percentiles, as HdrHistogram prints them, in microseconds. */
  public String histogram() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    times.outputPercentileDistribution(
        new PrintStream(text, true, StandardCharsets.US_ASCII), TICKS, ways * MICRO);
    return text.toString(StandardCharsets.US_ASCII).stripTrailing();
  }

  /** The same as {@link #histogram}, for the JSON form. */
  public List<Object> percentiles() {
    List<Object> list = new ArrayList<>();
    for (HistogramIterationValue each : times.percentiles(TICKS)) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("percentile", each.getPercentileLevelIteratedTo());
      fields.put("us", micros(each.getValueIteratedTo()));
      fields.put("count", each.getTotalCountToThisValue());
      list.add(fields);
    }
    return list;
  }

  /** The fields of the JSON form. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("bytes", size);
    fields.put("iterations", iterations);
    fields.put("min_us", micros(times.getMinValue()));
    fields.put("max_us", micros(times.getMaxValue()));
    fields.put("typical_us", percentile(50));
    fields.put("average_us", micros(times.getMean()));
    fields.put("deviation_us", micros(times.getStdDeviation()));
    for (double each : new double[] {90, 99, 99.9, 99.99}) {
      fields.put("p" + String.valueOf(each).replaceAll("\\.0$", "") + "_us", percentile(each));
    }
    return fields;
  }

  private double percentile(double percent) {
    return micros(times.getValueAtPercentile(percent));
  }

  private double micros(long nanos) {
    return micros((double) nanos);
  }

  private double micros(double nanos) {
    return nanos / MICRO / ways;
  }
}
