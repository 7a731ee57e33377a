package dev.verbena.soft.transport;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.memory.Transfer;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.RecvQueue;
import dev.verbena.soft.queue.RecvWqe;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;

/** The receive queue as a responder uses it: where messages land, and how receives complete. */
final class RecvState {
  private final QpParameters parameters;
  private final QpStatus status;
  private final RecvQueue queue;
  private final CompletionRing ring;
  private final KeyTable keys;
  private final Domain domain;
  private final QpEvents events;
  private final WorkCompletion completion = new WorkCompletion();
  private final SpanList landing = new SpanList();

  RecvState(QpCore core, RecvQueue queue, CompletionRing ring) {
    parameters = core.parameters();
    status = core.status();
    keys = core.keys();
    domain = core.domain();
    events = core.events();
    this.queue = queue;
    this.ring = ring;
  }

  /** Whether a receive is posted. */
  boolean isPosted() {
    return queue.peek() != null;
  }

  /** Bytes that fit into the oldest receive; 0 if there is none. */
  long room() {
    RecvWqe wqe = queue.peek();
    return wqe == null ? 0 : wqe.data().total();
  }

  /** Places a part of a SEND at this offset of the oldest receive, where it fits. */
  AccessFault place(SpanList data, long offset, boolean ends) {
    RecvWqe wqe = queue.peek();
    if (wqe == null || data.total() == 0) {
      return AccessFault.NONE;
    }
    landing.clear();
    AccessFault fault =
        wqe.data().resolve(keys, domain, Access.LOCAL_WRITE, offset, data.total(), landing);
    if (fault == AccessFault.NONE) {
      fault = Transfer.copy(data, landing, ends);
    }
    landing.clear();
    return fault;
  }

  /** The oldest receive is complete with a message that ended in this chunk. */
  void complete(WcOpcode opcode, long byteLen, Request end) {
    completion.opcode(opcode).byteLen(byteLen).wcFlags(0).immData(0).invalidatedRkey(0);
    if (end.hasImm()) {
      completion.wcFlags(WcFlags.WITH_IMM).immData(end.immOrKey());
    } else if (end.hasInvalidate()) {
      completion.wcFlags(WcFlags.WITH_INV).invalidatedRkey(end.immOrKey());
    }
    report(WcStatus.SUCCESS, AccessFault.NONE, end.isSolicited());
  }

  /** The oldest receive has failed. */
  void fail(WcStatus why, AccessFault fault) {
    report(why, fault, false);
  }

  /** Completes every receive with WR_FLUSH_ERR. */
  void flush() {
    while (queue.peek() != null) {
      report(WcStatus.WR_FLUSH_ERR, AccessFault.NONE, false);
    }
  }

  /** Forgets every receive. */
  void reset() {
    queue.reset();
  }

  private void report(WcStatus outcome, AccessFault fault, boolean solicited) {
    RecvWqe wqe = queue.peek();
    if (wqe == null) {
      return;
    }
    if (outcome != WcStatus.SUCCESS) {
      completion.opcode(WcOpcode.RECV).byteLen(0).wcFlags(0);
    }
    completion
        .wrId(wqe.wrId())
        .status(outcome)
        .vendorErr(fault.vendorErr())
        .qpNum(parameters.qpNum());
    queue.remove();
    if (!ring.add(completion, solicited, null, 0) && status.fail()) {
      events.raise(EventType.QP_FATAL);
    }
  }
}
