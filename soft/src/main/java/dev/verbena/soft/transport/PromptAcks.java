package dev.verbena.soft.transport;

/** Asks a few times within what may be in flight, and answers every question at once. */
public final class PromptAcks implements AckPolicy {
  /** How often it asks within what may be in flight. */
  private static final int TIMES = 4;

  /** It has no state, so any number of queue pairs may share it. */
  public PromptAcks() {}

  @Override
  public boolean asks(int inFlight, int most, boolean fills) {
    return fills || inFlight % Math.max(1, most / TIMES) == 0;
  }

  @Override
  public boolean answers(Chunk chunk) {
    return chunk.ackRequest;
  }
}
