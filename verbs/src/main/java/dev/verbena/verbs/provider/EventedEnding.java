package dev.verbena.verbs.provider;

/** The end of an object whose events are asynchronous ones. */
public interface EventedEnding extends Lifetime.Ending {
  /** Its events. */
  ObjectEvents events();

  @Override
  default void awaitEvents() throws InterruptedException {
    events().unacknowledged().retireWhenNone();
  }

  @Override
  default void dropEvents() {
    events().unacknowledged().retire();
  }

  @Override
  default void tearDown() {
    events().purge();
  }
}
