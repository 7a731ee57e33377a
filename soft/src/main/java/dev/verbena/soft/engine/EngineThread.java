package dev.verbena.soft.engine;

import dev.verbena.soft.engine.progress.Attendance;
import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.engine.progress.Perseverance;
import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.engine.progress.Vigil;
import dev.verbena.soft.engine.progress.Waker;
import dev.verbena.soft.link.Link;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes progress when nobody polls: one-sided operations complete at a target whose program sleeps,
 * or spins on its own memory.
 *
 * <p>It <em>serves</em> the link: it parks in the kernel until a datagram comes, it is woken, or a
 * deadline passes. If the application's polling drives the device, that would cost a wake-up for
 * each packet. So when a thread of the application was at work just before ({@link Attendance}), in
 * about {@link #PROOF} wakings in a row, this thread leaves the link to it, and only
 * <em>watches</em>: now and then it checks how long ago that was. If that is longer than a loop
 * takes, or at once when a thread blocks to wait for an event, it serves again.
 *
 * <p>If the next packet usually comes soon after the last one, or after the program's last call, it
 * does not sleep in between: it keeps a {@link Vigil}, in which it leaves the link to a program
 * that polls.
 *
 * <p>Some programs poll for a while and then wait for memory to change, in each of their rounds. A
 * packet may lie in the link until the next check, so a watch that ends early doubles the proof for
 * the next one.
 *
 * <p>Nothing is missed on the way into the kernel: this thread first publishes the time of the next
 * waking, then checks timers and ready list; a thread that adds to those does so first and then
 * checks the time.
 */
final class EngineThread implements Runnable, Waker {
  /** A loop calls again within this time, unless its thread has lost its processor. */
  private static final long LOOP_NANOS = 40_000;

  /** If a call ended this recently, its thread would have seen what this one was woken for. */
  private static final long FRESH_NANOS = 20_000;

  /** Between two calls of a loop that does nothing else; during a vigil the link is left to it. */
  private static final long NEAR_NANOS = 1_000;

  /** How many such wakings in a row show that a thread polls in a loop. */
  private static final int PROOF = 16;

  /** The proof demanded of a program that repeatedly polls only for a while. */
  private static final int MOST_PROOF = 1 << 14;

  /** The first pauses of a watch; an unpolled packet waits at most this long. */
  private static final long SHORT_PAUSE_NANOS = 50_000;

  /** The later pauses, when the poller has proved to be a steady one. */
  private static final long LONG_PAUSE_NANOS = 250_000;

  /** This many short pauses come before the long ones. */
  private static final int SHORT_PAUSES = 32;

  /** How long it leaves work to the thread that is doing it. */
  private static final long HELD_NANOS = 10_000;

  /** How long it sleeps if nothing happens; a later deadline does not wake it. */
  private static final long IDLE_NANOS = 100_000_000;

  /**
   * How often it visits the link although it does not wait there: because a program polls, or in a
   * long vigil. The link has other work, such as watching its interface and flushing a file.
   */
  private static final long VISIT_NANOS = 1_000_000_000;

  /**
   * In {@link #nextWaking}: not parked in the kernel, and will check everything before it parks.
   */
  private static final long AWAKE = Long.MIN_VALUE;

  private final Engine engine;
  private final Link link;
  private final Schedule schedule;
  private final Perseverance perseverance;
  private final Thread thread;
  private volatile long nextWaking = AWAKE;

  /** Whether the program's polling drives the device. */
  volatile boolean watching;

  private final AtomicBoolean someoneWaits = new AtomicBoolean();
  private volatile boolean stopped;
  // Used by this thread only.
  private long visitedLinkAt;
  private int freshPolls;
  private int proof = PROOF;
  private int pauses;
  private final Vigil vigil = new Vigil(Runtime.getRuntime().availableProcessors());

  EngineThread(String name, Engine engine, Link link, Schedule schedule, Failures failures) {
    this.engine = engine;
    this.link = link;
    this.schedule = schedule;
    perseverance = new Perseverance(failures, "in its thread");
    this.thread = Thread.ofPlatform().daemon().name(Engine.threadName(name)).unstarted(this);
  }

  void start() {
    thread.start();
  }

  /** Ends the thread; returns whether it has ended. */
  boolean stop() {
    stopped = true;
    link.wake();
    LockSupport.unpark(thread);
    return Perseverance.awaitEnd(thread);
  }

  @Override
  public void workWaits() {
    if (nextWaking != AWAKE) {
      link.wake();
    }
  }

  @Override
  public void deadlineIs(long deadline) {
    if (deadline < nextWaking) {
      link.wake();
    }
  }

  @Override
  public void someoneWaits() {
    someoneWaits.set(true);
    if (watching) {
      LockSupport.unpark(thread);
    }
  }

  /** Whether it runs. */
  boolean isAlive() {
    return thread.isAlive();
  }

  @Override
  public void run() {
    perseverance.run(this::isStopped, this::turn);
  }

  private boolean isStopped() {
    return stopped;
  }

  private void turn() {
    if (watching) {
      watch();
    } else {
      serve();
    }
  }

  private void watch() {
    if (!someoneWaits.get() && !stopped) {
      LockSupport.parkNanos(this, pauses < SHORT_PAUSES ? SHORT_PAUSE_NANOS : LONG_PAUSE_NANOS);
    }
    long now = engine.clock().now();
    visitLink(now);
    vigil.worked(now);
    if (someoneWaits.getAndSet(false)) {
      watching = false;
    } else if (!isPolled(LOOP_NANOS)) {
      watching = false;
      proof = pauses < SHORT_PAUSES ? Math.min(2 * proof, MOST_PROOF) : PROOF;
    } else {
      pauses = Math.min(pauses + 1, SHORT_PAUSES);
    }
  }

  /** Lets the link do its other work if it has not waited lately: see {@link #VISIT_NANOS}. */
  private void visitLink(long now) {
    if (now - visitedLinkAt >= VISIT_NANOS) {
      visitedLinkAt = now;
      link.await(0);
    }
  }

  private void serve() {
    long now = engine.clock().now();
    if (vigil.isKept(now) && isPolled(NEAR_NANOS)) {
      vigil.worked(now);
      Thread.onSpinWait();
      return;
    }
    switch (engine.turnOfThread(now)) {
      case MORE -> {
        vigil.worked(now);
        visitLink(now);
        return;
      }
      case HELD -> LockSupport.parkNanos(this, HELD_NANOS);
      case RECEIVED -> {
        vigil.came(now, isPolled(Vigil.NANOS));
        if (vigil.isKept(now)) {
          visitLink(now);
          return;
        }
        park(now);
      }
      case DONE -> {
        vigil.nothingCame(now);
        if (vigil.isKept(now)) {
          Thread.onSpinWait();
          return;
        }
        if (!isPolled(NEAR_NANOS)) {
          vigil.wasInVain();
        }
        park(now);
      }
    }
    if (!someoneWaits.getAndSet(false) && isPolled(FRESH_NANOS)) {
      freshPolls++;
    } else {
      freshPolls /= 2;
    }
    if (freshPolls >= proof) {
      freshPolls = 0;
      pauses = 0;
      watching = true;
    }
  }

  /** Whether the program is polling or sending, or was within this time. */
  private boolean isPolled(long nanos) {
    return schedule.attendance().isWithin(nanos, engine.clock().now());
  }

  private void park(long now) {
    visitedLinkAt = now;
    vigil.sleeps();
    long idleUntil = now + IDLE_NANOS;
    nextWaking = idleUntil;
    long until = Math.min(idleUntil, engine.nextTimedWork());
    if (until < idleUntil) {
      nextWaking = until;
    }
    try {
      if (!schedule.hasReady() && !stopped) {
        link.await(until - now);
      }
    } finally {
      nextWaking = AWAKE;
    }
  }
}
