package dev.verbena.verbs.spi;

import java.util.Map;

/**
 * What an open device of some process has told.
 *
 * @param user who owns the process; this is known for sure, the rest is what it says
 * @param pid number of the process, as it knows itself
 * @param program how the process was started: a main class or a program, and its arguments
 * @param device name of the device
 * @param answers whether it has answered; if not, its process is stopped or very busy, and
 *     everything is what it told last
 * @param nanos when it was counted, on the process's own clock
 * @param objects how many objects it has, by kind: "qp", "mr"; those of which it has any
 * @param counters its counters that are not 0, by {@link dev.verbena.verbs.Counter#key}; a process
 *     of another version may have others
 */
public record DeviceReport(
    String user,
    long pid,
    String program,
    String device,
    boolean answers,
    long nanos,
    Map<String, Long> objects,
    Map<String, Long> counters) {
  /** Keeps copies of the maps. */
  public DeviceReport {
    objects = Map.copyOf(objects);
    counters = Map.copyOf(counters);
  }

  /** A counter, 0 if it is not there. */
  public long counter(String key) {
    return counters.getOrDefault(key, 0L);
  }
}
