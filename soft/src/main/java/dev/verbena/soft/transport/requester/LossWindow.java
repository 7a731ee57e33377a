package dev.verbena.soft.transport.requester;

import dev.verbena.soft.transport.CongestionControl;

/**
 * A fixed share of what the destination takes, and less while packets get lost. A responder drops
 * all that follows a lost packet, and all of it is sent again (S12.5.6, S12.6.2): the more is in
 * flight, the more is sent in vain. So each loss takes a quarter of this limit away, and each time
 * that as much as it allows has arrived it grows by one, until it is as large as the path's. Half
 * would be too much: where packets get lost by chance, a smaller limit meets as many losses and no
 * longer fills the path. Of a small limit it is half. A notification of congestion counts as a
 * loss, once until as much as is allowed has arrived. Without loss this limits nothing. Under the
 * requester guard.
 */
public final class LossWindow implements CongestionControl {
  /**
   * What tells of a loss at once is a packet behind it, or its answer: where there are fewer of
   * them only the timer does, and where there are more, more is sent in vain.
   */
  private static final int LEAST = 3;

  /** Where so few are in flight, loss is heavy, and what is sent in vain is most of all. */
  private static final int SMALL = 8;

  private static final int UNLIMITED = Integer.MAX_VALUE;

  private int most = UNLIMITED;
  private int ofPath = UNLIMITED;

  /** The most that the path has taken: more for READs and small packets than for large ones. */
  private int widest;

  private int arrived;

  /** Whether what was in flight at the last notification may not have arrived yet. */
  private boolean notified;

  /** One that has heard of no loss. */
  public LossWindow() {}

  @Override
  public void reset() {
    most = UNLIMITED;
    widest = 0;
    arrived = 0;
    notified = false;
  }

  /** As long as it limits anything. */
  @Override
  public boolean listens() {
    return most != UNLIMITED;
  }

  @Override
  public int limit(int mostOfPath) {
    ofPath = mostOfPath;
    widest = Math.max(widest, mostOfPath);
    if (most >= widest) {
      most = UNLIMITED;
    }
    return Math.min(most, mostOfPath);
  }

  @Override
  public void lost() {
    int before = Math.min(most, ofPath);
    int kept = before > SMALL ? before * 3 / 4 : before / 2;
    most = Math.max(LEAST, kept);
    arrived = 0;
  }

  @Override
  public void arrived(int psns) {
    arrived += psns;
    if (arrived >= most) {
      arrived = 0;
      notified = false;
      most++;
    }
  }

  /** Loss tells it enough: a path that is slow to drain has its own limit. */
  @Override
  public void answeredIn(long nanos) {}

  @Override
  public void notified() {
    if (!notified) {
      notified = true;
      lost();
    }
  }
}
