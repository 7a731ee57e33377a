package dev.verbena.soft.queue;

import dev.verbena.soft.memory.ScatterGather;

/**
 * A receive in its queue. The poster fills it before publishing; from then on the responder owns
 * it.
 */
public final class RecvWqe {
  private final ScatterGather data;
  private long wrId;

  RecvWqe(ScatterGather data) {
    this.data = data;
  }

  /** Starts a new receive in this slot. */
  public void begin(long id) {
    wrId = id;
    data.clear();
  }

  /** Identifier. */
  public long wrId() {
    return wrId;
  }

  /** Where the message goes. */
  public ScatterGather data() {
    return data;
  }
}
