package dev.verbena.soft.sim;

import java.lang.classfile.CodeTransform;

/** Deliberate mistakes of the device, by which tests show that the simulation would notice them. */
enum Mistake {
  /** The responder executes a repeated SEND or WRITE again. */
  EXECUTE_DUPLICATES("transport.responder.Responder", "acknowledgeAgain", Bodies.executesChunk()),
  /** The responder executes a repeated atomic again. */
  RERUN_ATOMICS("transport.responder.Responder", "answerAtomicAgain", Bodies.executesChunk()),
  /** The responder executes a repeated ATOMIC_WRITE again. */
  RERUN_ATOMIC_WRITES("transport.responder.Responder", "answerWriteAgain", Bodies.executesChunk()),
  /** The last of the flushed send requests gets no completion. */
  LOSE_A_FLUSH("transport.requester.SendState", "flushBefore", Bodies.stopsOneEarlier()),
  /** A signaled request completes although an unanswered READ is before it. */
  COMPLETE_PAST_READ("transport.requester.Completer", "needsResponse", Bodies.no()),
  /** A signaled request completes twice if it was retransmitted. */
  COMPLETE_TWICE("transport.requester.SendState", "reportSuccess", Bodies.reportsAgain()),
  /** A READ that is resumed in the middle lands at the start again. */
  RESUME_READ_AT_START("transport.requester.Completer", "land", Bodies.takesSecondLongForZero()),
  /** What a peer does needs no right of the memory. */
  SKIP_RIGHTS_CHECK("transport.responder.PeerAccess", "find", Bodies.takesSecondIntForZero()),
  /** A packet ahead of the expected one is executed. */
  ACCEPT_GAPS("transport.responder.Responder", "expects", Bodies.yes()),
  /** A FLUSH ahead of the expected packet is answered. */
  FLUSH_PAST_GAPS("transport.responder.Responder", "expects", Bodies.yesForFlush()),
  /** The last packet of a SEND is not stored. */
  LOSE_THE_END_OF_A_SEND("transport.responder.RecvState", "place", Bodies.noFaultIf(2)),
  /** The last packet of a WRITE is not stored. */
  LOSE_THE_END_OF_A_WRITE("transport.responder.RequestExecutor", "place", Bodies.noFaultIf(3)),
  /** A WRITE that needs no chunk is not stored. */
  FORGET_A_WHOLE_WRITE("transport.responder.RequestExecutor", "writeWhole", Bodies.yes()),
  /** A READ that needs no chunk brings nothing. */
  FORGET_A_WHOLE_READ("transport.responder.RequestExecutor", "readWhole", Bodies.yes()),
  /** Requests that need no chunk do not complete. */
  NEVER_COMPLETE_WHOLE_REQUESTS(
      "transport.requester.SendState", "completeOldest", Bodies.nothing()),
  /** A failed send request lets the queue pair go on. */
  SURVIVE_A_FAILURE("transport.QpStatus", "failSends", Bodies.nothing()),
  /** A responder that has refused a request goes on. */
  SURVIVE_A_REFUSAL("transport.responder.Responder", "end", Bodies.nothing()),
  /** The receive that a failing queue pair has taken from a shared queue gets no completion. */
  LOSE_A_SHARED_RECEIVE("transport.responder.RecvState", "flush", Bodies.releasesSharedReceive()),
  /** An unreliable message goes on behind a packet that was lost. */
  DELIVER_HOLES(
      "transport.responder.Responder", "continuesMessage", Bodies.takesSecondIntForZero()),
  /** An unreliable message that comes late, or once more, is delivered. */
  DELIVER_LATE("transport.responder.Responder", "isLate", Bodies.no()),
  /** A datagram needs no Q_Key. */
  SKIP_QKEY_CHECK("transport.responder.Responder", "hasOurQkey", Bodies.yes()),
  /** The invalidation of a window by its owner does nothing. */
  IGNORE_LOCAL_INVALIDATION("engine.qp.WindowOperations", "invalidate", Bodies.noFault()),
  /** The invalidation of a window by the peer does nothing. */
  IGNORE_REMOTE_INVALIDATION("transport.responder.RequestExecutor", "invalidate", Bodies.yes()),
  /** A window may be used through any queue pair. */
  IGNORE_WINDOW_OWNER("memory.Region", "checkRemote", Bodies.checksAsLocal());

  @SuppressWarnings("ImmutableEnumChecker") // what Bodies makes has no state
  private final Mutation mutation;

  Mistake(String className, String method, CodeTransform body) {
    mutation = new Mutation(className, method, body);
  }

  /** What makes the mistake. */
  Mutation mutation() {
    return mutation;
  }
}
