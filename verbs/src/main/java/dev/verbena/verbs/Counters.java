package dev.verbena.verbs;

import java.util.EnumMap;
import java.util.Map;

/**
 * The counters of a device ({@link Context#counters()}) or of one queue pair ({@link
 * QueuePair#counters()}). Reading never stops the device, so the values of one snapshot may come
 * from slightly different moments.
 */
public interface Counters {
  /**
   * The current value.
   *
   * @throws VerbsException EOPNOTSUPP if the device does not count this
   */
  long get(Counter counter);

  /**
   * Whether the device counts this. Software devices count everything. Of a queue pair it is true
   * of all as well, though those that {@link Counter} does not count for queue pairs stay 0.
   */
  default boolean has(Counter counter) {
    return true;
  }

  /** Those that are not 0, by their keys: {@code counters[packets_sent=3, timeouts=1]}. */
  default String text() {
    FieldText text = new FieldText("counters");
    snapshot().forEach((counter, value) -> text.number(counter.key(), value));
    return text.toString();
  }

  /**
   * All that the kernel's driver of a device counts, each value as it is: by the kernel's names,
   * such as "hw_counters/sent_pkts" and "counters/port_xmit_data", summed over all ports. A file
   * that has no number is left out. Most count packets or events; counters/port_xmit_data and
   * counters/port_rcv_data count words of 4 bytes. Software devices, which have no such driver, and
   * queue pairs have none.
   *
   * @throws VerbsException EIO if a folder of the kernel cannot be read
   */
  default Map<String, Long> byFile() {
    return Map.of();
  }

  /** The values of all that the device counts. */
  default Map<Counter, Long> snapshot() {
    Map<Counter, Long> values = new EnumMap<>(Counter.class);
    for (Counter counter : Counter.values()) {
      if (has(counter)) {
        values.put(counter, get(counter));
      }
    }
    return values;
  }
}
