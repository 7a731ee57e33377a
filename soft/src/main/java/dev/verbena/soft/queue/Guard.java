package dev.verbena.soft.queue;

/**
 * A mutual exclusion that one thread holds at a time; not reentrant. Made by the engine, which
 * knows about threads; {@link #NONE} stands where the caller promised that there is only one
 * (thread domains, single-threaded completion queues, virtual time).
 */
public interface Guard {
  /** Excludes nobody. */
  Guard NONE =
      new Guard() {
        @Override
        public void enter() {}

        @Override
        public boolean tryEnter() {
          return true;
        }

        @Override
        public void exit() {}

        @Override
        public void takeOver() {}

        @Override
        public void open() {}

        @Override
        public boolean isHeldByCurrentThread() {
          return false;
        }
      };

  /** Waits until the guard is free, and takes it. */
  void enter();

  /** Takes the guard if it is free. */
  boolean tryEnter();

  /** Gives the guard back. */
  void exit();

  /**
   * Makes this thread the holder in place of the one that holds the guard now, which has handed it
   * over by means of its own.
   */
  void takeOver();

  /**
   * What the guard protects has ended: it excludes nobody any more. Who waits gets in, whether or
   * not the holder ever gives the guard back.
   */
  void open();

  /** Whether this thread holds the guard; always false for a guard that excludes nobody. */
  boolean isHeldByCurrentThread();
}
