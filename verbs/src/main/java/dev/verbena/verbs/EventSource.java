package dev.verbena.verbs;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/**
 * A source of events, such as a completion channel or the asynchronous events of a context; in C,
 * its file descriptor. It is ready from the arrival of an event until the last one is taken.
 */
public interface EventSource {
  /**
   * Whether an event is waiting.
   *
   * @throws ObjectClosedException if the owner, a completion channel or a context, is closed
   */
  boolean isReady();

  /**
   * A non-blocking channel that is readable while events wait, to be registered with a {@link
   * java.nio.channels.Selector} for OP_READ. The first call creates it, and every call returns the
   * same one. Never read from it; take the events instead. It is closed with its owner, which Java
   * tells only those selectors that are selecting in that moment: {@link #registerPoll} wakes them
   * all.
   *
   * @throws ObjectClosedException as {@link #isReady()}
   * @throws VerbsException EIO if the operating system provides no pipe
   */
  SelectableChannel selectable();

  /**
   * Registers {@link #selectable()} with a selector, for OP_READ. When the owner is closed, a
   * selection that is under way, or else the next one, returns at once.
   *
   * @return the key to pass to {@link #isReady(SelectionKey)} after a selection
   * @throws ObjectClosedException as {@link #isReady()}
   * @throws VerbsException EIO if the operating system provides no pipe
   */
  SelectionKey registerPoll(Selector selector);

  /**
   * Whether a selection found events here: the key belongs to {@link #selectable()} and is
   * readable.
   *
   * @param key any key; for a key of another channel or a cancelled one the result is false
   * @throws ObjectClosedException as {@link #isReady()}
   */
  default boolean isReady(SelectionKey key) {
    return key.channel().equals(selectable()) && key.isValid() && key.isReadable();
  }

  /**
   * Sets the listener for changes, for programs that wait by other means, such as a file
   * descriptor. There is at most one: it replaces the current one. If an event is waiting, {@link
   * Readiness#ready()} is called before this method returns. Once it has returned, the replaced
   * listener is not called again.
   *
   * @param listener the new listener, or null for none
   * @throws ObjectClosedException as {@link #isReady()}
   */
  void onReadiness(@Nullable Readiness listener);

  /**
   * Listens to changes of an event source. Calls for one source are made one at a time and in
   * order, by the threads that raise, take and purge events, including the device's own, while they
   * hold locks. So a listener must be quick, and must not block, throw or call verbs.
   */
  interface Readiness {
    /**
     * An event is waiting. Called when the first event arrives, and again whenever one is taken and
     * others remain. So a listener can hand out one token per call, of which each taker consumes
     * one, without counting events.
     */
    void ready();

    /**
     * No event is waiting any more: the last one was taken, or removed because its object was
     * destroyed.
     */
    void drained();
  }
}
