package dev.verbena.verbs.provider;

/** A mutual exclusion that one thread holds at a time; not reentrant. */
public interface Exclusion {
  /** Waits until it is free, and takes it. */
  void enter();

  /** Gives it back. */
  void exit();

  /**
   * Makes this thread the holder in place of the one that holds it now, which has handed it over by
   * means of its own.
   */
  void takeOver();

  /**
   * What it protects has ended: it excludes nobody any more. Who waits gets in, whether or not the
   * holder ever gives it back.
   */
  void open();
}
