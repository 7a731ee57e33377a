package dev.verbena.soft.transport.requester;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.transport.Journal;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Psn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Takes the responses to requests (S12.5.5 to S12.5.10). Under the requester guard. */
public final class Completer {
  private final SendState state;
  private final SendProgress progress;
  private final QpParameters parameters;
  private final QpStatus status;
  private final SendQueue queue;
  private final KeyTable keys;
  private final Domain domain;
  private final Tally tally;
  private final Journal journal;
  private final SpanList landing = new SpanList();
  private final SpanList operand = new SpanList();
  private final MemorySegment operandBytes = MemorySegment.ofArray(new long[1]);

  Completer(QpCore core, SendState state, SendQueue queue) {
    this.state = state;
    this.queue = queue;
    progress = state.progress;
    parameters = core.parameters();
    status = core.status();
    keys = core.keys();
    domain = core.domain();
    tally = core.tally();
    journal = core.journal();
  }

  /**
   * An ACK, RNR NAK or NAK.
   *
   * @param psn what it acknowledges or refuses
   * @param aeth its AETH, see {@link Aeth#word}
   */
  public void acknowledge(int psn, int aeth) {
    int syndrome = Aeth.syndrome(aeth);
    boolean isAck = AethSyndrome.isAck(syndrome);
    if (status.state == QpState.ERR || !progress.awaits(psn)) {
      if (!isAck || !state.creditsGrow(psn, aeth)) {
        tally.count(Counter.DROPPED_STALE_RESPONSE);
      }
      return;
    }
    if (isAck) {
      acknowledgedThrough(psn);
      if (syndrome != AethSyndrome.ACK_UNLIMITED || state.credits.limited) {
        state.credits.are(aeth);
      }
      return;
    }
    journal.nak(psn, syndrome, /* sent= */ false);
    if (AethSyndrome.isRnr(syndrome)) {
      tally.count(Counter.RNR_NAKS_RECEIVED);
      if (acknowledgedThrough(Psn.add(psn, -1))) {
        state.waitForReceiver(psn, AethSyndrome.code(syndrome));
      }
    } else if (syndrome == AethSyndrome.NAK_PSN_SEQUENCE_ERROR) {
      tally.count(Counter.SEQUENCE_NAKS_RECEIVED);
      if (acknowledgedThrough(Psn.add(psn, -1))) {
        state.retryFrom(psn);
      }
    } else {
      refuse(psn, syndrome);
    }
  }

  /**
   * Takes data of a READ; without data also the answer to FLUSH and ATOMIC_WRITE (S12.6.12).
   *
   * @param psn first PSN that it answers
   * @param psnCount PSNs that it answers
   * @param data the bytes
   * @param ends whether it claims to be the last of its request
   * @return false if the data, of a responder in this process, no longer exists; then it has not
   *     answered
   */
  public boolean readResponse(int psn, int psnCount, SpanList data, boolean ends) {
    if (!isAwaited(psn) || !acknowledgedThrough(Psn.add(psn, -1))) {
      return true;
    }
    SendWqe wqe = queue.get(queue.head);
    if (!wqe.operation.hasResponse || wqe.operation.atomic || !covers(wqe, psn, psnCount)) {
      state.failHead(WcStatus.BAD_RESP_ERR, AccessFault.NONE);
      return true;
    }
    int index = Psn.diff(psn, wqe.firstPsn);
    long offset = (long) index * parameters.mtu;
    boolean completes = index + psnCount == wqe.psnCount;
    long total = wqe.operation.reads ? wqe.data.total : 0;
    long expected = Math.min(total - offset, (long) psnCount * parameters.mtu);
    if (data.total != expected || (completes && !ends)) {
      state.failHead(WcStatus.BAD_RESP_ERR, AccessFault.NONE);
      return true;
    }
    AccessFault fault = land(wqe, offset, data, completes);
    if (fault == AccessFault.MEMORY_GONE && !data.isReadable()) {
      return false;
    }
    if (fault != AccessFault.NONE) {
      state.failHead(WcStatus.LOC_PROT_ERR, fault);
      return true;
    }
    wqe.psnsDone(index + psnCount);
    if (completes) {
      state.completeHead();
    }
    progress.acknowledgedBefore(Psn.add(psn, psnCount));
    state.answered();
    return true;
  }

  /** Whether a request has these PSNs, and all were sent: a peer may claim any number. */
  private boolean covers(SendWqe wqe, int psn, int psnCount) {
    return psnCount == 1
        || (Psn.diff(psn, wqe.firstPsn) + psnCount <= wqe.psnCount
            && awaits(Psn.add(psn, psnCount - 1)));
  }

  /** The original value of an atomic, in host order. */
  public void atomicResponse(int psn, long original) {
    if (!isAwaited(psn) || !acknowledgedThrough(Psn.add(psn, -1))) {
      return;
    }
    SendWqe wqe = queue.get(queue.head);
    if (!wqe.operation.atomic) {
      state.failHead(WcStatus.BAD_RESP_ERR, AccessFault.NONE);
      return;
    }
    operandBytes.set(ValueLayout.JAVA_LONG, 0, original);
    operand.clear();
    operand.add(operandBytes, 0, Long.BYTES);
    AccessFault fault = land(wqe, 0, operand, true);
    if (fault != AccessFault.NONE) {
      state.failHead(WcStatus.LOC_PROT_ERR, fault);
      return;
    }
    state.completeHead();
    progress.acknowledgedBefore(Psn.next(psn));
    state.answered();
  }

  /** Data together with a NAK, which no responder sends (S12.5.10). */
  public void malformedResponse(int psn) {
    if (isAwaited(psn) && acknowledgedThrough(Psn.add(psn, -1))) {
      state.failHead(WcStatus.BAD_RESP_ERR, AccessFault.NONE);
    }
  }

  /**
   * Completes everything that an answer to {@code psn} acknowledges, which is everything up to it.
   * If there is an unanswered READ or atomic before it, its answer was lost, and it is sent again
   * (S12.5.5).
   *
   * @return false if that happened, or the queue pair failed; then the answer itself does not count
   */
  private boolean acknowledgedThrough(int psn) {
    if (Psn.diff(psn, progress.oldest) < 0) {
      return true;
    }
    int missing = -1;
    SendWqe wqe = queue.published(queue.head);
    while (missing < 0 && wqe != null && wqe.started) {
      int first = wqe.firstPsn;
      int last = Psn.diff(psn, first);
      if (last < 0) {
        break;
      }
      if (needsResponse(wqe)) {
        missing = Psn.add(first, wqe.psnsDone);
      } else if (last < wqe.psnCount - 1) {
        break;
      } else {
        wqe = state.completeHead();
      }
    }
    if (progress.acknowledgedBefore(missing < 0 ? Psn.next(psn) : missing)) {
      state.answered();
    }
    if (missing >= 0) {
      state.retryFrom(missing);
    }
    return missing < 0 && status.state != QpState.ERR;
  }

  /**
   * Whether an ACK is not enough, so that an answer to a later request shows the loss of its
   * response.
   */
  private static boolean needsResponse(SendWqe wqe) {
    return wqe.operation.hasResponse;
  }

  /** Whether the peer may now answer this PSN. */
  public boolean awaits(int psn) {
    return status.state != QpState.ERR && progress.awaits(psn);
  }

  private boolean isAwaited(int psn) {
    boolean awaited = awaits(psn);
    if (!awaited) {
      tally.count(Counter.DROPPED_STALE_RESPONSE);
    }
    return awaited;
  }

  private void refuse(int psn, int syndrome) {
    WcStatus why =
        switch (syndrome) {
          case AethSyndrome.NAK_INVALID_REQUEST -> WcStatus.REM_INV_REQ_ERR;
          case AethSyndrome.NAK_REMOTE_ACCESS_ERROR -> WcStatus.REM_ACCESS_ERR;
          case AethSyndrome.NAK_REMOTE_OPERATIONAL_ERROR -> WcStatus.REM_OP_ERR;
          case AethSyndrome.NAK_INVALID_RD_REQUEST -> WcStatus.REM_INV_RD_REQ_ERR;
          default -> WcStatus.BAD_RESP_ERR;
        };
    if (acknowledgedThrough(Psn.add(psn, -1))) {
      state.failHead(why, AccessFault.NONE);
    }
  }

  private AccessFault land(SendWqe wqe, long offset, SpanList data, boolean ends) {
    landing.clear();
    AccessFault fault =
        wqe.data.resolve(keys, domain, Access.LOCAL_WRITE, offset, data.total, landing);
    if (fault == AccessFault.NONE) {
      fault = data.copyTo(landing, ends);
    }
    landing.clear();
    return fault;
  }
}
