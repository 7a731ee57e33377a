package dev.verbena.soft.transport.responder;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.wire.AethSyndrome;
import org.jspecify.annotations.Nullable;

/**
 * What came of a request at its executor. What follows from it is the service's: an acknowledged
 * one answers, the others drop in silence.
 */
enum Verdict {
  /** Executed. */
  DONE(AethSyndrome.ACK_UNLIMITED, null, null),
  /** No receive is posted; nothing was done. An answer has a syndrome with a timer code. */
  NOT_READY(0, null, Counter.DROPPED_NO_RECEIVE),
  /** The sender's memory is not there any more: on a network, nothing would have come. */
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

  /** AETH syndrome that says it to the peer. */
  int syndrome() {
    return syndrome;
  }

  /** Whether not the peer is to blame: no service goes on with memory that it may not use. */
  boolean isOwnFault() {
    return this == OPERATIONAL;
  }

  /** Event that it raises if it ends the queue pair, or null. */
  @Nullable EventType event() {
    return event;
  }

  /** What counts it, or null. */
  @Nullable Counter counter() {
    return counter;
  }
}
