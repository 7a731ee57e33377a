package dev.verbena.soft.transport;

/** Asks a few times in what may be in flight, and answers whatever asks, at once. */
public final class PromptAcks implements AckPolicy {
  /** How often, of all that may be in flight. */
  private static final int TIMES = 4;

  /** It has no state: any number of queue pairs may share it. */
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
