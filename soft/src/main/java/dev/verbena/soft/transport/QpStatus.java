package dev.verbena.soft.transport;

import dev.verbena.verbs.QpState;

/**
 * The state of a queue pair. The half that meets an error may not take the other's guard, so it
 * leaves a note that both must be flushed: see {@link #whenFailed}.
 */
public final class QpStatus {
  /** The reason for a queue pair whose completion finds no room. */
  public static final String OVERRUN = "a completion queue has overrun";

  /** The state. */
  public volatile QpState state = QpState.RESET;

  private Runnable failed = () -> {};

  private final Journal journal;

  /** The reason for its error: an object whose text is made on demand. */
  private volatile Object cause = "";

  /**
   * In RESET.
   *
   * @param journal receives changes
   */
  public QpStatus(Journal journal) {
    this.journal = journal;
  }

  /** Sets the state; the caller holds both guards. Synchronized as {@link #fail} is. */
  public synchronized void state(QpState next) {
    QpState before = state;
    cause = "the program moved it there";
    state = next;
    if (before != next) {
      journal.changed(before, next);
    }
  }

  /** Whether packets are processed: RTR, RTS, SQD, SQE (S4.5). */
  public boolean receives() {
    return switch (state) {
      case RTR, RTS, SQD, SQE -> true;
      case RESET, INIT, ERR, UNKNOWN -> false;
    };
  }

  /** Whether send requests complete with WR_FLUSH_ERR: ERR, SQE (S4.5). */
  public boolean flushesSends() {
    QpState now = state;
    return now == QpState.ERR || now == QpState.SQE;
  }

  /**
   * A send has failed (S1.6.2). The caller flushes the requests posted after it.
   *
   * @param next ERR, as {@link #fail}, or SQE, in which receives go on
   * @param why an object whose text is the reason
   */
  public synchronized void failSends(QpState next, Object why) {
    if (next == QpState.ERR) {
      fail(why);
    } else if (state == QpState.RTS || state == QpState.SQD) {
      state(next);
      cause = why;
    }
  }

  /**
   * Moves a connected queue pair to ERR, and marks both queues to be flushed. Each half may call it
   * under its own guard.
   *
   * @param why an object whose text is the reason
   * @return whether it was not yet in ERR
   */
  public synchronized boolean fail(Object why) {
    if (!receives()) {
      return false;
    }
    QpState before = state;
    cause = why;
    state = QpState.ERR;
    failed.run();
    journal.changed(before, QpState.ERR);
    return true;
  }

  /**
   * Sets the action on a failure, before any use: a note that both queues must be flushed, which
   * takes no guard.
   */
  public void whenFailed(Runnable note) {
    failed = note;
  }

  /** Describes the error in a line for people, if there is one. The caller holds both guards. */
  public void dump(StringBuilder text) {
    if (flushesSends()) {
      text.append("  in error:  ").append(cause).append('\n');
    }
  }
}
