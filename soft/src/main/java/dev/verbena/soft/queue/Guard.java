package dev.verbena.soft.queue;

import dev.verbena.verbs.provider.Exclusion;

/**
 * An exclusion that the engine makes, which knows about threads. {@link #NONE} is used where the
 * caller promises that there is only one thread (thread domains, single-threaded completion queues,
 * virtual time).
 */
public interface Guard extends Exclusion {
  /** Excludes no thread. */
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

  /** Whether this thread holds the guard; always false for a guard that excludes no thread. */
  boolean isHeldByCurrentThread();
}
