package dev.verbena.soft.queue;

import dev.verbena.soft.memory.Domain;
import org.jspecify.annotations.Nullable;

/** Where a queue pair's responder gets receives from. Under the responder guard. */
public interface ReceiveSource {
  /**
   * A request comes in.
   *
   * @param srqNum the shared queue that it names; means nothing unless the service is XRC
   * @return false if it cannot be for this queue pair
   */
  default boolean select(int srqNum) {
    return true;
  }

  /**
   * The domain that the memory must be of which a request reads or writes by key.
   *
   * @param srqNum as for {@link #select}
   * @return null if there is no such shared queue
   */
  @Nullable Domain keyDomain(int srqNum);

  /**
   * Whether {@link #take} would have a receive; others may empty a shared queue before it is
   * called.
   */
  boolean isPosted();

  /**
   * The receive for the message that is coming in: the oldest one, and then the same one until it
   * is released; null if none is posted.
   */
  @Nullable RecvWqe take();

  /**
   * A receive that must complete with this queue pair: of a queue of its own the oldest, of a
   * shared one only what it has taken; null if there is none.
   */
  @Nullable RecvWqe owned();

  /** The receive that was taken, or owned, is complete. */
  void release();

  /**
   * The message that was coming in is none: a receive that was taken from a shared queue for it is
   * the first there again, for whoever comes next. One of a queue of its own stays where it is.
   */
  void putBack();

  /** Drops all receives of a queue of its own; otherwise as {@link #putBack}. */
  void reset();

  /** Where receives complete. */
  CompletionRing ring();

  /** The domain that the memory of receives is of. */
  Domain domain();

  /** Whether receives may land in memory of this domain; any thread may ask. */
  default boolean mayTouch(Domain memory) {
    return domain().equals(memory);
  }

  /** How many are posted, of how many, for people. */
  void dump(StringBuilder text);

  /** Whether other queue pairs take receives from here, too. */
  boolean isShared();
}
