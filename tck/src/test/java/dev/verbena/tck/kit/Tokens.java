package dev.verbena.tck.kit;

import dev.verbena.verbs.EventSource;

/** A listener that keeps a token while events wait, as a descriptor of events is readable. */
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

  /** How many there were in all. */
  public synchronized int handedOut() {
    return handedOut;
  }
}
