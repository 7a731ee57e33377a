package dev.verbena.verbs.provider;

/**
 * Counts the taken and unacknowledged events of one object, of one kind; the object must not end
 * before they are acknowledged.
 */
public final class Unacknowledged {
  private long count;

  /** How many of these need no acknowledgement: they do not keep the object from ending. */
  private long deferred;

  private boolean retired;

  /** An event is being taken; returns false if the object is ending and no event may be taken. */
  public synchronized boolean take() {
    if (retired) {
      return false;
    }
    count++;
    return true;
  }

  /**
   * Events were acknowledged.
   *
   * @return false, without a change, if fewer are unacknowledged
   */
  public synchronized boolean acknowledge(int events) {
    if (retired) {
      return true;
    }
    if (events > count - deferred) {
      return false;
    }
    count -= events;
    notifyAll();
    return true;
  }

  /** How many may be acknowledged. */
  public synchronized long acknowledgeable() {
    return count - deferred;
  }

  /**
   * Excludes a taken event from the waiting, because it will not be acknowledged before the object
   * ends.
   */
  public synchronized void defer() {
    deferred++;
    notifyAll();
  }

  /** How many were deferred. */
  public synchronized long deferred() {
    return deferred;
  }

  /** Waits until all are acknowledged; from then on none can be taken. */
  public synchronized void retireWhenNone() throws InterruptedException {
    awaitNone();
    retired = true;
  }

  /** Waits until all are acknowledged, or none can be taken any more. */
  synchronized void awaitNone() throws InterruptedException {
    while (!isNone()) {
      wait();
    }
  }

  private boolean isNone() {
    return retired || count <= deferred;
  }

  /** If all of both are acknowledged, none of either can be taken from then on. */
  static boolean retireIfNone(Unacknowledged first, Unacknowledged second) {
    synchronized (first) {
      synchronized (second) {
        boolean none = first.isNone() && second.isNone();
        first.retired |= none;
        second.retired |= none;
        return none;
      }
    }
  }

  /** Allows no more events to be taken, and treats the taken ones as acknowledged. */
  public synchronized void retire() {
    retired = true;
    notifyAll();
  }

  /** Whether none can be taken any more. */
  public synchronized boolean isRetired() {
    return retired;
  }
}
