package dev.verbena.soft.engine.progress;

/**
 * The part that makes progress when nobody polls; called only for what it could miss while parked.
 */
public interface Waker {
  /** For an engine that makes progress only when called. */
  Waker NOBODY =
      new Waker() {
        @Override
        public void workWaits() {}

        @Override
        public void deadlineIs(long deadline) {}

        @Override
        public void someoneWaits() {}
      };

  /** There is something to do now. */
  void workWaits();

  /** There will be something to do then. */
  void deadlineIs(long deadline);

  /** A thread is about to block, and so polls no longer. */
  void someoneWaits();
}
