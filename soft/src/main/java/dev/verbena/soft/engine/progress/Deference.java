package dev.verbena.soft.engine.progress;

/**
 * Whether the engine thread leaves the link to the program, because a thread of the program polls
 * in a loop: then it would wake for packets that the loop has already taken. Wakings in vain, or
 * many calls between two wakings, the last one just before, show such a loop. A program that posts,
 * polls once or twice and then waits for its memory to change does not make that many, and there
 * are packets for the engine thread. If polls have taken packets many times during one sleep, no
 * other proof is needed. Used by the engine thread.
 *
 * <p>A loop that seems to have stopped may only have lost its processor. So when it does, packets
 * decide: if some lie in the link, nobody takes them, and the engine thread serves again; if that
 * happens soon after it stepped back, it demands a longer proof next time.
 */
public final class Deference {
  /** If a call ended this recently, its thread would have seen what this one was woken for. */
  private static final long FRESH_NANOS = 20_000;

  /** A loop calls again within this time, unless its thread has lost its processor. */
  private static final long LOOP_NANOS = 40_000;

  /** Calls between two wakings that show a loop. */
  static final int LOOP_CALLS = 4;

  /** How many such wakings in a row show that the loop drives the device. */
  static final int PROOF = 8;

  /** The proof demanded of a program that repeatedly polls only for a while. */
  private static final int MOST_PROOF = 1 << 14;

  /** The first pauses of a watch; an unpolled packet waits at most this long. */
  static final long SHORT_PAUSE_NANOS = 50_000;

  /** The later pauses, when the loop has proved to be a steady one. */
  static final long LONG_PAUSE_NANOS = 250_000;

  /** This many short pauses come before the long ones. */
  static final int SHORT_PAUSES = 32;

  /** After so many pauses in a row without call and without packet the loop is over. */
  static final int MOST_QUIET = 4;

  private final Attendance attendance;
  private int calls;

  /** Whether the engine thread has slept since it was asked for the last time. */
  private boolean slept;

  private int wakings;
  private int proof = PROOF;
  private int pauses;
  private int quiet;

  /** Demands the usual proof. */
  public Deference(Attendance attendance) {
    this.attendance = attendance;
  }

  /** The engine thread falls asleep. */
  public void sleeps() {
    attendance.missedNothing();
    slept = true;
  }

  /**
   * The engine thread woke; returns whether it is to step back.
   *
   * @param needed whether there were packets for it; if not, the program had taken them
   */
  public boolean isProven(long now, boolean needed) {
    int all = attendance.calls();
    boolean loops = !needed || all - calls >= LOOP_CALLS || attendance.isUnderWay(now);
    calls = all;
    boolean missedMuch = slept && attendance.missedMuch();
    slept = false;
    if (missedMuch) {
      begin();
      return true;
    }
    if (!loops || !attendance.isWithin(FRESH_NANOS, now)) {
      wakings = 0;
      return false;
    }
    wakings++;
    if (wakings < proof) {
      return false;
    }
    begin();
    return true;
  }

  /** A thread of the program is about to sleep, so there may be no loop. */
  public void refute() {
    wakings = 0;
  }

  private void begin() {
    wakings = 0;
    pauses = 0;
    quiet = 0;
  }

  /** How long to pause until the next look at the program. */
  public long pause() {
    return pauses < SHORT_PAUSES ? SHORT_PAUSE_NANOS : LONG_PAUSE_NANOS;
  }

  /** After a pause: whether the loop still runs. If not, the link is to be looked at. */
  public boolean goesOn(long now) {
    pauses = Math.min(pauses + 1, SHORT_PAUSES);
    if (!attendance.isWithin(LOOP_NANOS, now)) {
      return false;
    }
    quiet = 0;
    return true;
  }

  /** Packets lay in the link, and the loop had stopped. */
  public void wasTooLong() {
    proof = pauses < SHORT_PAUSES ? Math.min(2 * proof, MOST_PROOF) : PROOF;
  }

  /** The loop had stopped, but no packet lay there; returns whether to wait for it. */
  public boolean waits() {
    quiet++;
    return quiet < MOST_QUIET;
  }
}
