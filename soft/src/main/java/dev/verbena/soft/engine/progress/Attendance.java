package dev.verbena.soft.engine.progress;

import dev.verbena.soft.queue.Apart;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * When a thread of the program was last at work in the device: polling it, or sending packets by a
 * doorbell. Both may take longer than a loop takes otherwise, so a call that is under way counts
 * for a while as one that has just ended. Any thread may say so; what one overwrites of another is
 * as good.
 */
public final class Attendance extends Apart {
  /** A call that takes longer is taken for one that has lost its processor. */
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

  /** Nobody has come so far. */
  Attendance() {}

  /** A call begins. */
  public void comes(long now) {
    UNTIL.setOpaque(this, now + CALL_NANOS);
  }

  /** A call begins; no clock is read, so it counts only where the last one ended just before. */
  public void comes() {
    UNTIL.setOpaque(this, (long) UNTIL.getOpaque(this) + CALL_NANOS);
  }

  /** It has ended. */
  public void goes(long now) {
    UNTIL.setOpaque(this, now);
  }

  /** Whether somebody is there, or was within so long. */
  public boolean isWithin(long nanos, long now) {
    return now - (long) UNTIL.getOpaque(this) <= nanos;
  }
}
