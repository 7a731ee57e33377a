package dev.verbena.verbs.provider;

/**
 * How many events of one object, of one kind, were taken and not acknowledged; the object must not
 * end before they are.
 */
public final class Unacknowledged {
  private long count;

  /** Of these, how many nobody need acknowledge: they do not keep the object. */
  private long deferred;

  private boolean retired;

  /** An event is being taken; false if the object ends and none may be any more. */
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
   * @return false, with nothing changed, if fewer are unacknowledged
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

  /** One that was taken shall not be waited for: nobody acknowledges it before the object ends. */
  public synchronized void defer() {
    deferred++;
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

  /** None can be taken from now on, and those that were count as acknowledged. */
  public synchronized void retire() {
    retired = true;
    notifyAll();
  }

  /** Takes back {@link #retireWhenNone}: the object goes on. */
  public synchronized void reinstate() {
    retired = false;
  }

  /** Whether none can be taken any more. */
  public synchronized boolean isRetired() {
    return retired;
  }
}
