package dev.verbena.soft.engine.progress;

import dev.verbena.soft.queue.Apart;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * When a thread of the program was last at work in the device: polling it, or sending packets by a
 * doorbell. Both may take longer than one round of a loop otherwise, so a call under way counts for
 * a while like one that has just ended. Any thread may report; overwriting another's report does no
 * harm.
 */
public final class Attendance extends Apart {
  /** A longer call is assumed to have lost its processor. */
  private static final long CALL_NANOS = 250_000;

  private static final VarHandle UNTIL;

  static {
    try {
      UNTIL = MethodHandles.lookup().findVarHandle(Attendance.class, "until", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Engine time; ahead of it while a call is under way. */
  @SuppressWarnings("unused") // through UNTIL
  private long until;

  /** No call so far. */
  Attendance() {}

  /** A call begins. */
  public void comes(long now) {
    UNTIL.setOpaque(this, now + CALL_NANOS);
  }

  /** A call begins; reads no clock, so it counts only if the last call ended just before. */
  public void comes() {
    UNTIL.setOpaque(this, (long) UNTIL.getOpaque(this) + CALL_NANOS);
  }

  /** A call has ended. */
  public void goes(long now) {
    UNTIL.setOpaque(this, now);
  }

  /** Whether a thread is at work, or was within this time. */
  public boolean isWithin(long nanos, long now) {
    return now - (long) UNTIL.getOpaque(this) <= nanos;
  }
}
