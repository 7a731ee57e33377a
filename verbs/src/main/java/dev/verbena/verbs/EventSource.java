package dev.verbena.verbs;

import java.nio.channels.SelectableChannel;

/**
 * Something that events wait in: C's file descriptor of a completion channel, or of asynchronous
 * events. Ready from the moment an event waits until the last one is taken.
 */
public interface EventSource {
  /** Whether an event waits now. */
  boolean isReady();

  /**
   * A non-blocking channel that is readable while events wait, to register with a {@link
   * java.nio.channels.Selector} for OP_READ. The same one at every call; made at the first. Never
   * read from it: take the events instead. Closed with its owner.
   *
   * @throws VerbsException EIO if the operating system grants no pipe
   */
  SelectableChannel selectable();
}
