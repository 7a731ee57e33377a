package dev.verbena.interop;

import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import java.util.List;

/** What our device must have counted in the end. */
final class CounterChecks {
  /** Why a packet of the kernel's, all of which are right, may not be dropped. */
  private static final List<Counter> NEVER =
      List.of(
          Counter.DROPPED_MALFORMED,
          Counter.DROPPED_ICRC,
          Counter.DROPPED_SOURCE,
          Counter.DROPPED_PKEY);

  /** Fails if our device has refused a packet, or has dropped none on a path that shall. */
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
