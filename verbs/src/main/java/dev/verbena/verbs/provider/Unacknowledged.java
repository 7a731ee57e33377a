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
    while (count > deferred && !retired) {
      wait();
    }
    retired = true;
  }

  /** Allows no more events to be taken, and treats the taken ones as acknowledged. */
  public synchronized void retire() {
    retired = true;
    notifyAll();
  }

  /** Undoes {@link #retireWhenNone}: the object stays. */
  public synchronized void reinstate() {
    retired = false;
  }

  /** Whether none can be taken any more. */
  public synchronized boolean isRetired() {
    return retired;
  }
}
