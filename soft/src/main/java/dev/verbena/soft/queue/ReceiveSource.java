package dev.verbena.soft.queue;

import dev.verbena.soft.memory.Domain;
import org.jspecify.annotations.Nullable;

/** The source of receives for a queue pair's responder. Used under the responder guard. */
public interface ReceiveSource {
  /**
   * Selects the shared queue for an incoming request.
   *
   * @param srqNum the shared queue that it names; ignored unless the service is XRC
   * @return false if it cannot be for this queue pair
   */
  default boolean select(int srqNum) {
    return true;
  }

  /**
   * The required domain of memory that a request reads or writes by key.
   *
   * @param srqNum as for {@link #select}
   * @return null if there is no such shared queue
   */
  @Nullable Domain keyDomain(int srqNum);

  /**
   * Whether {@link #take} would find a receive; others may empty a shared queue before that call.
   */
  boolean isPosted();

  /** See {@link #posted}. */
  int UNCOUNTED = -1;

  /**
   * The number of posted receives; {@link #UNCOUNTED} if others may empty the queue meanwhile, so
   * that a number would say nothing.
   */
  default int posted() {
    return UNCOUNTED;
  }

  /**
   * Records whether the peer was told that no receive is posted, and waits for news from whoever
   * posts the next one.
   */
  default void awaited(boolean whether) {}

  /** Whether the peer waits for the next receive; any thread may call this. */
  default boolean isAwaited() {
    return false;
  }

  /**
   * The receive for the incoming message: the oldest one, and then the same one until it is
   * released; null if none is posted.
   */
  @Nullable RecvWqe take();

  /**
   * A receive that must complete with this queue pair: the oldest of its own queue, or the one
   * taken from a shared queue; null if there is none.
   */
  @Nullable RecvWqe owned();

  /** The taken or owned receive is complete. */
  void release();

  /**
   * The incoming message is dropped: a receive taken for it from a shared queue becomes the first
   * there again. One of the queue pair's own queue stays where it is.
   */
  void putBack();

  /** Drops all receives of the queue pair's own queue; otherwise as {@link #putBack}. */
  void reset();

  /** The ring for completions of receives. */
  CompletionRing ring();

  /** The domain of the receives' memory. */
  Domain domain();

  /** Whether receives may use memory of this domain; any thread may call this. */
  default boolean mayTouch(Domain memory) {
    return domain().equals(memory);
  }

  /** Describes the number of posted receives and the capacity, for people. */
  void dump(StringBuilder text);

  /** Whether other queue pairs take receives from here as well. */
  boolean isShared();
}
