package dev.verbena.soft.engine;

import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.engine.progress.Perseverance;
import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.engine.progress.Waker;
import dev.verbena.soft.link.Link;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes progress when nobody polls: one-sided operations complete at a target whose program is
 * asleep.
 *
 * <p>While the application polls in a loop, that loop drives the device, and this thread only wakes
 * about every millisecond to see whether it still does. When it has stopped, or at once when a
 * thread blocks to wait for an event, this thread takes over: it parks in the kernel until a
 * datagram comes, it is woken, or a deadline passes. An application that waits for events polls a
 * little each time; so what counts is not that the counter of polls moves, but that it moves as
 * fast as only a loop makes it.
 *
 * <p>Nothing is missed on the way into the kernel: the time of the next waking is published first,
 * then timers and ready list are looked at; who adds to those does so first and then looks at the
 * time.
 */
final class EngineThread implements Runnable, Waker {
  private static final long WATCH_NANOS = 1_000_000;

  /** How long it sleeps if nothing happens; a later deadline needs no waking. */
  private static final long IDLE_NANOS = 100_000_000;

  /**
   * Polls per {@link #WATCH_NANOS} that only a loop makes. A loop over UDP makes some hundred, but
   * where it shares its processor with others, a part of that: taken for no loop, it would meet
   * this thread at every guard.
   */
  private static final long POLLS_OF_A_LOOP = 32;

  /** How often the link is visited although the application's polling drives it. */
  private static final long VISIT_NANOS = 1_000_000_000;

  /** In {@link #nextWaking}: not parked in the kernel, and looks at everything before it is. */
  private static final long AWAKE = Long.MIN_VALUE;

  private static final long JOIN_MILLIS = 5_000;

  private final Engine engine;
  private final Link link;
  private final Schedule schedule;
  private final Perseverance perseverance;
  private final Thread thread;
  private volatile long nextWaking = AWAKE;
  private volatile boolean watching;
  private final AtomicBoolean someoneWaits = new AtomicBoolean();
  private volatile boolean stopped;
  // Of this thread only.
  private long seenPolls;
  private long seenAt;
  private long visitedLinkAt;

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
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = thread.join(Duration.ofMillis(JOIN_MILLIS));
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return ended;
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

  /** Whether the application's polling drives the device at the moment. */
  boolean isWatching() {
    return watching;
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
      LockSupport.parkNanos(this, WATCH_NANOS);
    }
    long now = engine.clock().now();
    if (now - visitedLinkAt >= VISIT_NANOS) {
      // The link has a life of its own: whether its interface is up, a file to flush.
      visitedLinkAt = now;
      link.await(0);
    }
    boolean early = now - seenAt < WATCH_NANOS;
    if (someoneWaits.getAndSet(false) || (!early && !isPolledInLoop(now))) {
      watching = false;
    }
  }

  private void serve() {
    long now = engine.clock().now();
    if (engine.turnOfThread(now)) {
      return;
    }
    if (now - seenAt >= WATCH_NANOS) {
      boolean polled = isPolledInLoop(now);
      watching = !someoneWaits.getAndSet(false) && polled;
      if (watching) {
        return;
      }
    }
    park(now);
  }

  private void park(long now) {
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

  /** Whether polls since the last look were as many as a loop makes; remembers this look. */
  private boolean isPolledInLoop(long now) {
    long polls = engine.polls();
    long moved = polls - seenPolls;
    long elapsed = now - seenAt;
    seenPolls = polls;
    seenAt = now;
    return moved >= POLLS_OF_A_LOOP * elapsed / WATCH_NANOS;
  }
}
