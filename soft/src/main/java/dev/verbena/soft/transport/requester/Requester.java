package dev.verbena.soft.transport.requester;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.RemoteAtomics;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.transport.AckPolicy;
import dev.verbena.soft.transport.Budget;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.CongestionControl;
import dev.verbena.soft.transport.LocalOperations;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpEvents;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendWrField;
import dev.verbena.verbs.WcStatus;
import dev.verbena.wire.Address;
import dev.verbena.wire.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests (S12.5) in the chunks of {@link Chunker}: obeys the limits for what may be in
 * flight and for READs, and goes back when something was lost. Used under the requester guard.
 */
public final class Requester {
  /** Runs in flight: one that the peer handles, one under way, one that is being written. */
  private static final int RUNS = 3;

  private final boolean acknowledged;
  private final QpParameters parameters;
  private final QpStatus status;
  private final AckPolicy acks;
  private final SendQueue queue;
  private final Tally tally;
  private final QpEvents events;
  private final LocalOperations local;
  private final SendState state;
  private final SendProgress progress;

  /** Takes the responses. */
  public final Completer completer;

  private final Chunker chunker;
  private final DirectSends direct;
  private @Nullable Path path;

  /** Whether the end of a drain must still be reported. */
  private boolean drainAwaited;

  /**
   * PSNs with which it would not wait for an answer, as it last found; before that there is no
   * limit.
   */
  private int allowed = Integer.MAX_VALUE;

  /** Whether losses, or other queue pairs, leave it less than the path takes. */
  private boolean limited;

  /** Whether it has asked what may be in flight. */
  private boolean sending;

  /**
   * 0 if the last packet sent asked for an acknowledgement; otherwise in how many PSNs one asks, at
   * the latest, if packets are sent in runs.
   */
  private int unasked;

  /**
   * A requester in RESET.
   *
   * @param core the queue pair's core
   * @param queue its requests
   * @param ring the ring for their completions
   * @param local executes requests that need no peer
   */
  public Requester(QpCore core, SendQueue queue, CompletionRing ring, LocalOperations local) {
    this.local = local;
    this.queue = queue;
    acknowledged = core.service().acknowledged;
    parameters = core.parameters();
    status = core.status();
    acks = core.acks();
    tally = core.tally();
    events = core.events();
    state = new SendState(core, queue, ring);
    progress = state.progress;
    completer = new Completer(core, state, queue);
    chunker = new Chunker(core);
    direct = new DirectSends(core, state, queue);
  }

  /**
   * Sets the path of chunks to the peer.
   *
   * @param way the path
   * @param local this side's GID
   * @param control what may be in flight on that path
   */
  public void connect(Path way, Address local, CongestionControl control) {
    path = way;
    allowed = Integer.MAX_VALUE;
    chunker.source(local);
    direct.connect(way, local);
    state.connect(control);
  }

  /** Nothing will be in flight any more: leaves that to others. Idempotent. */
  public void disconnect() {
    sending = false;
    state.disconnect();
  }

  /**
   * After a run: if nothing is in flight, leaves that to others for the time being.
   *
   * @return {@link #deadline}
   */
  public long restIfDrained() {
    if (sending && isDrained()) {
      sending = false;
      state.rest();
    }
    return state.deadline();
  }

  /** Enters RTS: the first packet will have this PSN. */
  public void start(int sqPsn) {
    state.start(sqPsn);
  }

  /** When {@link #onTimer} is due, or {@link Clock#NEVER}; any thread may call this. */
  public long deadline() {
    return state.deadline();
  }

  /** Completes every request with WR_FLUSH_ERR. */
  public void flush() {
    state.flush();
  }

  /** Forgets every request. */
  public void reset() {
    state.reset();
    unasked = 0;
    drainAwaited = false;
  }

  /**
   * Enters SQD.
   *
   * @param notify whether to raise SQ_DRAINED once the queue is drained
   */
  public void drain(boolean notify) {
    drainAwaited = notify;
  }

  /** In SQD: whether every started request is complete. */
  public boolean isDrained() {
    long head = queue.head;
    return head == progress.current
        && (head == queue.tail() || !queue.get(head).started)
        && !(direct.applies && direct.isUnderWay());
  }

  /** A CNP of the peer has come. */
  public void congestionNotified() {
    state.congestionNotified();
  }

  /**
   * Whether the last ACK had this PSN, which only the peer knows. Before RTS there is none, nor any
   * number that would have to be guessed.
   */
  public boolean wasAcknowledgedLast(int psn) {
    boolean sends = status.state == QpState.RTS || status.state == QpState.SQD;
    return sends && state.wasAcknowledgedLast(psn);
  }

  /** Answers of the peer have met congestion on their way, so this requests fewer. */
  public void congestionMet() {
    state.congestionMet();
  }

  /** Describes its progress in some lines for people. */
  public void dump(StringBuilder text) {
    if (path != null) {
      text.append("  path:      ").append(path.words()).append('\n');
    }
    long used = queue.tail() - queue.head;
    text.append("  sends:     ").append(used).append(" of ").append(queue.capacity());
    text.append(" not complete");
    if (used > 0) {
      text.append(", the oldest ").append(queue.get(queue.head));
    }
    text.append("\n  requester: next psn ").append(progress.sendPsn);
    if (acknowledged) {
      dumpAnswers(text);
    }
    text.append("\n  waits for: ").append(waitsFor()).append('\n');
  }

  /** Describes what only a service with answers has. */
  private void dumpAnswers(StringBuilder text) {
    text.append(", oldest without answer ").append(progress.oldest);
    text.append(", ").append(progress.inFlight()).append(" in flight");
    // Only a sending requester asks its path what may be in flight.
    if (path != null && progress.inFlight() > 0) {
      text.append(" of ").append(state.mostInFlight(path.mostInFlight(parameters.mtu)));
    }
    text.append(", ").append(state.readsOutstanding).append(" READs and atomics of ");
    text.append(parameters.maxRdAtomic).append("\n  retries:   ");
    state.dump(text);
  }

  private String waitsFor() {
    Path way = path;
    if (queue.head == queue.tail()) {
      return "nothing";
    }
    if (status.flushesSends()) {
      return "its turn to flush, in " + status.state;
    }
    if (state.rnrWaiting) {
      return "the peer to post a receive, for psn " + progress.sendPsn;
    }
    if (progress.current == queue.tail()) {
      return "the answer to psn " + progress.oldest;
    }
    if (way == null || next() == null) {
      return "a state that sends, in " + status.state;
    }
    SendWqe next = queue.get(progress.current);
    boolean starts = !next.started;
    if (starts && next.fenced && state.readsOutstanding > 0) {
      return "READs and atomics to end, before a request with a fence";
    }
    if (starts && next.operation.hasResponse && state.readsOutstanding >= parameters.maxRdAtomic) {
      return "READs and atomics to end, of which max_rd_atomic allows " + parameters.maxRdAtomic;
    }
    if (starts && needsReceive(next, chunker.psns(next)) && !state.credits.admit()) {
      return "the peer to post a receive, and to say so";
    }
    if (acknowledged && progress.inFlight() >= allowed) {
      return "the answer to psn " + progress.oldest + ", before more may be in flight";
    }
    return way.isReady() ? "its turn to send" : "the link to take packets";
  }

  /** A deadline may have passed; {@link #run} must be called next. */
  public void onTimer(long now) {
    state.expire(now);
  }

  /**
   * Sends what can be sent.
   *
   * @return true if it stopped for the budget, or because the path currently takes nothing, so that
   *     it must run again
   */
  public boolean run(Budget budget) {
    if (status.flushesSends()) {
      drainAwaited = false;
      state.flush();
      return false;
    }
    boolean again = send(budget);
    state.armIfIdle();
    if (drainAwaited) {
      reportDrained();
    }
    return again;
  }

  private boolean send(Budget budget) {
    Path way = path;
    for (SendWqe wqe = next(); way != null && wqe != null; wqe = next()) {
      if (direct.applies && direct.send(way, wqe, budget)) {
        continue;
      }
      SendOperation operation = wqe.operation;
      if (operation.executedHere) {
        if (!executeHere(wqe)) {
          return false;
        }
        continue;
      }
      // The arrival of an unacknowledged packet is never reported, so none counts as in flight.
      int most = acknowledged ? mostInFlight(way, wqe) : Integer.MAX_VALUE;
      allowed = most;
      int inFlight = progress.inFlight();
      int room = most - inFlight;
      if (unasked == 0 && room < most && awaitsRoom(way, wqe, room, most)) {
        allowed = inFlight;
        return false;
      }
      if (operation.reads && isSliceOutstanding(wqe)) {
        return false;
      }
      // Less may be in flight by now, after packets that asked for no ACK, so one more must ask.
      room = Math.max(room, 1);
      if (budget.isSpent() || !way.isReady()) {
        return true;
      }
      // Last, so that the memory found for the request need not wait.
      boolean starts = !wqe.started;
      if (starts && !start(wqe, operation)) {
        return false;
      }
      int sent = progress.sentPsns;
      int left = wqe.psnCount - sent;
      int count =
          operation.reads
              ? psnsOfNextSlice(way, left, room)
              : Math.min(Math.min(left, room), way.chunkPsns());
      int together = count < left ? together(way, starts, most) : 1;
      int until = unasked == 0 ? together : unasked;
      boolean asks =
          together == 1
              ? acks.asks(inFlight, most, count == room)
              : count >= until || count == room;
      AccessFault fault = chunker.describe(wqe, sent, progress.sendPsn, count, asks, starts);
      if (fault != AccessFault.NONE) {
        return failInTurn(WcStatus.LOC_PROT_ERR, fault);
      }
      if (!send(way, wqe, count, until, budget)) {
        return !chunker.chunk.payloadGone
            || failInTurn(WcStatus.LOC_PROT_ERR, AccessFault.MEMORY_GONE);
      }
    }
    return false;
  }

  /**
   * Whether a request waits until less is in flight. A run of packets costs little more than one
   * that leaves alone, so it waits until there is room for all of it, unless it is {@link
   * #limited}. And a READ is not cut into small slices, since each is a request that waits for the
   * one before.
   */
  private boolean awaitsRoom(Path way, SendWqe wqe, int room, int most) {
    boolean starts = !wqe.started;
    int enough = wqe.operation.reads ? Math.max(1, most / 2) : together(way, starts, most);
    if (room <= 0 || room >= enough) {
      return room <= 0;
    }
    return room < (starts ? chunker.psns(wqe) : wqe.psnCount - progress.sentPsns);
  }

  /**
   * PSNs that are sent together: a run, and before it the first one, which is longer in a WRITE; or
   * 1 if each packet is sent as soon as it can.
   */
  private int together(Path way, boolean starts, int most) {
    int run = limited ? 1 : Math.min(way.run(), most / RUNS);
    return run <= 1 ? 1 : starts ? run + 1 : run;
  }

  /** PSNs that may be unanswered when this request sends next. */
  private int mostInFlight(Path way, SendWqe wqe) {
    sending = true;
    int ofPath = wqe.operation.reads ? way.readPsns() : way.mostInFlight(wqe.data.total);
    int most = state.mostInFlight(ofPath);
    limited = most < ofPath;
    return most;
  }

  /**
   * Executes a request that needs no peer, only once even if earlier ones are sent again; returns
   * false if it must wait or has failed. It completes in turn.
   */
  private boolean executeHere(SendWqe wqe) {
    if (wqe.isExecuted()) {
      progress.skip();
      return true;
    }
    if (wqe.fenced && state.readsOutstanding > 0) {
      return false;
    }
    boolean binds = wqe.operation.uses(SendWrField.BIND_MW);
    AccessFault fault = binds ? local.bind(wqe.binding()) : local.invalidate(wqe.immOrKey);
    if (fault != AccessFault.NONE) {
      return failInTurn(binds ? WcStatus.MW_BIND_ERR : WcStatus.LOC_QP_OP_ERR, fault);
    }
    boolean oldest = queue.head == progress.current;
    progress.executed(wqe);
    if (oldest) {
      state.completeHead();
    }
    return true;
  }

  /** The request to send from next, or null if nothing may be sent now. */
  private @Nullable SendWqe next() {
    SendWqe wqe = state.rnrWaiting ? null : queue.published(progress.current);
    if (wqe == null) {
      return null;
    }
    return switch (status.state) {
      case RTS -> wqe;
      case SQD -> wqe.started || direct.isUnderWay() ? wqe : null;
      default -> null;
    };
  }

  /**
   * Checks a request before its first packet, and gives it its PSNs; returns false if it must wait
   * or has failed.
   */
  private boolean start(SendWqe wqe, SendOperation operation) {
    boolean counts = operation.hasResponse;
    if (wqe.fenced && state.readsOutstanding > 0) {
      return false;
    }
    if (counts && state.readsOutstanding >= parameters.maxRdAtomic) {
      return false;
    }
    if (operation.atomic && wqe.data.total < RemoteAtomics.BYTES) {
      return failInTurn(WcStatus.LOC_LEN_ERR, AccessFault.NONE);
    }
    AccessFault fault = chunker.find(wqe);
    if (fault != AccessFault.NONE) {
      return failInTurn(WcStatus.LOC_PROT_ERR, fault);
    }
    int psns = chunker.psns(wqe);
    if (needsReceive(wqe, psns) && !state.mayStartMessage()) {
      chunker.chunk.payload.clear();
      return false;
    }
    if (counts) {
      state.readStarted();
    }
    if (operation.takesReceive) {
      state.credits.started();
    }
    progress.assign(wqe, psns);
    return true;
  }

  /** Whether the first packet of a request needs a receive: a long WRITE needs it when it ends. */
  private boolean needsReceive(SendWqe wqe, int psns) {
    SendOperation operation = wqe.operation;
    return acknowledged
        && operation.takesReceive
        && (psns == 1 || operation.onWire() == Operation.SEND);
  }

  /**
   * Fails the current request once all before it are complete, so that completions stay in order.
   */
  private boolean failInTurn(WcStatus why, AccessFault fault) {
    if (queue.head == progress.current) {
      state.failHead(why, fault);
    }
    return false;
  }

  /**
   * Whether a slice is outstanding. A READ beyond what may be in flight goes in slices, one at a
   * time, because answers count as well.
   */
  private boolean isSliceOutstanding(SendWqe wqe) {
    return progress.sentPsns > wqe.psnsDone;
  }

  private int psnsOfNextSlice(Path way, int left, int room) {
    if (progress.isRepeating()) {
      // The peer answers a repeated READ only within a request that it knows (S12.6.3). So the end
      // of a slice never changes, whatever may be in flight by now: with several ends it would be
      // unknown which one the peer knows, and beyond that one it never answers.
      return Math.min(left, progress.repeatablePsns());
    }
    return Math.min(Math.min(left, room), way.readPsns());
  }

  /**
   * Sends the chunk.
   *
   * @param until in how many PSNs, from these on, one asks for an acknowledgement
   */
  private boolean send(Path way, SendWqe wqe, int count, int until, Budget budget) {
    boolean repeated = progress.isRepeating();
    Chunk chunk = chunker.chunk;
    // The loopback copies the data of a READ before send returns.
    long copied = wqe.operation.reads ? chunk.dmaLength : chunk.payload.total;
    // The loopback answers before send returns, so record what was sent first.
    int before = progress.sendPsn;
    int highest = progress.highPsn;
    progress.advance(wqe, count);
    boolean sent = way.send(chunk);
    chunk.payload.clear();
    if (!sent) {
      progress.retract(before, highest);
      return false;
    }
    unasked = chunk.ackRequest ? 0 : Math.max(1, until - count);
    if (repeated) {
      tally.count(Counter.RETRANSMITTED);
    }
    for (int copies = way.copies(); copies > 0; copies--) {
      budget.spend(copied);
    }
    if (!acknowledged) {
      handedOver();
    }
    return true;
  }

  /** Completes a request that gets no answer once the path has taken it (S1.5.8, S1.6.5). */
  private void handedOver() {
    progress.acknowledgedBefore(progress.sendPsn);
    if (chunker.ends) {
      state.completeHead();
    }
  }

  /**
   * Reports a drain that ended before the queue pair left SQD for RTS, in the first turn since
   * (S4.5.2).
   */
  private void reportDrained() {
    if (status.state != QpState.SQD || isDrained()) {
      drainAwaited = false;
      events.raise(EventType.SQ_DRAINED);
    }
  }
}
