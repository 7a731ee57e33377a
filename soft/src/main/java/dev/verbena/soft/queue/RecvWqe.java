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

  /** The memory for the message. */
  public ScatterGather data() {
    return data;
  }

  /** Such as {@code RECV wr_id 7, 64 bytes}. */
  @Override
  public String toString() {
    return "RECV wr_id " + wrId + ", " + data.total + " bytes";
  }
}
