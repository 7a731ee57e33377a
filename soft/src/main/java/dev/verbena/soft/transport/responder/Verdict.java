package dev.verbena.soft.transport.responder;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.wire.AethSyndrome;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request at its executor. The consequence depends on the service: an acknowledged
 * one answers, the others drop silently.
 */
enum Verdict {
  /** Executed. */
  DONE(AethSyndrome.ACK_UNLIMITED, null, null),
  /** No receive is posted; nothing was done. The answer has a syndrome with a timer code. */
  NOT_READY(0, null, Counter.DROPPED_NO_RECEIVE),
  /** The sender's memory no longer exists; on a network, nothing would have come. */
  UNSENT(0, null, null),
  /** Not a request that this queue pair takes, or of a wrong length. */
  INVALID_REQUEST(AethSyndrome.NAK_INVALID_REQUEST, EventType.QP_REQ_ERR, Counter.INVALID_REQUESTS),
  /** No right to the memory. */
  ACCESS(AethSyndrome.NAK_REMOTE_ACCESS_ERROR, EventType.QP_ACCESS_ERR, Counter.ACCESS_ERRORS),
  /** The fault is on this side: the posted receive cannot be used. */
  OPERATIONAL(AethSyndrome.NAK_REMOTE_OPERATIONAL_ERROR, EventType.QP_REQ_ERR, null);

  private final int syndrome;
  private final @Nullable EventType event;
  private final @Nullable Counter counter;

  Verdict(int syndrome, @Nullable EventType event, @Nullable Counter counter) {
    this.syndrome = syndrome;
    this.event = event;
    this.counter = counter;
  }

  /** The AETH syndrome for the peer. */
  int syndrome() {
    return syndrome;
  }

  /** Whether the fault is on this side; no service goes on with memory that it may not use. */
  boolean isOwnFault() {
    return this == OPERATIONAL;
  }

  /** The event that it raises if it ends the queue pair, or null. */
  @Nullable EventType event() {
    return event;
  }

  /** Its counter, or null. */
  @Nullable Counter counter() {
    return counter;
  }
}
