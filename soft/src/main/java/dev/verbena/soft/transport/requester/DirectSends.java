package dev.verbena.soft.transport.requester;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.RemoteAtomics;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.transport.Budget;
import dev.verbena.soft.transport.DirectPeer;
import dev.verbena.soft.transport.DirectRun;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.Service;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;
import dev.verbena.wire.Address;
import dev.verbena.wire.Psn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The short way of WRITEs, READs and atomics, on the loopback and to memory of another process, and
 * of SENDs on the loopback: as many as there are, one after the other, with one hold of the peer's
 * responder guard. It is used while nothing is unanswered, and each request is answered before the
 * next, so none waits for room in flight, a fence or an earlier READ, and none is sent twice. A
 * request that fails a check is left to the {@link Requester}. Used under the requester guard.
 *
 * <p>Where PSNs are not counted a request may be longer than a budget. Then it goes in parts; if
 * one fails, all of it is sent again in chunks.
 */
final class DirectSends implements DirectRun {
  private final boolean isReliable;
  private final QpParameters parameters;
  private final QpStatus status;
  private final KeyTable keys;
  private final Domain domain;
  private final SendState state;
  private final SendQueue queue;
  private final SendProgress progress;
  private final SpanList local = new SpanList();
  private final MemorySegment originalBytes = MemorySegment.ofArray(new long[1]);
  private final SpanList original = new SpanList();

  /** Whether this way exists. */
  boolean applies;

  private Address source = Address.UNSPECIFIED;

  /** Whether requests take PSNs, and so go whole. */
  private boolean counts = true;

  private @Nullable SendWqe first;
  private int done;

  /**
   * How an atomic ends that the peer was asked for, unless its answer is stored: whatever happens
   * from then on, it may have been executed, and must not be executed again.
   */
  private @Nullable WcStatus lost;

  /** The last request of which a part was executed; numbers never come again. */
  private long begun = -1;

  /** How much of it was executed, if nothing failed since. */
  private long executedBytes;

  DirectSends(QpCore core, SendState state, SendQueue queue) {
    isReliable = core.service() == Service.RC;
    parameters = core.parameters();
    status = core.status();
    keys = core.keys();
    domain = core.domain();
    this.state = state;
    this.queue = queue;
    progress = state.progress;
  }

  /**
   * Sets the path to the peer.
   *
   * @param local this side's GID
   */
  void connect(Path way, Address local) {
    applies = isReliable && way.isDirect();
    counts = way.countsDirect();
    executedBytes = 0;
    lost = null;
    source = local;
  }

  /** Whether a part of the next request was executed, so that it is under way. */
  boolean isUnderWay() {
    return begun == progress.current;
  }

  /**
   * Sends all requests that can go this way, if it {@link #applies}, starting with the next one.
   *
   * @return whether any request was executed and completed, or has failed
   */
  boolean send(Path way, SendWqe next, Budget budget) {
    // While it is idle the next request waits for no earlier one, since READs have ended as well.
    if (!progress.isIdle() || !isShort(next) || budget.isSpent()) {
      return false;
    }
    first = next;
    done = 0;
    boolean failed = false;
    try {
      way.direct(this, budget);
    } finally {
      // The guard has been released: executed requests complete, as with an acknowledgement.
      try {
        if (done > 0) {
          state.completeOldest(done);
          state.answered();
        }
      } finally {
        WcStatus why = lost;
        if (why != null) {
          lost = null;
          failed = true;
          state.failHead(why, AccessFault.MEMORY_GONE);
        }
      }
    }
    return done > 0 || failed;
  }

  @Override
  public int over(DirectPeer peer, Budget budget) {
    if (peer.admits(source, parameters.pkey)) {
      SendWqe wqe = first;
      while (wqe != null && mayGoOn() && !budget.isSpent() && execute(wqe, peer, budget)) {
        wqe = nextShort();
      }
    }
    return done;
  }

  /** A drain ends what is under way. */
  private boolean mayGoOn() {
    QpState now = status.state;
    return now == QpState.RTS || (now == QpState.SQD && isUnderWay());
  }

  /**
   * Whether a request moves bytes or is a SEND, and fits into one turn unless it may go in parts;
   * or is an atomic with room for its answer.
   */
  private boolean isShort(SendWqe wqe) {
    SendOperation operation = wqe.operation;
    long length = wqe.data.total;
    if (operation.atomic) {
      return length >= RemoteAtomics.BYTES;
    }
    if (operation.sends) {
      return counts && length <= Budget.BYTES;
    }
    return (operation.writes || operation.reads)
        && length > 0
        && (length <= Budget.BYTES || !counts);
  }

  private @Nullable SendWqe nextShort() {
    SendWqe wqe = queue.published(progress.current);
    return wqe != null && isShort(wqe) ? wqe : null;
  }

  private boolean execute(SendWqe wqe, DirectPeer peer, Budget budget) {
    boolean reads = wqe.operation.reads;
    if (wqe.operation.answeredWithData && parameters.maxRdAtomic == 0) {
      return false;
    }
    if (wqe.operation.atomic) {
      return executeAtomic(wqe, peer, budget);
    }
    long from = isUnderWay() ? executedBytes : 0;
    long length = Math.min(wqe.data.total - from, Budget.BYTES);
    int count = counts ? Psn.count(length, parameters.mtu) : 0;
    boolean executed = false;
    try {
      int right = reads ? Access.LOCAL_WRITE : 0;
      if (wqe.data.resolve(keys, domain, right, from, length, local) == AccessFault.NONE) {
        int psn = progress.sendPsn;
        long va = wqe.remoteAddr + from;
        if (wqe.operation.sends) {
          executed = peer.sendWhole(psn, count, wqe, local);
        } else if (reads) {
          executed = peer.readWhole(psn, count, wqe.rkey, va, local);
        } else {
          executed = peer.writeWhole(psn, count, wqe.rkey, va, local);
        }
      }
    } finally {
      local.clear();
    }
    if (!executed) {
      // It may be under way all the same.
      executedBytes = 0;
      return false;
    }
    budget.spend(length);
    if (from + length < wqe.data.total) {
      begun = progress.current;
      executedBytes = from + length;
    } else {
      progress.executedByPeer(count);
      done++;
    }
    return true;
  }

  private boolean executeAtomic(SendWqe wqe, DirectPeer peer, Budget budget) {
    int bytes = RemoteAtomics.BYTES;
    try {
      if (wqe.data.resolve(keys, domain, Access.LOCAL_WRITE, 0, bytes, local) != AccessFault.NONE) {
        return false;
      }
      lost = WcStatus.REM_OP_ERR;
      boolean executed =
          peer.atomicWhole(
              progress.sendPsn,
              wqe.operation.onWire(),
              wqe.rkey,
              wqe.remoteAddr,
              wqe.compare,
              wqe.swapOrAdd);
      if (!executed) {
        lost = null;
        return false;
      }
      lost = WcStatus.LOC_PROT_ERR;
      originalBytes.set(ValueLayout.JAVA_LONG, 0, peer.original());
      original.add(originalBytes, 0, bytes);
      if (original.copyTo(local, /* endsMessage= */ true) != AccessFault.NONE) {
        return false;
      }
      progress.executedByPeer(counts ? 1 : 0);
      lost = null;
      done++;
      budget.spend(bytes);
      return true;
    } catch (IllegalStateException | InternalError e) {
      // The peer's memory has ended meanwhile.
      return false;
    } finally {
      original.clear();
      local.clear();
    }
  }
}
