package dev.verbena.soft.transport.requester;

import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.wire.Psn;

/**
 * The progress of a requester, in requests and in packet sequence numbers (S12.5.1). Sent but
 * unacknowledged PSNs are between {@link #oldest} and {@link #sendPsn}; going back moves the
 * latter.
 */
final class SendProgress {
  private final SendQueue queue;

  /** Number of the request that sends next. */
  long current;

  /** The number of its PSNs that were sent. */
  int sentPsns;

  /** The next PSN to send. */
  int sendPsn;

  private int assignPsn;
  int highPsn;

  /** The oldest unacknowledged PSN; {@link #sendPsn} if there is none. */
  int oldest;

  SendProgress(SendQueue queue) {
    this.queue = queue;
  }

  /** Starts at the queue's head with this PSN. */
  void start(int psn) {
    current = queue.head;
    sentPsns = 0;
    sendPsn = Psn.mask(psn);
    assignPsn = sendPsn;
    highPsn = sendPsn;
    oldest = sendPsn;
  }

  /** PSNs sent, or requested by a READ, and not acknowledged. */
  int inFlight() {
    return Psn.diff(sendPsn, oldest);
  }

  /** Whether any PSN ever sent is unacknowledged, even if it is about to be sent again. */
  boolean isUnanswered() {
    return highPsn != oldest;
  }

  /** Whether a PSN was ever sent and is unacknowledged; responses to others are stale. */
  boolean awaits(int psn) {
    return Psn.isWithin(psn, oldest, highPsn);
  }

  /**
   * Whether every started request has been sent, answered and completed, and the next request is
   * new.
   */
  boolean isIdle() {
    return current == queue.head && oldest == highPsn && oldest == assignPsn;
  }

  /** The current request, which takes this many PSNs, was executed by the peer and answered. */
  void executedByPeer(int count) {
    sendPsn = Psn.add(sendPsn, count);
    assignPsn = sendPsn;
    highPsn = sendPsn;
    oldest = sendPsn;
    current++;
  }

  /** Whether the next chunk is a repetition. */
  boolean isRepeating() {
    return sendPsn != highPsn;
  }

  /** How many PSNs from the next one on were sent before. */
  int repeatablePsns() {
    return Psn.diff(highPsn, sendPsn);
  }

  /** Gives a request its PSNs. */
  void assign(SendWqe wqe, int count) {
    wqe.assignPsns(assignPsn, count);
    assignPsn = Psn.add(assignPsn, count);
  }

  /** The current request was executed on this side, and needs no PSN. */
  void executed(SendWqe wqe) {
    wqe.assignPsns(assignPsn, 0);
    skip();
  }

  /** Moves past the current request, which was executed. */
  void skip() {
    current++;
    sentPsns = 0;
  }

  /** Records that {@code count} PSNs of the current request are being sent. */
  void advance(SendWqe wqe, int count) {
    sentPsns += count;
    sendPsn = Psn.add(sendPsn, count);
    if (Psn.diff(sendPsn, highPsn) > 0) {
      highPsn = sendPsn;
    }
    if (sentPsns == wqe.psnCount) {
      current++;
      sentPsns = 0;
    }
  }

  /**
   * Undoes the last {@link #advance}, because the link refused the chunk.
   *
   * @param psn its first PSN
   * @param highest {@link #highPsn} before
   */
  void retract(int psn, int highest) {
    highPsn = highest;
    moveTo(psn);
  }

  /** Everything before {@code psn} is acknowledged; returns whether that is new. */
  boolean acknowledgedBefore(int psn) {
    boolean news = Psn.diff(psn, oldest) > 0;
    if (news) {
      oldest = psn;
      if (Psn.diff(oldest, sendPsn) > 0) {
        moveTo(oldest);
      }
    }
    return news;
  }

  /** Makes this assigned PSN the next to send. */
  void moveTo(int psn) {
    long number = queue.head;
    long tail = queue.tail();
    while (number != tail && queue.get(number).started) {
      SendWqe wqe = queue.get(number);
      int offset = Psn.diff(psn, wqe.firstPsn);
      if (offset < wqe.psnCount) {
        break;
      }
      number++;
    }
    current = number;
    sendPsn = psn;
    boolean inside = number != tail && queue.get(number).started;
    sentPsns = inside ? Psn.diff(psn, queue.get(number).firstPsn) : 0;
  }
}
