package dev.verbena.soft.engine.progress;

import dev.verbena.soft.queue.Guard;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A guard that lets waiting threads sleep, but not at once: most guards are held for less than a
 * microsecond, and to fall asleep and to be woken takes fifty. Taking and releasing it costs one
 * atomic operation each. Other classes see only a {@link Guard}; the inherited methods are for the
 * JDK.
 */
@SuppressWarnings("UnusedVariable") // the gaps are there to take room
final class LockGuard extends LockState implements Guard {
  private static final long serialVersionUID = 1L;

  private static final int FREE = 0;
  private static final int HELD = 1;

  /** Looks before a thread sleeps, some microseconds. */
  private static final int LOOKS = 200;

  private static final AtomicReferenceFieldUpdater<LockState, @Nullable Thread> SLEEPER =
      AtomicReferenceFieldUpdater.newUpdater(LockState.class, Thread.class, "sleeper");

  // Behind the lock, as the next object in memory is often the guard of the other half.
  private long gap0;
  private long gap1;
  private long gap2;
  private long gap3;
  private long gap4;
  private long gap5;
  private long gap6;
  private long gap7;

  @Override
  public void enter() {
    if (compareAndSetState(FREE, HELD)) {
      setExclusiveOwnerThread(Thread.currentThread());
    } else if (!enterSoon() && !enterAfterSleep()) {
      acquire(HELD);
    }
  }

  private boolean enterSoon() {
    for (int i = 0; i < LOOKS; i++) {
      Thread.onSpinWait();
      if ((getState() == FREE || open) && tryEnter()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sleeps until the thread has got in, without making an object as a queue would; returns false if
   * another thread already sleeps so.
   */
  private boolean enterAfterSleep() {
    if (!SLEEPER.compareAndSet(this, null, Thread.currentThread())) {
      return false;
    }
    boolean interrupted = false;
    try {
      while (!tryEnter()) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    } finally {
      sleeper = null;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  @Override
  public boolean tryEnter() {
    if (!compareAndSetState(FREE, HELD)) {
      return open;
    }
    setExclusiveOwnerThread(Thread.currentThread());
    return true;
  }

  @Override
  protected boolean tryAcquire(int state) {
    return tryEnter();
  }

  @Override
  public void exit() {
    if (Thread.currentThread().equals(getExclusiveOwnerThread())) {
      setExclusiveOwnerThread(null);
      setState(FREE);
    } else if (!open) {
      throw new IllegalMonitorStateException("the guard is not held by this thread");
    }
    // A thread checks the state again before it sleeps, so none is missed here.
    if (sleeper != null) {
      wake();
    }
    if (hasQueuedThreads()) {
      release(FREE);
    }
  }

  private void wake() {
    Thread waiting = sleeper;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /**
   * {@link #exit} and {@link #open} have already done what must precede the waking of the first
   * thread.
   */
  @Override
  protected boolean tryRelease(int state) {
    return true;
  }

  @Override
  public void takeOver() {
    setExclusiveOwnerThread(Thread.currentThread());
  }

  @Override
  public void open() {
    open = true;
    wake();
    // Wakes the first waiting thread, which wakes the next when it leaves.
    release(FREE);
  }

  @Override
  public boolean isHeldByCurrentThread() {
    return Thread.currentThread().equals(getExclusiveOwnerThread());
  }
}
