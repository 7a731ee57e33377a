package dev.verbena.tck.torture;

import dev.verbena.verbs.ConnectionData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The other end of a lane, as the posting end sees it. It handles one wish at a time. */
interface Peer extends AutoCloseable {
  /** The requests that it handles. */
  enum Wish {
    /** Connect its queue pair, again if necessary. */
    CONNECT,
    /** Check the result of the last batch, and prepare the next one. */
    BATCH,
    /** Only check. */
    CHECK
  }

  /**
   * The answer when a wish is fulfilled.
   *
   * @param target its queue pair and memory
   * @param srqNum number of its shared receive queue; 0 without one
   * @param word the value that the atomics left
   * @param broken whether its queue pair was in ERR: before it connected, or so that no batch is
   *     prepared, because the lane must connect again first
   * @param struck whether mischief has hit its memory or queue pair in the last batch
   * @param counters of its device, in the order of {@link Torture#INTERESTING}, after a mere check
   */
  record Answer(
      ConnectionData target,
      int srqNum,
      long word,
      boolean broken,
      boolean struck,
      List<Long> counters) {}

  /**
   * Asks for something.
   *
   * @param ours the queue pair that posts
   */
  void ask(Wish wish, ConnectionData ours);

  /** The answer to the wish, once it is there. */
  @Nullable Answer answer();

  /** An operation of the batch is complete; a peer in this process can check at once. */
  void completed(int slot);

  /** Whether it will never answer again. */
  boolean isGone();

  @Override
  void close();
}
