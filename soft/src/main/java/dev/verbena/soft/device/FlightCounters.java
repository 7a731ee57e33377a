package dev.verbena.soft.device;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.FlightRecorder;

/** Writes the counters of an open device into flight recordings, as long as there are some. */
final class FlightCounters {
  private static final List<Counter> DROPS =
      Arrays.stream(Counter.values())
          .filter(counter -> counter.name().startsWith("DROPPED_"))
          .toList();

  private final String device;
  private final Counters counters;
  private final Runnable all = this::writeAll;
  private final Runnable drops = this::writeDrops;
  // Of the flight recorder's thread.
  private final long[] seen = new long[DROPS.size()];

  FlightCounters(String device, Counters counters) {
    this.device = device;
    this.counters = counters;
  }

  /** From now on the recorder asks. */
  void start() {
    FlightRecorder.addPeriodicEvent(DeviceCounterEvent.class, all);
    FlightRecorder.addPeriodicEvent(DroppedPacketsEvent.class, drops);
  }

  /** The device ends. */
  void stop() {
    FlightRecorder.removePeriodicEvent(all);
    FlightRecorder.removePeriodicEvent(drops);
  }

  private void writeAll() {
    for (Counter counter : Counter.values()) {
      new DeviceCounterEvent(device, counter.key(), counters.get(counter)).commit();
    }
  }

  private void writeDrops() {
    for (int i = 0; i < seen.length; i++) {
      Counter reason = DROPS.get(i);
      long now = counters.get(reason);
      if (now > seen[i]) {
        new DroppedPacketsEvent(device, reason.key(), now - seen[i]).commit();
        seen[i] = now;
      }
    }
  }
}
