package dev.verbena.soft.engine.progress;

import dev.verbena.soft.queue.Guard;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/** A guard that lets waiting threads sleep. Taken and given back by one atomic operation each. */
final class LockGuard implements Guard {
  private static final int FREE = 0;
  private static final int HELD = 1;

  private final Mutex mutex = new Mutex();

  @Override
  public void enter() {
    mutex.acquire(HELD);
  }

  @Override
  public boolean tryEnter() {
    return mutex.tryAcquire(HELD);
  }

  @Override
  public void exit() {
    mutex.release(FREE);
  }

  @Override
  public void takeOver() {
    mutex.takeOver();
  }

  @Override
  public void open() {
    mutex.open();
  }

  @Override
  public boolean isHeldByCurrentThread() {
    return mutex.isHeldExclusively();
  }

  private static final class Mutex extends AbstractQueuedSynchronizer {
    private static final long serialVersionUID = 1L;

    private volatile boolean open;

    @Override
    protected boolean tryAcquire(int state) {
      if (!compareAndSetState(FREE, state)) {
        return open;
      }
      setExclusiveOwnerThread(Thread.currentThread());
      return true;
    }

    @Override
    protected boolean tryRelease(int state) {
      if (!isHeldExclusively()) {
        if (open) {
          // Of a thread that was let in; true wakes the next that waits.
          return true;
        }
        throw new IllegalMonitorStateException("the guard is not held by this thread");
      }
      setExclusiveOwnerThread(null);
      setState(state);
      return true;
    }

    private void open() {
      open = true;
      // Wakes the first that waits, who wakes the next when it leaves.
      release(FREE);
    }

    private void takeOver() {
      setExclusiveOwnerThread(Thread.currentThread());
    }

    @Override
    protected boolean isHeldExclusively() {
      return Thread.currentThread().equals(getExclusiveOwnerThread());
    }
  }
}
