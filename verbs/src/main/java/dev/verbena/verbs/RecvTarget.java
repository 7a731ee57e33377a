package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * An object to which receives are posted: a {@link QueuePair}, a {@link SharedReceiveQueue} or a
 * {@link WorkQueue}.
 */
public interface RecvTarget {
  /**
   * Posts a list of receives, up to the first one that is refused.
   *
   * @throws WorkRequestException naming the receive that was refused; those before it are posted
   */
  void postRecv(@Nullable RecvWr wr);
}
