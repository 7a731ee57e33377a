package dev.verbena.soft.engine.progress;

import java.util.function.LongConsumer;

/**
 * Calls its owner with the time, at or soon after a deadline. It may also ring earlier, for an
 * abandoned deadline; then the owner checks its own deadline and sets the alarm again.
 */
public final class Alarm implements Timed {
  private final Schedule schedule;
  private final LongConsumer owner;
  private final TimerWheel.Entry<Timed> timer = new TimerWheel.Entry<>(this);
  private final ReadyList.Node<Alarm> place = new ReadyList.Node<>(this);

  public Alarm(Schedule schedule, LongConsumer owner) {
    this.schedule = schedule;
    this.owner = owner;
  }

  /** Makes it ring at this engine time, or earlier. Any thread may set it; allocates nothing. */
  public void set(long deadline) {
    schedule.arm(this, deadline);
  }

  void ring(long now) {
    owner.accept(now);
  }

  TimerWheel.Entry<Timed> timer() {
    return timer;
  }

  ReadyList.Node<Alarm> place() {
    return place;
  }
}
