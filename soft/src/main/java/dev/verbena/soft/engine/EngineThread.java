package dev.verbena.soft.engine;

import dev.verbena.soft.engine.progress.Deference;
import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.engine.progress.Perseverance;
import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.engine.progress.Vigil;
import dev.verbena.soft.engine.progress.Waker;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Processors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes progress when nobody polls: one-sided operations complete at a target whose program sleeps,
 * or spins on its own memory.
 *
 * <p>It <em>serves</em> the link: it parks in the kernel until a datagram comes, it is woken, or a
 * deadline passes. If the application's polling drives the device, that would cost a wake-up for
 * each packet. So in {@link Deference} to such a program it leaves the link to it, and only
 * <em>watches</em>: now and then it checks whether the program still polls. It serves again if not
 * and packets lie in the link, or for some checks in a row, and at once when a thread blocks to
 * wait for an event.
 *
 * <p>If the next packet usually comes soon after the last one, or after the program's last call, it
 * does not sleep in between: it keeps a {@link Vigil}, in which it leaves the link to a program
 * that polls.
 *
 * <p>Nothing is missed on the way into the kernel: this thread first publishes the time of the next
 * waking, then checks timers and ready list; a thread that adds to those does so first and then
 * checks the time.
 */
final class EngineThread implements Runnable, Waker {
  /** Between two calls of a loop that does nothing else; during a vigil the link is left to it. */
  private static final long NEAR_NANOS = 1_000;

  /** How long it leaves work to the thread that is doing it. */
  private static final long HELD_NANOS = 10_000;

  /**
   * A program that has polled within this time, and no longer does, may have lost its processor.
   */
  private static final long LATELY_NANOS = 10_000_000;

  /**
   * How long it sleeps if nothing happens; a later deadline does not wake it. Each time costs an
   * idle process half a millisecond or more, because its code is not compiled and the processor has
   * forgotten it. But the link has other work, such as watching its interface and flushing a file.
   * So it is also visited this often if this thread does not wait there: because a program polls,
   * or in a long vigil.
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

  /** Whether there was something to do since it last slept. */
  private boolean needed;

  private final Deference deference;
  private final Processors processors = new Processors();
  private final Vigil vigil = new Vigil(processors::haveRoom);

  EngineThread(String name, Engine engine, Link link, Schedule schedule, Failures failures) {
    this.engine = engine;
    this.link = link;
    this.schedule = schedule;
    deference = new Deference(schedule.attendance());
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
    try {
      perseverance.run(this::isStopped, this::turn);
    } finally {
      processors.close();
    }
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
      LockSupport.parkNanos(this, deference.pause());
    }
    long now = engine.clock().now();
    visitLink(now);
    engine.sendLeft();
    vigil.worked(now);
    if (someoneWaits.getAndSet(false)) {
      watching = false;
    } else if (!deference.goesOn(now)) {
      switch (engine.turnOfThread(now)) {
        case MORE, RECEIVED -> {
          deference.wasTooLong();
          watching = false;
        }
        case HELD, DONE -> watching = deference.waits();
      }
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
        needed = true;
        vigil.worked(now);
        visitLink(now);
        giveWay();
        return;
      }
      case HELD -> LockSupport.parkNanos(this, HELD_NANOS);
      case RECEIVED -> {
        needed = true;
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
    if (someoneWaits.getAndSet(false)) {
      deference.refute();
    } else {
      watching = deference.isProven(engine.clock().now(), needed);
    }
    needed = false;
  }

  /**
   * Lets a program go first that may be waiting for this processor to poll: while this thread takes
   * its messages, nobody posts new receives, and the peer has to send again what finds none.
   */
  @SuppressWarnings("ThreadPriorityCheck") // correct without the yield, only slower
  private void giveWay() {
    if (isPolled(LATELY_NANOS)) {
      Thread.yield();
    }
  }

  /** Whether the program is polling or sending, or was within this time. */
  private boolean isPolled(long nanos) {
    return schedule.attendance().isWithin(nanos, engine.clock().now());
  }

  private void park(long now) {
    visitedLinkAt = now;
    vigil.sleeps();
    deference.sleeps();
    long idleUntil = now + VISIT_NANOS;
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
