package dev.verbena.soft.fuzz;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair with what is posted to it. Each request completes once, sends in their order,
 * whatever the packets were.
 */
final class Endpoint {
  /** The most requests of each kind. */
  static final int DEPTH = 4;

  private static final long RECEIVE = 1L << 62;

  /** A posted send, with the slot for its result, or -1. */
  private record Send(long wrId, int slot) {}

  private final Station station;
  private final QueuePair qp;
  private final @Nullable SharedReceiveQueue shared;
  private final Deque<Send> sends = new ArrayDeque<>();
  private final Set<Integer> receives = new HashSet<>();
  private long nextWrId;
  private @Nullable String failure;
  private long succeeded;

  /**
   * @param shared takes its messages, or null for its own receive queue
   */
  Endpoint(Station station, QueuePair qp, @Nullable SharedReceiveQueue shared) {
    this.station = station;
    this.qp = qp;
    this.shared = shared;
    station.add(this);
  }

  Station station() {
    return station;
  }

  QueuePair qp() {
    return qp;
  }

  /** Whether a request has failed since {@link #restart}. */
  boolean hasFailed() {
    return failure != null;
  }

  /** Requests and messages that were completed without error. */
  long succeeded() {
    return succeeded;
  }

  boolean hasRoom() {
    return sends.size() < DEPTH;
  }

  /** Whether all sends have completed. */
  boolean isIdle() {
    return sends.isEmpty();
  }

  /** Whether every receive has completed that the queue pair must flush. */
  boolean isFlushed() {
    return sends.isEmpty() && (shared != null || receives.isEmpty());
  }

  /** A send is posted; returns its wr_id. */
  long sends(int slot) {
    sends.add(new Send(nextWrId, slot));
    return nextWrId++;
  }

  /** Posts receives until there are enough. */
  void postReceives() {
    while (receives.size() < DEPTH) {
      int slot = station.estate().take();
      if (slot < 0) {
        return;
      }
      receives.add(slot);
      Sge place =
          new Sge(
              station.estate().address(slot), Estate.SLOT_USED, station.estate().slots().lkey());
      RecvWr wr = new RecvWr().wrId(slot | RECEIVE).sgList(place);
      if (shared != null) {
        shared.postRecv(wr);
      } else {
        qp.postRecv(wr);
      }
    }
  }

  /** A completion of this queue pair. */
  void take(WorkCompletion wc) {
    if ((wc.wrId() & RECEIVE) != 0) {
      int slot = (int) (wc.wrId() & ~RECEIVE);
      if (!receives.remove(slot)) {
        throw new AssertionError("no receive is posted for " + wc);
      }
      station.estate().free(slot);
    } else {
      Send send = sends.poll();
      if (send == null || send.wrId != wc.wrId()) {
        throw new AssertionError(wc + " instead of " + send);
      }
      if (send.slot >= 0) {
        station.estate().free(send.slot);
      }
    }
    if (wc.status() == WcStatus.SUCCESS) {
      succeeded++;
    } else {
      failure = failure == null ? wc.toString() : failure;
    }
  }

  /** Starts again. */
  void restart() {
    failure = null;
  }

  @Override
  public String toString() {
    return qp
        + " with "
        + sends.size()
        + " sends and "
        + receives.size()
        + " receives, first failure "
        + failure;
  }
}
