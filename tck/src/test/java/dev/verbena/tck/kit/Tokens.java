package dev.verbena.tck.kit;

import dev.verbena.verbs.EventSource;

/** A listener that has a token while events wait, like a readable descriptor. */
public final class Tokens implements EventSource.Readiness {
  private boolean present;
  private int handedOut;

  @Override
  public synchronized void ready() {
    present = true;
    handedOut++;
  }

  @Override
  public synchronized void drained() {
    present = false;
  }

  /** Consumes the token; false if there is none. */
  public synchronized boolean take() {
    boolean taken = present;
    present = false;
    return taken;
  }

  /** The number of tokens so far. */
  public synchronized int handedOut() {
    return handedOut;
  }
}
