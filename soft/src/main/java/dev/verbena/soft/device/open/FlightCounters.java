package dev.verbena.soft.device.open;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Writes the counters of an open device into flight recordings while there are any. It does not
 * touch event classes before, because preparing them would take a fifth of the time of opening a
 * device in a new process.
 */
final class FlightCounters {
  private static final List<Counter> DROPS =
      Arrays.stream(Counter.values())
          .filter(counter -> counter.name().startsWith("DROPPED_"))
          .toList();

  private final String device;
  private final Counters counters;
  private final Runnable all = this::writeAll;
  private final Runnable drops = this::writeDrops;
  private final FlightRecorderListener recorder = new Recorder();
  private final ReentrantLock state = new ReentrantLock();
  // Under the lock.
  private boolean asked;
  private boolean stopped;
  // Used by the flight recorder's thread.
  private final long[] seen = new long[DROPS.size()];

  FlightCounters(String device, Counters counters) {
    this.device = device;
    this.counters = counters;
  }

  /** Registers with the recorder, once there is one. */
  void start() {
    FlightRecorder.addListener(recorder);
  }

  /** The device ends: writes its counters to recordings for the last time. */
  void stop() {
    boolean wasAsked;
    state.lock();
    try {
      stopped = true;
      wasAsked = asked;
    } finally {
      state.unlock();
    }
    // Without our lock, because the recorder calls us with its own.
    FlightRecorder.removeListener(recorder);
    if (wasAsked) {
      FlightRecorder.removePeriodicEvent(all);
      FlightRecorder.removePeriodicEvent(drops);
      // The last period ends early; the counters include its dropped packets.
      writeAll();
    }
  }

  /** Also notified of an existing recorder. */
  private final class Recorder implements FlightRecorderListener {
    @Override
    public void recorderInitialized(FlightRecorder ignored) {
      state.lock();
      try {
        if (!stopped) {
          asked = true;
          FlightRecorder.addPeriodicEvent(DeviceCounterEvent.class, all);
          FlightRecorder.addPeriodicEvent(DroppedPacketsEvent.class, drops);
        }
      } finally {
        state.unlock();
      }
    }
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
