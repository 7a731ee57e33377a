package dev.verbena.soft.transport.responder;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.RecvWqe;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpEvents;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.Service;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.wire.Grh;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A responder's use of receives: placing messages, and completing receives. */
final class RecvState {
  private final Service service;
  private final QpParameters parameters;
  private final QpStatus status;
  private final ReceiveSource source;
  private final KeyTable keys;
  private final QpEvents events;
  private final WorkCompletion completion = new WorkCompletion();
  private final SpanList landing = new SpanList();
  private final MemorySegment grh = MemorySegment.ofArray(new byte[Grh.LENGTH]);
  private final SpanList grhSpan = new SpanList();
  private boolean lastReported;

  /** The status of a failed receive that is not complete yet, or SUCCESS. */
  private WcStatus failure = WcStatus.SUCCESS;

  private AccessFault failureFault = AccessFault.NONE;

  RecvState(QpCore core, ReceiveSource source) {
    service = core.service();
    parameters = core.parameters();
    status = core.status();
    keys = core.keys();
    events = core.events();
    this.source = source;
  }

  /**
   * Selects the shared receive queue of an incoming request; returns false if it is not for this
   * queue pair.
   */
  boolean select(int srqNum) {
    return source.select(srqNum);
  }

  /** The domain for the keys of requests that name this shared queue; null if there is none. */
  @Nullable Domain keyDomain(int srqNum) {
    return source.keyDomain(srqNum);
  }

  /** Whether a receive is posted; another queue pair may take one from a shared queue. */
  boolean isPosted() {
    return source.isPosted();
  }

  /** Takes a receive for the incoming message; returns false if none is posted. */
  boolean take() {
    return source.take() != null;
  }

  /** Bytes that fit into the receive of the message; 0 if there is none. */
  long room() {
    RecvWqe wqe = source.owned();
    return wqe == null ? 0 : wqe.data().total;
  }

  /** Places a part of a SEND at this offset of the receive, into which it fits. */
  AccessFault place(SpanList data, long offset, boolean ends) {
    RecvWqe wqe = source.owned();
    if (wqe == null || data.total == 0) {
      return AccessFault.NONE;
    }
    landing.clear();
    AccessFault fault =
        wqe.data().resolve(keys, source.domain(), Access.LOCAL_WRITE, offset, data.total, landing);
    if (fault == AccessFault.NONE) {
      fault = data.copyTo(landing, ends);
    }
    landing.clear();
    return fault;
  }

  /** Places the header of a datagram, if it has one, at the start of the receive (S3.3.1). */
  AccessFault placeGrh(Chunk datagram) {
    if (!datagram.datagram.hasGrh()) {
      return AccessFault.NONE;
    }
    datagram.datagram.writeGrh(datagram, grh);
    grhSpan.clear();
    grhSpan.add(grh, 0, Grh.LENGTH);
    return place(grhSpan, 0, false);
  }

  /** Completes the receive with a message that ended in this chunk. */
  void complete(WcOpcode opcode, long byteLen, Chunk end) {
    int flags = end.checksumsValid ? WcFlags.IP_CSUM_OK : 0;
    if (service.datagram) {
      flags |= end.datagram.hasGrh() ? WcFlags.GRH : 0;
      end.datagram.describe(completion);
    }
    flags |= end.hasImm ? WcFlags.WITH_IMM : end.hasInvalidate ? WcFlags.WITH_INV : 0;
    int imm = end.hasImm ? end.immOrKey : 0;
    int invalidated = end.hasInvalidate ? end.immOrKey : 0;
    complete(opcode, byteLen, flags, imm, invalidated, end.solicited);
  }

  /** Completes the receive with a message; what is not there is 0. */
  void complete(
      WcOpcode opcode, long byteLen, int flags, int imm, int invalidated, boolean solicited) {
    completion.opcode(opcode).byteLen(byteLen).immData(imm).invalidatedRkey(invalidated);
    completion.wcFlags(flags);
    report(WcStatus.SUCCESS, AccessFault.NONE, solicited);
  }

  /**
   * The receive has failed, and with it the queue pair. It completes in the following {@link
   * #flush}, so that a thread that polls the completion finds the queue pair in its new state.
   */
  void fail(WcStatus why, AccessFault fault) {
    failure = why;
    failureFault = fault;
  }

  /**
   * In error: completes the failed receive, and, with WR_FLUSH_ERR, every other that no other queue
   * pair can complete; reports that it will take no more from a shared queue (S3.4.7).
   */
  void flush() {
    if (failure != WcStatus.SUCCESS) {
      report(failure, failureFault, false);
      forgetFailure();
    }
    while (source.owned() != null) {
      report(WcStatus.WR_FLUSH_ERR, AccessFault.NONE, false);
    }
    if (source.isShared() && !lastReported) {
      lastReported = true;
      events.raise(EventType.QP_LAST_WQE_REACHED);
    }
  }

  /** The message under way is dropped: puts a shared receive that was taken for it back. */
  void putBack() {
    if (failure == WcStatus.SUCCESS) {
      source.putBack();
    }
  }

  /** Drops every receive that no other queue pair can complete; puts a shared one back. */
  void reset() {
    source.reset();
    forgetFailure();
    lastReported = false;
  }

  private void forgetFailure() {
    failure = WcStatus.SUCCESS;
    failureFault = AccessFault.NONE;
  }

  private void report(WcStatus outcome, AccessFault fault, boolean solicited) {
    RecvWqe wqe = source.owned();
    if (wqe == null) {
      return;
    }
    if (outcome != WcStatus.SUCCESS) {
      completion.opcode(WcOpcode.RECV).byteLen(0).wcFlags(0);
    }
    completion
        .wrId(wqe.wrId())
        .status(outcome)
        .vendorErr(fault.vendorErr(), AccessFault.WORDS)
        .qpNum(parameters.qpNum);
    source.release();
    if (!source.ring().add(completion, solicited, null, 0) && status.fail(QpStatus.OVERRUN)) {
      events.raise(EventType.QP_FATAL);
    }
  }
}
