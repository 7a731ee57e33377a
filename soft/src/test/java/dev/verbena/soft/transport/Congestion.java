package dev.verbena.soft.transport;

import dev.verbena.soft.transport.requester.LossWindow;
import dev.verbena.soft.transport.requester.PeerWindow;

/** Records the calls of a connection's congestion control. */
public final class Congestion implements CongestionControl {
  int losses;
  int arrived;

  /** Calls of {@link #notified}. */
  public int notifications;

  long slowest;
  boolean ended;
  int rests;
  private boolean curious;
  private final LossWindow window = new LossWindow(new PeerWindow(), () -> ended = true);

  /** Asks to be told of everything that arrives. */
  void listen() {
    curious = true;
  }

  @Override
  public int limit(int ofPath) {
    return window.limit(ofPath);
  }

  @Override
  public void rest() {
    rests++;
    window.rest();
  }

  @Override
  public void end() {
    window.end();
  }

  @Override
  public boolean listens() {
    return curious || window.listens();
  }

  @Override
  public void arrived(int psns, long now) {
    arrived += psns;
    window.arrived(psns, now);
  }

  @Override
  public void answeredIn(long nanos) {
    slowest = Math.max(slowest, nanos);
    window.answeredIn(nanos);
  }

  @Override
  public void lost(long now) {
    losses++;
    window.lost(now);
  }

  @Override
  public void notified(long now) {
    notifications++;
    window.notified(now);
  }
}
