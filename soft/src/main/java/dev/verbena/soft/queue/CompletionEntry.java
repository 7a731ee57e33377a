package dev.verbena.soft.queue;

import dev.verbena.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a completion ring. The adding thread writes it until the ring's tail has passed it;
 * then it belongs to the poller, until the ring's head has passed it.
 */
public final class CompletionEntry {
  /** The reported completion. */
  public final WorkCompletion completion = new WorkCompletion();

  private @Nullable SendQueue owner;
  private long request;
  private long timestamp;

  CompletionEntry() {}

  void set(WorkCompletion from, @Nullable SendQueue sends, long number, long time) {
    completion.set(from);
    owner = sends;
    request = number;
    timestamp = time;
  }

  /** Copies the reported completion, without what it frees in the send queue. */
  void copy(CompletionEntry from) {
    completion.set(from.completion);
    timestamp = from.timestamp;
  }

  /** Frees the slots of the send queue up to the request that completed. */
  void reclaim() {
    SendQueue sends = owner;
    if (sends != null) {
      sends.reclaim(request);
      owner = null;
    }
  }

  /** Whether this is a send, since a receive frees nothing here. */
  boolean isSend() {
    return owner != null;
  }

  /** When it was added, if the ring has time stamps. */
  public long timestamp() {
    return timestamp;
  }
}
