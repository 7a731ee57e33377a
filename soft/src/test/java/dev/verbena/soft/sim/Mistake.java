package dev.verbena.soft.sim;

import java.lang.classfile.CodeTransform;

/** Deliberate mistakes of the device; tests show that the simulation notices them. */
enum Mistake {
  /** The responder executes a repeated SEND or WRITE again. */
  EXECUTE_DUPLICATES("transport.responder.Responder", "acknowledgeAgain", Bodies.executesChunk()),
  /** The responder executes a repeated atomic again. */
  RERUN_ATOMICS("transport.responder.Responder", "answerAtomicAgain", Bodies.executesChunk()),
  /** The responder executes a repeated ATOMIC_WRITE again. */
  RERUN_ATOMIC_WRITES("transport.responder.Responder", "answerWriteAgain", Bodies.executesChunk()),
  /** The last of the flushed send requests gets no completion. */
  LOSE_A_FLUSH("transport.requester.SendState", "flushBefore", Bodies.stopsOneEarlier()),
  /** A signaled request completes before an earlier, unanswered READ. */
  COMPLETE_PAST_READ("transport.requester.Completer", "needsResponse", Bodies.no()),
  /** A signaled request completes twice if it was retransmitted. */
  COMPLETE_TWICE("transport.requester.SendState", "reportSuccess", Bodies.reportsAgain()),
  /** A READ that is resumed in the middle stores its data at the start. */
  RESUME_READ_AT_START("transport.requester.Completer", "land", Bodies.takesSecondLongForZero()),
  /** A peer needs no rights to the memory. */
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
  /** A SEND that needs no chunk does not arrive. */
  FORGET_A_WHOLE_SEND("transport.responder.RequestExecutor", "sendWhole", Bodies.yes()),
  /** A READ that needs no chunk stores nothing. */
  FORGET_A_WHOLE_READ("transport.responder.RequestExecutor", "readWhole", Bodies.yes()),
  /** An atomic that needs no chunk changes nothing. */
  FORGET_A_WHOLE_ATOMIC("transport.responder.RequestExecutor", "atomicWhole", Bodies.yes()),
  /** Requests that need no chunk do not complete. */
  NEVER_COMPLETE_WHOLE_REQUESTS(
      "transport.requester.SendState", "completeOldest", Bodies.nothing()),
  /** A queue pair continues after a failed send request. */
  SURVIVE_A_FAILURE("transport.QpStatus", "failSends", Bodies.nothing()),
  /** A responder continues after it has refused a request. */
  SURVIVE_A_REFUSAL("transport.responder.Responder", "end", Bodies.nothing()),
  /** The receive that a failing queue pair has taken from a shared queue gets no completion. */
  LOSE_A_SHARED_RECEIVE("transport.responder.RecvState", "flush", Bodies.releasesSharedReceive()),
  /** An unreliable message continues after a lost packet. */
  DELIVER_HOLES(
      "transport.responder.Responder", "continuesMessage", Bodies.takesSecondIntForZero()),
  /** An unreliable message that comes late or twice is delivered. */
  DELIVER_LATE("transport.responder.Responder", "isLate", Bodies.no()),
  /** A datagram needs no Q_Key. */
  SKIP_QKEY_CHECK("transport.responder.Responder", "hasOurQkey", Bodies.yes()),
  /** Every frame matches every rule. */
  STEER_EVERYTHING("transport.frames.FlowRule", "matches", Bodies.yes()),
  /** Rules do not keep what they take from later ones. */
  STEER_ON("transport.frames.FlowRule", "traps", Bodies.no()),
  /** All segments of a stream have the header of the first one. */
  REPEAT_THE_FIRST_HEADER("transport.frames.Segmenter", "prepend", Bodies.takesSecondIntForZero()),
  /** A window of type 1 that is bound anew can be used by its old keys. */
  KEEP_OLD_KEYS("memory.Window", "boundBy", Bodies.returnsBinding()),
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

  /** The mutation that makes the mistake. */
  Mutation mutation() {
    return mutation;
  }
}
