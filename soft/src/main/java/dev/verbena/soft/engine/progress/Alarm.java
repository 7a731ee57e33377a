package dev.verbena.soft.engine.progress;

import java.util.function.LongConsumer;

/**
 * Tells its owner, at or soon after a deadline, what time it is. It may also ring before, for a
 * deadline that was given up: the owner looks at its own deadline, and sets it again.
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

  /** Rings at this time of the engine, if not before. Any thread may set it; allocates nothing. */
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
