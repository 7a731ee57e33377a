package dev.verbena.soft.transport.requester;

import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.wire.Psn;
import org.jspecify.annotations.Nullable;

/**
 * How far a requester has come, in requests and in packet sequence numbers (S12.5.1). What was sent
 * but not acknowledged lies between {@link #oldest} and {@link #sendPsn}; going back moves the
 * latter.
 */
final class SendProgress {
  private final SendQueue queue;

  /** Number of the request to send from next. */
  long current;

  /** PSNs of that request that were sent. */
  int sentPsns;

  /** PSN to be sent next. */
  int sendPsn;

  private int assignPsn;
  private int highPsn;

  /** Oldest PSN that was not acknowledged; {@link #sendPsn} if all were. */
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

  /** The request to send from next, or null if there is none. */
  @Nullable SendWqe next() {
    return current == queue.tail() ? null : queue.get(current);
  }

  /** PSNs sent, or asked for by a READ, and not acknowledged. */
  int inFlight() {
    return Psn.diff(sendPsn, oldest);
  }

  /**
   * Whether anything that was sent at some time is not acknowledged, even if it is about to be sent
   * again.
   */
  boolean isUnanswered() {
    return highPsn != oldest;
  }

  /** Whether a PSN was sent at some time and is not acknowledged: responses to others are stale. */
  boolean awaits(int psn) {
    return Psn.diff(psn, oldest) >= 0 && Psn.diff(psn, highPsn) < 0;
  }

  /**
   * Whether all that was started has been sent, answered and completed, and the next request is
   * new.
   */
  boolean isIdle() {
    return current == queue.head && oldest == highPsn && oldest == assignPsn;
  }

  /** The current request, which takes so many PSNs, was handed over, and answered. */
  void executedByPeer(int count) {
    sendPsn = Psn.add(sendPsn, count);
    assignPsn = sendPsn;
    highPsn = sendPsn;
    oldest = sendPsn;
    current++;
  }

  /** Whether the next chunk is sent again. */
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

  /** Goes on behind the current request, which was executed. */
  void skip() {
    current++;
    sentPsns = 0;
  }

  /** Notes that {@code count} PSNs of the current request are being sent. */
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
   * Takes back the last {@link #advance}, because the link refused the chunk.
   *
   * @param psn its first PSN
   * @param repeated whether it had been sent before
   */
  void retract(int psn, boolean repeated) {
    if (!repeated) {
      highPsn = psn;
    }
    moveTo(psn);
  }

  /** All before {@code psn} is acknowledged; returns whether that is news. */
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

  /** Sends next from this PSN, which was assigned. */
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
