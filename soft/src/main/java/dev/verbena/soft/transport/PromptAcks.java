package dev.verbena.soft.transport;

/** Asks a few times in each window, and answers whatever asks, at once. */
public final class PromptAcks implements AckPolicy {
  /** How often a window's worth of packets asks. */
  private static final int PER_WINDOW = 4;

  /** It has no state: any number of queue pairs may share it. */
  public PromptAcks() {}

  @Override
  public boolean asks(int inFlight, int window, boolean fills) {
    return fills || inFlight % Math.max(1, window / PER_WINDOW) == 0;
  }

  @Override
  public boolean answers(Chunk chunk) {
    return chunk.wantsAck();
  }
}
