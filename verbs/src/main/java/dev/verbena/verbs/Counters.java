package dev.verbena.verbs;

import java.util.EnumMap;
import java.util.Map;

/**
 * The counters of a device ({@link Context#counters()}) or of one queue pair ({@link
 * QueuePair#counters()}). Reading never stops the device, so the values of one snapshot may come
 * from slightly different moments.
 */
public interface Counters {
  /** The current value. */
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
