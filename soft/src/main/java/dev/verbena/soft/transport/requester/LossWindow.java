package dev.verbena.soft.transport.requester;

import dev.verbena.soft.transport.CongestionControl;

/**
 * An even share of what the destination takes, and less while packets get lost. A responder drops
 * everything that follows a lost packet, and all of it is sent again (S12.5.6, S12.6.2): the more
 * is in flight, the more is sent in vain. So each loss removes a quarter of this share, and the
 * share grows by one each time that as much as it allows has arrived, until it is as large as the
 * path's. Removing half would be too much: if packets get lost by chance, a smaller limit meets as
 * many losses and no longer fills the path. A small limit is halved. A notification of congestion
 * counts as a loss, once until as much as is allowed has arrived, but has a longer effect. Without
 * loss there is no limit. Used under the requester guard.
 */
public final class LossWindow implements CongestionControl {
  private final PeerWindow peer;
  private final Runnable onEnd;
  private int ofPath = 1;
  private int arrived;
  private boolean sending;

  /** Whether packets in flight at the last notification may not have arrived yet. */
  private boolean notified;

  /**
   * @param peer shared with the other queue pairs to the destination
   * @param onEnd called at the end
   */
  public LossWindow(PeerWindow peer, Runnable onEnd) {
    this.peer = peer;
    this.onEnd = onEnd;
  }

  @Override
  public int limit(int mostOfPath) {
    ofPath = mostOfPath;
    if (!sending) {
      sending = true;
      peer.begin();
    }
    if (notified && !listens()) {
      // Other queue pairs may have lifted the limit before what was in flight here had arrived.
      notified = false;
    }
    return peer.share(mostOfPath);
  }

  @Override
  public void rest() {
    if (sending) {
      sending = false;
      notified = false;
      peer.end();
    }
  }

  @Override
  public void end() {
    rest();
    onEnd.run();
  }

  /** Listens while it allows less than the path takes. */
  @Override
  public boolean listens() {
    return peer.most != PeerWindow.UNLIMITED;
  }

  @Override
  public void arrived(int psns, long now) {
    arrived += psns;
    if (arrived >= peer.share()) {
      arrived = 0;
      notified = false;
      peer.grow(now);
    }
  }

  /** Does nothing: losses are enough, and a path that drains slowly has its own limit. */
  @Override
  public void answeredIn(long nanos) {}

  @Override
  public void lost(long now) {
    peer.lost(ofPath);
    arrived = 0;
  }

  /** Does nothing while nothing is in flight, because then this queue pair is not the cause. */
  @Override
  public void notified(long now) {
    if (sending && !notified) {
      notified = true;
      arrived = 0;
      peer.notified(ofPath, now);
    }
  }
}
