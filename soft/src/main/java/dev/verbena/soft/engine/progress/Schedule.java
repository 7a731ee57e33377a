package dev.verbena.soft.engine.progress;

import dev.verbena.soft.transport.Clock;

/**
 * Decides which queue pairs to run: now, when their time is over, when the link takes packets
 * again, or later; and which alarms ring.
 */
public final class Schedule {
  /** The most queue pairs served in one turn. */
  private static final int SERVED = 64;

  /** Queue pairs that may use up a whole budget in one turn: 1 MiB of copying. */
  private static final int HEAVY = 4;

  /** The same for further ones whose time is over. */
  private static final int HEAVY_EXPIRED = 2;

  /** Alarms that ring in one turn. */
  private static final int ALARMS = 64;

  /** Refused queue pairs that try again in one turn. */
  private static final int RETRIED = 16;

  /**
   * The pause before an item that met a full heap is served again; without it there would be a busy
   * loop.
   */
  public static final long PAUSE_NANOS = 1_000_000;

  private final ReadyList<Task> ready = new ReadyList<>();

  /**
   * Served only when timers may expire, so that no turn removes an item without serving its timer.
   */
  private final ReadyList<Task> expired = new ReadyList<>();

  private final ReadyList<Task> refused = new ReadyList<>();
  private final ReadyList<Alarm> ringing = new ReadyList<>();
  private final TimerWheel<Timed> wheel = new TimerWheel<>(this::timeOver);
  private final Attendance attendance = new Attendance();
  private final Clock clock;
  private final Failures failures;
  private volatile Waker waker = Waker.NOBODY;

  public Schedule(Clock clock, Failures failures) {
    this.clock = clock;
    this.failures = failures;
  }

  public void waker(Waker who) {
    waker = who;
  }

  public Waker waker() {
    return waker;
  }

  /** When the program's threads were last at work. */
  public Attendance attendance() {
    return attendance;
  }

  /** The queue pair has something to do, which the next thread with a turn does. */
  public void ready(Task qp) {
    if (ready.add(qp.readyPlace)) {
      waker.workWaits();
    }
  }

  /** The same, called by a thread that takes a {@link #turn} next. */
  public void readyForMe(Task qp) {
    ready.add(qp.readyPlace);
  }

  /** The link took no packet of the queue pair; it is run again when the link may. */
  public void refused(Task qp) {
    if (refused.add(qp.refusedPlace)) {
      waker.workWaits();
    }
  }

  /** Sets when to check the queue pair's timer; the caller holds its requester guard. */
  public void arm(Task qp, long deadline) {
    arm(qp.timer, deadline);
  }

  /** Sets when the alarm rings. */
  public void arm(Alarm alarm, long deadline) {
    arm(alarm.timer(), deadline);
  }

  private void arm(TimerWheel.Entry<Timed> timer, long deadline) {
    if (!wheel.covers(timer, deadline)) {
      wheel.arm(timer, deadline, clock.now());
      waker.deadlineIs(wheel.nextFiring());
    }
  }

  private void timeOver(Timed timed) {
    switch (timed) {
      case Task qp -> {
        qp.timeOver();
        expired.add(qp.expiredPlace);
      }
      case Alarm alarm -> ringing.add(alarm.place());
    }
  }

  /**
   * Serves due timers and alarms, refused queue pairs, and ready ones, within bounds.
   *
   * @param mayExpire whether timers may be served now
   * @return the number of alarms that rang and of queue pairs served, without those that the link
   *     refused again
   */
  public int turn(long now, boolean mayExpire) {
    if (mayExpire) {
      wheel.fire(now);
    }
    for (int i = Math.min(RETRIED, refused.size); i > 0; i--) {
      Task qp = refused.poll();
      if (qp != null) {
        qp.mayTryAgain();
        ready.add(qp.readyPlace);
      }
    }
    int served = ringing.size > 0 ? ring(now) : 0;
    if (mayExpire && expired.size > 0) {
      served += serve(expired, HEAVY_EXPIRED, now);
    }
    // A queue pair that runs for another reason may also have a deadline that has passed.
    served += serve(ready, HEAVY, mayExpire ? now : Clock.NEVER);
    if (hasReady()) {
      waker.workWaits();
    }
    return served;
  }

  private int ring(long now) {
    int rung = 0;
    for (int left = Math.min(ALARMS, ringing.size); left > 0; left--) {
      Alarm alarm = ringing.poll();
      if (alarm == null) {
        break;
      }
      rung++;
      try {
        alarm.ring(now);
      } catch (RuntimeException | Error e) {
        failures.add("raising a moderated event", e);
        if (Failures.isShortage(e)) {
          arm(alarm, clock.now() + PAUSE_NANOS);
        }
      }
    }
    return rung;
  }

  /**
   * Serves the items of a list until this number have used up a whole budget; returns the number
   * served.
   */
  private int serve(ReadyList<Task> list, int mostHeavy, long now) {
    int served = 0;
    int heavy = 0;
    for (int left = Math.min(SERVED, list.size); left > 0 && heavy < mostHeavy; left--) {
      Task qp = list.poll();
      if (qp == null) {
        break;
      }
      if (serve(qp, now)) {
        heavy++;
      }
      if (!qp.isRefused()) {
        served++;
      }
    }
    return served;
  }

  private boolean serve(Task qp, long now) {
    try {
      return qp.serve(now);
    } catch (RuntimeException | Error e) {
      failures.addOfQp("running", qp.number(), e);
      if (Failures.isShortage(e)) {
        // Only this thread knows what is left to do.
        qp.startOver();
        arm(qp.timer, clock.now() + PAUSE_NANOS);
      }
      return false;
    }
  }

  /** Whether a queue pair is ready, or its time is over, or an alarm rings. */
  public boolean hasReady() {
    return ready.size > 0 || expired.size > 0 || ringing.size > 0;
  }

  /** When a timer is due, or {@link Clock#NEVER}. */
  public long nextTimer() {
    return wheel.nextFiring();
  }
}
