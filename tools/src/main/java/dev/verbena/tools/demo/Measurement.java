package dev.verbena.tools.demo;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * One row of the result.
 *
 * @param operation the operation measured
 * @param size message size in bytes
 * @param messages number of messages measured
 * @param latency nanoseconds from post to completion, for one message at a time; empty if several
 *     were in flight at once
 * @param bytesPerSecond payload divided by time; 0 if one message at a time was measured
 * @param retransmitted packets that the client retransmitted; empty if its device does not count
 *     them
 */
record Measurement(
    Operation operation,
    int size,
    long messages,
    Histogram latency,
    double bytesPerSecond,
    OptionalLong retransmitted) {
  /** Whether one message at a time was measured. */
  boolean isLatency() {
    return latency.getTotalCount() > 0;
  }

  /** For JSON, with the units in the names. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("operation", operation.name());
    fields.put("bytes", size);
    fields.put("messages", messages);
    if (isLatency()) {
      fields.put("p50_us", latency.getValueAtPercentile(50) / 1e3);
      fields.put("p99_us", latency.getValueAtPercentile(99) / 1e3);
    } else {
      fields.put("bytes_per_s", bytesPerSecond);
    }
    retransmitted.ifPresent(count -> fields.put("retransmitted", count));
    return fields;
  }
}
