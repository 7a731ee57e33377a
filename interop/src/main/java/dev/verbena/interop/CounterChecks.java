package dev.verbena.interop;

import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import java.util.List;

/** Checks the counters of our device at the end. */
final class CounterChecks {
  /** Reasons for drops that the kernel's packets, all valid, must never cause. */
  private static final List<Counter> NEVER =
      List.of(
          Counter.DROPPED_MALFORMED,
          Counter.DROPPED_ICRC,
          Counter.DROPPED_SOURCE,
          Counter.DROPPED_PKEY);

  /** Fails if our device has refused a packet, or has dropped none on a lossy path. */
  static void run(Counters counters, boolean lossy) {
    for (Counter counter : NEVER) {
      if (counters.get(counter) != 0) {
        throw new CaseFailure(
            counter.key() + " is " + counters.get(counter) + ": a kernel's packet was refused");
      }
    }
    if (lossy && counters.get(Counter.FAULTS_DROPPED) == 0) {
      throw new CaseFailure("faults_dropped is 0: the path lost nothing");
    }
    if (counters.get(Counter.PACKETS_RECEIVED) == 0) {
      throw new CaseFailure("packets_received is 0");
    }
  }

  private CounterChecks() {}
}
