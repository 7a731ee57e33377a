package dev.verbena.verbs.provider;

/** A mutual exclusion that one thread holds at a time; not reentrant. */
public interface Exclusion {
  /** Waits until it is free, and takes it. */
  void enter();

  /** Releases it. */
  void exit();

  /**
   * Makes this thread the holder instead of the current one, which has passed it on by other means.
   */
  void takeOver();

  /**
   * Opens it for good because what it protects is gone; waiting threads get in, whether or not the
   * holder ever releases it.
   */
  void open();
}
