package dev.verbena.soft.engine.qp;

import dev.verbena.soft.transport.QpStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What is to be done for a queue pair by whoever can take the guards next. Any thread may note. */
final class Debts {
  /** The requester is to be run. */
  static final int SENDING = 1;

  /** The responder has answers to send, or receives to flush. */
  static final int ANSWERING = 2;

  private static final VarHandle OWED;

  static {
    try {
      OWED = MethodHandles.lookup().findVarHandle(Debts.class, "owed", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final QpStatus status;

  @SuppressWarnings("unused") // through OWED
  private volatile int owed;

  /**
   * @param status where one half leaves chores for the other
   */
  Debts(QpStatus status) {
    this.status = status;
  }

  /** Notes what is to be done. */
  void owe(int what) {
    OWED.getAndBitwiseOr(this, what);
  }

  /** Whether any of this is to be done. */
  boolean owes(int what) {
    return (owed & what) != 0;
  }

  /** Under the guard of that half: takes the note back, for it is being done. */
  void settle(int what) {
    if (owes(what)) {
      OWED.getAndBitwiseAnd(this, ~what);
    }
  }

  /** Makes what one half left for the other owed; returns it. */
  int collectChores() {
    if (!status.hasChores()) {
      return 0;
    }
    int chores = status.takeChores();
    int what =
        ((chores & QpStatus.FLUSH_SENDS) == 0 ? 0 : SENDING)
            | ((chores & QpStatus.FLUSH_RECEIVES) == 0 ? 0 : ANSWERING);
    owe(what);
    return what;
  }
}
