package dev.verbena.verbs.provider;

import dev.verbena.verbs.ObjectClosedException;
import org.jspecify.annotations.Nullable;

/**
 * A critical section of one object, for one call, or opened by one call of the application and
 * closed by another. It knows which thread has it open, even if no exclusion separates threads, and
 * reports misuse immediately, which would otherwise be a deadlock.
 */
public final class CallSection {
  private final Exclusion exclusion;
  private final Lifetime lifetime;
  private final String opening;
  private final String closing;
  private final String object;

  /**
   * The thread that has it open. A thread only compares it with itself, so stale values in other
   * threads do no harm; a thread that takes it over comes after its owner.
   */
  private @Nullable Thread opener;

  /** The section for posting to a queue pair: for one call, or from wrStart to wrComplete. */
  public static CallSection posting(Exclusion exclusion, Lifetime lifetime) {
    return new CallSection(exclusion, lifetime, "wrStart", "wrComplete", "queue pair");
  }

  /** The section for reading a completion queue: for one call, or from startPoll to endPoll. */
  public static CallSection polling(Exclusion exclusion, Lifetime lifetime) {
    return new CallSection(exclusion, lifetime, "startPoll", "endPoll", "completion queue");
  }

  private CallSection(
      Exclusion exclusion, Lifetime lifetime, String opening, String closing, String object) {
    this.exclusion = exclusion;
    this.lifetime = lifetime;
    this.opening = opening;
    this.closing = closing;
    this.object = object;
  }

  /** Name of the object in messages: "QP 0x11". */
  public String name() {
    return lifetime.name();
  }

  /** Whether this thread has it open. */
  public boolean isOpen() {
    return Thread.currentThread().equals(opener);
  }

  /** Refuses a call that is illegal while it is open. */
  public void requireClosed(String function) {
    if (isOpen()) {
      throw new IllegalStateException(
          "%s is not allowed between %s and %s of the same thread and %s"
              .formatted(function, opening, closing, object));
    }
  }

  /**
   * Refuses a call while any thread has it open, where nothing makes threads wait for each other.
   * The program then keeps them apart itself, and so sees who has it open.
   */
  public void requireFree(String function) {
    Thread thread = opener;
    if (thread != null && !isOpen()) {
      throw new IllegalStateException(function + " of " + name() + ": " + holder());
    }
  }

  /**
   * Refuses a call that is legal only while it is open. If the object has ended, closes what this
   * thread has open, so that no thread waits for it.
   *
   * @throws ObjectClosedException if the object has ended
   */
  public void requireOpen(String function) {
    boolean mine = Thread.currentThread().equals(opener);
    if (lifetime.closed) {
      if (mine) {
        close();
      }
      lifetime.require(function);
    }
    if (!mine) {
      String holder = holder();
      throw new IllegalStateException(
          function
              + " of "
              + name()
              + " without "
              + opening
              + (holder.isEmpty() ? "" : "; " + holder));
    }
  }

  /**
   * Who has it open, in words for people; empty if nobody has. To other threads it may be news of a
   * moment ago.
   */
  public String holder() {
    Thread thread = opener;
    return thread == null
        ? ""
        : "thread " + thread.getName() + " has called " + opening + ", and not yet " + closing;
  }

  /**
   * Enters for one call, which is illegal while it is open.
   *
   * @throws ObjectClosedException if the object has ended, perhaps while this thread waited
   */
  public void enter(String function) {
    if (Thread.currentThread().equals(opener)) {
      lifetime.require(function);
      requireClosed(function);
    }
    exclusion.enter();
    if (lifetime.closed) {
      exclusion.exit();
      lifetime.require(function);
    }
  }

  /** Ends {@link #enter}. */
  public void exit() {
    exclusion.exit();
  }

  /**
   * Enters until {@link #close}.
   *
   * @throws ObjectClosedException as {@link #enter}
   */
  public void open(String function) {
    enter(function);
    opener = Thread.currentThread();
  }

  /** Makes this thread the owner if it is open, whichever thread opened it. */
  public void takeOver() {
    if (opener != null && !isOpen()) {
      exclusion.takeOver();
      opener = Thread.currentThread();
    }
  }

  /**
   * The object has ended: wakes the threads that wait to enter, even if a thread has abandoned it
   * open.
   */
  public void release() {
    exclusion.open();
  }

  /** Ends {@link #open}. */
  public void close() {
    opener = null;
    exclusion.exit();
  }
}
