package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Where receives are posted to: a {@link QueuePair}, a {@link SharedReceiveQueue} or a {@link
 * WorkQueue}.
 */
public interface RecvTarget {
  /**
   * Posts a list of receives, up to the first that is refused.
   *
   * @throws WorkRequestException that names the receive that was refused; those before it are
   *     posted
   */
  void postRecv(@Nullable RecvWr wr);
}
