package dev.verbena.verbs;

import java.util.EnumMap;
import java.util.Map;

/**
 * Running counts of a device ({@link Context#counters()}) or of one queue pair ({@link
 * QueuePair#counters()}). Reading never stops the device; values of one snapshot may be of slightly
 * different moments.
 */
public interface Counters {
  /** The present value. */
  long get(Counter counter);

  /** All values. */
  default Map<Counter, Long> snapshot() {
    Map<Counter, Long> values = new EnumMap<>(Counter.class);
    for (Counter counter : Counter.values()) {
      values.put(counter, get(counter));
    }
    return values;
  }
}
