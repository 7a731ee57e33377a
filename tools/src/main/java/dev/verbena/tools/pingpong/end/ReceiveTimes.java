package dev.verbena.tools.pingpong.end;

import java.util.List;
import java.util.Locale;

/** The time from each receive to the next one, by the device's clock. */
final class ReceiveTimes {
  private final long mask;
  private boolean any;
  private long previous;
  private long most;
  private long least = Long.MAX_VALUE;
  private long total;
  private int count;

  /**
   * @param mask completion_timestamp_mask: the clock wraps around at it
   */
  ReceiveTimes(long mask) {
    this.mask = mask;
  }

  /** Notes that a receive has completed with this time stamp. */
  void received(long stamp) {
    if (any) {
      long delta = (stamp - previous) & mask;
      most = Math.max(most, delta);
      least = Math.min(least, delta);
      total += delta;
      count++;
    }
    previous = stamp;
    any = true;
  }

  /** The lines that ibv_rc_pingpong prints about them; none with fewer than two receives. */
  List<String> lines() {
    if (count == 0) {
      return List.of();
    }
    return List.of(
        "Max receive completion clock cycles = " + most,
        "Min receive completion clock cycles = " + least,
        String.format(
            Locale.ROOT, "Average receive completion clock cycles = %f", (double) total / count));
  }
}
