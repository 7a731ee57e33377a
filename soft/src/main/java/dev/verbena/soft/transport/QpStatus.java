package dev.verbena.soft.transport;

import dev.verbena.verbs.QpState;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The state of a queue pair, and what the half that met an error leaves for the other half to do:
 * neither may take the other's guard, so whoever runs the machines looks here after it has released
 * its guards.
 */
public final class QpStatus {
  /** The send queue must be flushed, under the requester guard. */
  public static final int FLUSH_SENDS = 1;

  /** The receive queue must be flushed, under the responder guard. */
  public static final int FLUSH_RECEIVES = 2;

  private volatile QpState state = QpState.RESET;
  private final AtomicInteger chores = new AtomicInteger();

  /** In RESET. */
  public QpStatus() {}

  /** The state. */
  public QpState state() {
    return state;
  }

  /** Sets the state; the caller holds both guards. */
  public void state(QpState next) {
    state = next;
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
   * A send has failed (S1.6.2). The caller flushes what was posted behind it.
   *
   * @param next ERR, as {@link #fail}, or SQE, in which receives go on
   */
  public synchronized void failSends(QpState next) {
    if (next == QpState.ERR) {
      fail();
    } else if (state == QpState.RTS || state == QpState.SQD) {
      state = next;
    }
  }

  /**
   * Moves a connected queue pair to ERR, and leaves both flushes to be done. Each half may call it
   * under its own guard.
   *
   * @return whether it was not in ERR before
   */
  public synchronized boolean fail() {
    if (!receives()) {
      return false;
    }
    state = QpState.ERR;
    chores.getAndUpdate(c -> c | FLUSH_SENDS | FLUSH_RECEIVES);
    return true;
  }

  /** Whether work was left; cheap. */
  public boolean hasChores() {
    return chores.getOpaque() != 0;
  }

  /** Takes all work that was left. */
  public int takeChores() {
    return chores.getAndSet(0);
  }
}
