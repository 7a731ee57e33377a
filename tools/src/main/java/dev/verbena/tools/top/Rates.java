package dev.verbena.tools.top;

import dev.verbena.verbs.spi.DeviceReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How fast counters grow, from one look to the next. */
final class Rates {
  private static final double NANOS_PER_SECOND = 1e9;

  /** One user cannot spoil the rates of another one, whatever its processes say. */
  private record Device(String user, long pid, String name) {
    static Device of(DeviceReport report) {
      return new Device(report.user(), report.pid(), report.device());
    }
  }

  /**
   * A device with its rates.
   *
   * @param report what it has told
   * @param perSecond the counters that have grown since the last look, by their keys
   */
  record Measured(DeviceReport report, Map<String, Double> perSecond) {
    /** A rate, 0 if the counter has not grown. */
    double rate(String key) {
      return perSecond.getOrDefault(key, 0.0);
    }
  }

  private Map<Device, Measured> last = Map.of();

  /** The devices of another look; those that were not there in the last one have no rates yet. */
  List<Measured> next(List<DeviceReport> reports) {
    Map<Device, Measured> now = new HashMap<>();
    List<Measured> all = reports.stream().map(this::measure).toList();
    all.forEach(each -> now.put(Device.of(each.report), each));
    last = now;
    return all;
  }

  private Measured measure(DeviceReport report) {
    Measured before = last.get(Device.of(report));
    if (before == null || !report.answers()) {
      return new Measured(report, Map.of());
    }
    long nanos = report.nanos() - before.report.nanos();
    if (nanos == 0) {
      return new Measured(report, before.perSecond);
    }
    Map<String, Double> perSecond = new TreeMap<>();
    report
        .counters()
        .forEach(
            (key, count) -> {
              long more = count - before.report.counter(key);
              // Fewer, or in the past: the device was closed and opened again.
              if (more > 0 && nanos > 0) {
                perSecond.put(key, more * NANOS_PER_SECOND / nanos);
              }
            });
    return new Measured(report, perSecond);
  }
}
