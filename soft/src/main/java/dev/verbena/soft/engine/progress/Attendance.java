package dev.verbena.soft.engine.progress;

import dev.verbena.soft.queue.Apart;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * When a thread of the program was last at work in the device: polling it, or sending packets by a
 * doorbell. Both may take longer than one round of a loop otherwise, so a call under way counts for
 * a while like one that has just ended, and so does the handling of many messages at once. Any
 * thread may report; overwriting another's report does no harm.
 */
public final class Attendance extends Apart {
  /** A longer call is assumed to have lost its processor. */
  private static final long CALL_NANOS = 250_000;

  /** What a program may take for each message that it has received, before it polls again. */
  private static final long HANDLING_NANOS = 2_000;

  /** So many answers in a row show that the program answers each message at once. */
  static final int HABIT = 8;

  /**
   * So often polls may take packets while the engine thread sleeps; then it is to leave the link to
   * them. The kernel wakes it for each packet anyway, but lets it sleep on if the packet has gone,
   * so it would not learn of them.
   */
  public static final int MOST_MISSED = 64;

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

  /** Calls so far; lost concurrent updates do not matter. */
  private int calls;

  /** How often polls have taken packets while the engine thread slept; as lossy. */
  private int missed;

  // Of the poller's thread; others may disturb, which only costs time.
  private boolean awaitsReply;
  private int replies;

  /** No call so far. */
  Attendance() {}

  /**
   * A poll begins.
   *
   * @return whether the program has the habit of sending something after each message before it
   *     polls again
   */
  public boolean comes(long now) {
    calls++;
    if (awaitsReply) {
      awaitsReply = false;
      replies = 0;
    }
    UNTIL.setOpaque(this, now + CALL_NANOS);
    return replies == HABIT;
  }

  /** A doorbell begins; reads no clock, so it counts only if the last call ended just before. */
  public void comes() {
    calls++;
    if (awaitsReply) {
      awaitsReply = false;
      replies = Math.min(replies + 1, HABIT);
    }
    UNTIL.setOpaque(this, (long) UNTIL.getOpaque(this) + CALL_NANOS);
  }

  /** A call has ended. */
  public void goes(long now) {
    UNTIL.setOpaque(this, now);
  }

  /**
   * A poll has ended that received so many messages, which the program now handles; returns whether
   * the engine thread is to be woken if it sleeps, because polls take everything.
   */
  public boolean goes(long now, int messages) {
    UNTIL.setOpaque(this, now + messages * HANDLING_NANOS);
    return messages > 0 && ++missed % MOST_MISSED == 0;
  }

  /** The engine thread falls asleep: it has missed nothing so far. */
  void missedNothing() {
    missed = 0;
  }

  /** Whether polls have taken everything while the engine thread slept. */
  boolean missedMuch() {
    return missed >= MOST_MISSED;
  }

  /**
   * The poll has received a message that is to be acknowledged; returns as {@link #comes(long)}.
   */
  public boolean messageCame() {
    awaitsReply = true;
    return replies == HABIT;
  }

  /** How often a thread has come, modulo 2³², perhaps a few less. */
  int calls() {
    return calls;
  }

  /** Whether a call is under way that has not lost its processor. */
  boolean isUnderWay(long now) {
    return now < (long) UNTIL.getOpaque(this);
  }

  /** Whether a thread is at work, or was within this time. */
  public boolean isWithin(long nanos, long now) {
    return now - (long) UNTIL.getOpaque(this) <= nanos;
  }
}
