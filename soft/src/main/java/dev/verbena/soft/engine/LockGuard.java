package dev.verbena.soft.engine;

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
  public boolean isHeldByCurrentThread() {
    return mutex.isHeldExclusively();
  }

  private static final class Mutex extends AbstractQueuedSynchronizer {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean tryAcquire(int state) {
      if (!compareAndSetState(FREE, state)) {
        return false;
      }
      setExclusiveOwnerThread(Thread.currentThread());
      return true;
    }

    @Override
    protected boolean tryRelease(int state) {
      if (!isHeldExclusively()) {
        throw new IllegalMonitorStateException("the guard is not held by this thread");
      }
      setExclusiveOwnerThread(null);
      setState(state);
      return true;
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
