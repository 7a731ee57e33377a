package dev.verbena.soft.engine;

import dev.verbena.soft.transport.Clock;

/**
 * Which queue pairs are to be run: now, once the link takes packets again, or later; and which
 * alarms are to ring.
 */
final class Schedule {
  /** Queue pairs served in one turn at the most. */
  private static final int SERVED = 64;

  /** Queue pairs that may use up a whole budget in one turn: 1 MiB of copying. */
  private static final int HEAVY = 4;

  /** Alarms that are told in one turn. */
  private static final int ALARMS = 64;

  /** Refused queue pairs that try again in one turn. */
  private static final int RETRIED = 16;

  private final ReadyList<QpProgress> ready = new ReadyList<>();
  private final ReadyList<QpProgress> refused = new ReadyList<>();
  private final ReadyList<Alarm> ringing = new ReadyList<>();
  private final TimerWheel<Timed> wheel = new TimerWheel<>(this::timeOver);
  private final Clock clock;
  private final Failures failures;
  private volatile Waker waker = Waker.NOBODY;

  Schedule(Clock clock, Failures failures) {
    this.clock = clock;
    this.failures = failures;
  }

  void waker(Waker who) {
    waker = who;
  }

  Waker waker() {
    return waker;
  }

  /** The queue pair has something to do, and whoever is next shall do it. */
  void ready(QpProgress qp) {
    if (ready.add(qp.readyPlace())) {
      waker.workWaits();
    }
  }

  /** The same, by a thread that takes a {@link #turn} next. */
  void readyForMe(QpProgress qp) {
    ready.add(qp.readyPlace());
  }

  /** The link took no packet of the queue pair; it is run again when the link may. */
  void refused(QpProgress qp) {
    if (refused.add(qp.refusedPlace())) {
      waker.workWaits();
    }
  }

  /** The queue pair's timer is to be looked at then; the caller holds its requester guard. */
  void arm(QpProgress qp, long deadline) {
    arm(qp.timer(), deadline);
  }

  /** The alarm is to ring then. */
  void arm(Alarm alarm, long deadline) {
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
      case QpProgress qp -> {
        qp.owe(Debts.SENDING);
        ready.add(qp.readyPlace());
      }
      case Alarm alarm -> ringing.add(alarm.place());
    }
  }

  /**
   * Serves timers and alarms that are due, queue pairs that were refused, and those that are ready,
   * within bounds.
   *
   * @param mayExpire whether timers may be served now
   * @return how many alarms rang and queue pairs were served, without those that the link refused
   *     again
   */
  int turn(long now, boolean mayExpire) {
    if (mayExpire) {
      wheel.fire(now);
    }
    for (int i = Math.min(RETRIED, refused.size()); i > 0; i--) {
      QpProgress qp = refused.poll();
      if (qp != null) {
        qp.mayTryAgain();
        ready.add(qp.readyPlace());
      }
    }
    int served = ring(now);
    int heavy = 0;
    for (int left = Math.min(SERVED, ready.size()); left > 0 && heavy < HEAVY; left--) {
      QpProgress qp = ready.poll();
      if (qp == null) {
        break;
      }
      // Whose turn it is for another reason may have a deadline that has passed as well.
      if (serve(qp, mayExpire ? now : Clock.NEVER)) {
        heavy++;
      }
      if (!qp.isRefused()) {
        served++;
      }
    }
    if (hasReady()) {
      waker.workWaits();
    }
    return served;
  }

  private int ring(long now) {
    int rung = 0;
    for (int left = Math.min(ALARMS, ringing.size()); left > 0; left--) {
      Alarm alarm = ringing.poll();
      if (alarm == null) {
        break;
      }
      rung++;
      try {
        alarm.ring(now);
      } catch (RuntimeException | Error e) {
        failures.add("raising a moderated event", 0, e);
      }
    }
    return rung;
  }

  private boolean serve(QpProgress qp, long now) {
    try {
      return qp.serve(now);
    } catch (RuntimeException | Error e) {
      failures.add("running queue pair", qp.qpNum(), e);
      if (Failures.isShortage(e)) {
        // Nobody else knows what is left to do.
        qp.owe(Debts.SENDING | Debts.ANSWERING);
        readyForMe(qp);
      }
      return false;
    }
  }

  /** Whether a queue pair is ready or an alarm rings. */
  boolean hasReady() {
    return ready.size() > 0 || ringing.size() > 0;
  }

  /** When a timer is due, or {@link Clock#NEVER}. */
  long nextTimer() {
    return wheel.nextFiring();
  }
}
