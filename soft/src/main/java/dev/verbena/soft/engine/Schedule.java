package dev.verbena.soft.engine;

import dev.verbena.soft.transport.Clock;

/** Which queue pairs are to be run: now, once the link takes packets again, or later. */
final class Schedule {
  /** Queue pairs served in one turn at the most. */
  private static final int SERVED = 64;

  /** Queue pairs that may use up a whole budget in one turn: 1 MiB of copying (design rule). */
  private static final int HEAVY = 4;

  /** Refused queue pairs that try again in one turn. */
  private static final int RETRIED = 16;

  private final ReadyList<QpRuntime> ready = new ReadyList<>();
  private final ReadyList<QpRuntime> refused = new ReadyList<>();
  private final TimerWheel<QpRuntime> wheel = new TimerWheel<>(this::timeOver);
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
  void ready(QpRuntime qp) {
    if (ready.add(qp.readyPlace())) {
      waker.workWaits();
    }
  }

  /** The same, by a thread that takes a {@link #turn} next. */
  void readyForMe(QpRuntime qp) {
    ready.add(qp.readyPlace());
  }

  /** The link took no packet of the queue pair; it is run again when the link may. */
  void refused(QpRuntime qp) {
    if (refused.add(qp.refusedPlace())) {
      waker.workWaits();
    }
  }

  /** The queue pair's timer is to be looked at then; the caller holds its requester guard. */
  void arm(QpRuntime qp, long deadline) {
    TimerWheel.Entry<QpRuntime> timer = qp.timer();
    if (!wheel.covers(timer, deadline)) {
      wheel.arm(timer, deadline, clock.now());
      waker.deadlineIs(wheel.nextFiring());
    }
  }

  private void timeOver(QpRuntime qp) {
    qp.owe(Debts.SENDING);
    ready.add(qp.readyPlace());
  }

  /**
   * Serves timers that are due, queue pairs that were refused, and those that are ready, within
   * bounds.
   *
   * @param mayExpire whether timers may be served now
   * @return how many queue pairs were served, without those that the link refused again
   */
  int turn(long now, boolean mayExpire) {
    if (mayExpire) {
      wheel.fire(now);
    }
    for (int i = Math.min(RETRIED, refused.size()); i > 0; i--) {
      QpRuntime qp = refused.poll();
      if (qp != null) {
        qp.mayTryAgain();
        ready.add(qp.readyPlace());
      }
    }
    int served = 0;
    int heavy = 0;
    for (int left = Math.min(SERVED, ready.size()); left > 0 && heavy < HEAVY; left--) {
      QpRuntime qp = ready.poll();
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
    if (ready.size() > 0) {
      waker.workWaits();
    }
    return served;
  }

  private boolean serve(QpRuntime qp, long now) {
    try {
      return qp.serve(now);
    } catch (RuntimeException | Error e) {
      failures.add("running queue pair " + qp.qpNum(), e);
      return false;
    }
  }

  /** Whether a queue pair is ready. */
  boolean hasReady() {
    return ready.size() > 0;
  }

  /** When a timer is due, or {@link Clock#NEVER}. */
  long nextTimer() {
    return wheel.nextFiring();
  }
}
