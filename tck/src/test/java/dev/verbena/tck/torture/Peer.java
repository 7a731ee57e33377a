package dev.verbena.tck.torture;

import dev.verbena.verbs.ConnectionData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The other end of a lane, as the one that posts sees it. It has one wish at a time. */
interface Peer extends AutoCloseable {
  /** What it can be asked for. */
  enum Wish {
    /** To connect its queue pair, anew if need be. */
    CONNECT,
    /** To look at what the last batch has left, and to make ready for the next one. */
    BATCH,
    /** Only to look. */
    CHECK
  }

  /**
   * What it answers when a wish is fulfilled.
   *
   * @param target its queue pair and memory
   * @param word what the atomics have left
   * @param counters of its device, in the order of {@link Torture#INTERESTING}, if it was to look
   *     only
   */
  record Answer(ConnectionData target, long word, List<Long> counters) {}

  /**
   * Asks for something.
   *
   * @param ours the queue pair that posts
   */
  void ask(Wish wish, ConnectionData ours);

  /** The answer to the wish, once it is there. */
  @Nullable Answer answer();

  /** An operation of the batch is complete: a peer in this process can look at once. */
  void completed(int slot);

  /** Whether it will never answer again. */
  boolean isGone();

  @Override
  void close();
}
