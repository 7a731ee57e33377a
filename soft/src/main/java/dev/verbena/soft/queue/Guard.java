package dev.verbena.soft.queue;

import dev.verbena.verbs.provider.Exclusion;

/**
 * A mutual exclusion that one thread holds at a time; not reentrant. Made by the engine, which
 * knows about threads; {@link #NONE} stands where the caller promised that there is only one
 * (thread domains, single-threaded completion queues, virtual time).
 */
public interface Guard extends Exclusion {
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

  /** Takes the guard if it is free. */
  boolean tryEnter();

  /** Whether this thread holds the guard; always false for a guard that excludes nobody. */
  boolean isHeldByCurrentThread();
}
