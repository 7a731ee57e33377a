package dev.verbena.soft.transport;

import dev.verbena.soft.transport.requester.LossWindow;

/** What a connection's congestion control hears, besides what it does about it. */
final class Congestion implements CongestionControl {
  int losses;
  int arrived;
  int notifications;
  long slowest;
  private boolean curious;
  private final LossWindow window = new LossWindow();

  /** From now on it wants to hear of all that arrives. */
  void listen() {
    curious = true;
  }

  @Override
  public void reset() {
    window.reset();
  }

  @Override
  public int limit(int ofPath) {
    return window.limit(ofPath);
  }

  @Override
  public boolean listens() {
    return curious || window.listens();
  }

  @Override
  public void arrived(int psns) {
    arrived += psns;
    window.arrived(psns);
  }

  @Override
  public void answeredIn(long nanos) {
    slowest = Math.max(slowest, nanos);
    window.answeredIn(nanos);
  }

  @Override
  public void lost() {
    losses++;
    window.lost();
  }

  @Override
  public void notified() {
    notifications++;
    window.notified();
  }
}
