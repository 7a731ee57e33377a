package dev.verbena.verbs;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/**
 * Something that events wait in: C's file descriptor of a completion channel, or of asynchronous
 * events. Ready from the moment an event waits until the last one is taken.
 */
public interface EventSource {
  /**
   * Whether an event waits now.
   *
   * @throws ObjectClosedException if the owner, a completion channel or a context, is closed
   */
  boolean isReady();

  /**
   * A non-blocking channel that is readable while events wait, to register with a {@link
   * java.nio.channels.Selector} for OP_READ. The same one at every call; made at the first. Never
   * read from it: take the events instead. Closed with its owner.
   *
   * @throws ObjectClosedException as {@link #isReady()}
   * @throws VerbsException EIO if the operating system grants no pipe
   */
  SelectableChannel selectable();

  /**
   * Registers {@link #selectable()} with a selector, for OP_READ.
   *
   * @return the key that {@link #isReady(SelectionKey)} asks for after a selection
   * @throws ObjectClosedException as {@link #isReady()}
   * @throws VerbsException EIO if the operating system grants no pipe
   */
  default SelectionKey registerPoll(Selector selector) {
    try {
      return selectable().register(selector, SelectionKey.OP_READ);
    } catch (ClosedChannelException e) {
      throw new ObjectClosedException("registerPoll", "the channel of this event source");
    }
  }

  /**
   * Whether a selection found events here: the key is of {@link #selectable()} and readable.
   *
   * @param key any key; one of another channel, or a cancelled one, is answered with false
   * @throws ObjectClosedException as {@link #isReady()}
   */
  default boolean isReady(SelectionKey key) {
    return key.channel().equals(selectable()) && key.isValid() && key.isReadable();
  }

  /**
   * Sets a listener for every change, for programs that wait by other means, such as a descriptor
   * of the operating system. At most one: the present listener is replaced. If an event waits now,
   * {@link Readiness#ready()} is called before this method returns. When it has returned, the
   * replaced listener is called no more.
   *
   * @param listener what is told, or null for nothing
   * @throws ObjectClosedException as {@link #isReady()}
   */
  void onReadiness(@Nullable Readiness listener);

  /**
   * Told of changes of an event source. The calls of one source come one at a time and in order.
   * They come from the threads that raise, take and purge events, the device's own among them,
   * while these hold locks: a listener must be quick, and must not block, throw or call verbs.
   */
  interface Readiness {
    /**
     * An event waits. Called when the first comes, and again whenever one was taken and others are
     * left: so a listener that hands out one token for it, of which each taker consumes one, need
     * not count.
     */
    void ready();

    /** No event waits any more: the last one was taken, or was removed because its object ended. */
    void drained();
  }
}
