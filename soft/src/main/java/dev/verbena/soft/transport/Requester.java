package dev.verbena.soft.transport;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.queue.TsoTemplate;
import dev.verbena.soft.transport.Sabotage.Mistake;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests (S12.5): cuts messages into chunks, keeps within window and READ limit, goes back
 * when something was lost. Under the requester guard.
 */
public final class Requester {
  private static final int ATOMIC_BYTES = 8;
  private static final int PRIVILEGED_QKEY = 1 << 31;

  /** How often a window's worth of packets asks for an acknowledgement. */
  private static final int ACKS_PER_WINDOW = 4;

  private final Service service;
  private final QpParameters parameters;
  private final QpStatus status;
  private final SendQueue queue;
  private final KeyTable keys;
  private final Domain domain;
  private final Tally tally;
  private final QpEvents events;
  private final LocalOperations local;
  private final Sabotage sabotage;
  private final SendState state;
  private final SendProgress progress;
  private final Completer completer;
  private final Segmenter segmenter;
  private final Request chunk = new Request();
  private final SpanList scratch = new SpanList();
  private @Nullable Path path;
  private long sourceHi;
  private long sourceLo;
  private boolean drainReported;

  /** Whether the last packet sent asked for no acknowledgement. */
  private boolean unasked;

  /** Whether {@link #chunk} is the last of its request. */
  private boolean ends;

  /**
   * A requester in RESET.
   *
   * @param core what the machines of the queue pair have in common
   * @param queue its requests
   * @param ring where they complete
   * @param local executes those that need no peer
   */
  public Requester(QpCore core, SendQueue queue, CompletionRing ring, LocalOperations local) {
    this.local = local;
    this.queue = queue;
    service = core.service();
    parameters = core.parameters();
    status = core.status();
    keys = core.keys();
    domain = core.domain();
    tally = core.tally();
    sabotage = core.sabotage();
    events = core.events();
    state = new SendState(core, queue, ring);
    progress = state.progress();
    completer = new Completer(core, state, queue);
    segmenter = new Segmenter(service.isEthernet());
  }

  /** Takes the responses. */
  public Completer completer() {
    return completer;
  }

  /**
   * Sets how chunks reach the peer.
   *
   * @param way the path
   * @param localHi first half of this side's GID
   * @param localLo second half of this side's GID
   */
  public void path(Path way, long localHi, long localLo) {
    path = way;
    sourceHi = localHi;
    sourceLo = localLo;
  }

  /** Enters RTS: the first packet will have this PSN. */
  public void start(int sqPsn) {
    state.start(sqPsn);
  }

  /** When {@link #onTimer} is due, or {@link Clock#NEVER}; any thread may ask. */
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
    unasked = false;
    drainReported = false;
  }

  /** In SQD: whether no request is started and not complete. */
  public boolean isDrained() {
    long head = queue.head();
    return head == progress.current() && (head == queue.tail() || !queue.get(head).isStarted());
  }

  /** A deadline may have passed; {@link #run} is to be called next. */
  public void onTimer(long now) {
    state.expire(now);
  }

  /**
   * Sends what can be sent.
   *
   * @return true if it stopped for the budget, or because the path takes nothing at the moment: it
   *     must be run again
   */
  public boolean run(Budget budget) {
    if (status.flushesSends()) {
      state.flush();
      return false;
    }
    boolean again = send(budget);
    state.armIfIdle();
    if (status.state() == QpState.SQD) {
      reportDrained();
    } else {
      drainReported = false;
    }
    return again;
  }

  private boolean send(Budget budget) {
    Path way = path;
    while (way != null && maySend()) {
      SendWqe wqe = queue.get(progress.current());
      if (isLocal(wqe.opcode())) {
        if (!executeHere(wqe)) {
          return false;
        }
        continue;
      }
      if (!wqe.isStarted() && !start(wqe)) {
        return false;
      }
      // Nobody tells when an unacknowledged packet has arrived: none is in flight.
      int window = service.isAcknowledged() ? way.window() : Integer.MAX_VALUE;
      int room = window - progress.inFlight();
      if (isSliceOutstanding(wqe) || (room <= 0 && !unasked)) {
        return false;
      }
      // The window may have shrunk behind packets that asked for no ACK: one more must ask.
      room = Math.max(room, 1);
      if (budget.isSpent() || !way.isReady()) {
        return true;
      }
      int count = psnsOfNextChunk(wqe, way, room);
      if (!describe(wqe, count, room, window)) {
        return false;
      }
      if (!send(way, wqe, count, budget)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Executes a request that needs no peer, once, whatever is sent again before it; false if it must
   * wait or has failed. It completes in turn.
   */
  private boolean executeHere(SendWqe wqe) {
    if (wqe.isExecuted()) {
      progress.skip();
      return true;
    }
    if (wqe.isFenced() && state.readsOutstanding() > 0) {
      return false;
    }
    boolean binds = wqe.opcode() == WrOpcode.BIND_MW;
    AccessFault fault = binds ? local.bind(wqe.binding()) : invalidate(wqe.immOrKey());
    if (fault != AccessFault.NONE) {
      return failInTurn(binds ? WcStatus.MW_BIND_ERR : WcStatus.LOC_QP_OP_ERR, fault);
    }
    boolean oldest = queue.head() == progress.current();
    progress.executed(wqe);
    if (oldest) {
      state.completeHead();
    }
    return true;
  }

  private AccessFault invalidate(int rkey) {
    return sabotage.makes(Mistake.IGNORE_LOCAL_INVALIDATION)
        ? AccessFault.NONE
        : local.invalidate(rkey);
  }

  private static boolean isLocal(WrOpcode opcode) {
    return opcode == WrOpcode.BIND_MW || opcode == WrOpcode.LOCAL_INV;
  }

  private boolean maySend() {
    if (state.isRnrWaiting() || progress.current() == queue.tail()) {
      return false;
    }
    return switch (status.state()) {
      case RTS -> true;
      case SQD -> queue.get(progress.current()).isStarted();
      default -> false;
    };
  }

  /**
   * Checks a request before its first packet, and gives it its PSNs; false if it must wait or has
   * failed.
   */
  private boolean start(SendWqe wqe) {
    boolean reads = SendState.hasResponse(wqe.opcode());
    if (wqe.isFenced() && state.readsOutstanding() > 0) {
      return false;
    }
    if (reads && state.readsOutstanding() >= parameters.maxRdAtomic()) {
      return false;
    }
    long length = wqe.data().total();
    if (SendState.isAtomic(wqe.opcode()) && length < ATOMIC_BYTES) {
      return failInTurn(WcStatus.LOC_LEN_ERR, AccessFault.NONE);
    }
    scratch.clear();
    int right = SendState.isAnsweredWithData(wqe.opcode()) ? Access.LOCAL_WRITE : 0;
    AccessFault fault = wqe.data().resolve(keys, domain, right, 0, length, scratch);
    scratch.clear();
    if (fault != AccessFault.NONE) {
      return failInTurn(WcStatus.LOC_PROT_ERR, fault);
    }
    if (reads) {
      state.readStarted();
    }
    progress.assign(wqe, psns(wqe, length));
    return true;
  }

  private int psns(SendWqe wqe, long length) {
    TsoTemplate tso = segmentation(wqe);
    if (tso != null) {
      return tso.segments(length);
    }
    boolean one = SendState.isAtomic(wqe.opcode()) || !service.cutsMessages();
    return one ? 1 : parameters.packets(length);
  }

  /** Bytes of the request's data that go with each PSN but the last. */
  private long unit(SendWqe wqe) {
    TsoTemplate tso = segmentation(wqe);
    if (tso != null) {
      return tso.mss();
    }
    return service.cutsMessages() ? parameters.mtu() : wqe.data().total();
  }

  /** How the data is cut into messages with headers of their own, or null. */
  private static @Nullable TsoTemplate segmentation(SendWqe wqe) {
    return wqe.opcode() == WrOpcode.TSO ? wqe.tso() : null;
  }

  /**
   * Fails the current request once all before it are complete, so that completions stay in order.
   */
  private boolean failInTurn(WcStatus why, AccessFault fault) {
    if (queue.head() == progress.current()) {
      state.failHead(why, fault);
    }
    return false;
  }

  /**
   * A READ beyond the window is asked for in slices, one at a time: the answers fill the window
   * too.
   */
  private boolean isSliceOutstanding(SendWqe wqe) {
    return wqe.opcode() == WrOpcode.RDMA_READ && progress.sentPsns() > wqe.psnsDone();
  }

  private int psnsOfNextChunk(SendWqe wqe, Path way, int room) {
    int left = Math.min(wqe.psnCount() - progress.sentPsns(), room);
    if (wqe.opcode() != WrOpcode.RDMA_READ) {
      return Math.min(left, way.chunkPsns());
    }
    // The peer answers a repeated READ only within the request that it knows (S12.6.3).
    int known = progress.isRepeating() ? progress.repeatablePsns() : left;
    return Math.min(Math.min(left, known), way.readPsns());
  }

  /**
   * Fills {@link #chunk} with the next PSNs of a request; false if its memory is no longer there.
   */
  private boolean describe(SendWqe wqe, int count, int room, int window) {
    int sent = progress.sentPsns();
    ends = sent + count == wqe.psnCount();
    Operation operation = operation(wqe.opcode());
    TsoTemplate tso = segmentation(wqe);
    // Each slice of a READ is a request of its own (S12.5.9), each TSO segment a message.
    boolean slice = operation == Operation.READ_REQUEST || tso != null;
    chunk.begin(operation, slice || sent == 0, slice || ends, progress.sendPsn(), count);
    address(wqe);
    chunk.srqNum(wqe.srqNum());
    boolean asks =
        slice
            || ends
            || count == room
            || progress.inFlight() % Math.max(1, window / ACKS_PER_WINDOW) == 0;
    chunk.flags(
        ends && wqe.isSolicited() && isReceived(wqe.opcode()), service.isAcknowledged() && asks);
    long total = wqe.data().total();
    long unit = unit(wqe);
    long offset = sent * unit;
    long length = Math.min(total - offset, count * unit);
    switch (wqe.opcode()) {
      case RDMA_READ -> chunk.remote(wqe.remoteAddr() + offset, wqe.rkey(), length);
      case ATOMIC_CMP_AND_SWP -> {
        chunk.remote(wqe.remoteAddr(), wqe.rkey(), ATOMIC_BYTES);
        chunk.operands(wqe.compareAdd(), wqe.swap());
      }
      case ATOMIC_FETCH_AND_ADD -> {
        chunk.remote(wqe.remoteAddr(), wqe.rkey(), ATOMIC_BYTES);
        chunk.operands(0, wqe.compareAdd());
      }
      case FLUSH -> {
        chunk.remote(wqe.remoteAddr(), wqe.rkey(), wqe.flushLength());
        chunk.flush(wqe.flushType(), wqe.flushLevel());
      }
      default -> {
        chunk.remote(wqe.remoteAddr(), wqe.rkey(), total);
        if (ends) {
          attach(wqe);
        }
        if (wqe.fillsChecksums()) {
          chunk.fillChecksums();
        }
        AccessFault fault =
            tso == null
                ? wqe.data().resolve(keys, domain, 0, offset, length, chunk.payload())
                : segment(wqe, tso, offset, length);
        if (fault != AccessFault.NONE) {
          return failInTurn(WcStatus.LOC_PROT_ERR, fault);
        }
      }
    }
    return true;
  }

  private void address(SendWqe wqe) {
    boolean connected = service.isConnected();
    int destination = connected ? parameters.destQpn() : wqe.remoteQpn();
    chunk.address(sourceHi, sourceLo, destination, parameters.pkey());
    if (service.isDatagram()) {
      // S1.7.11: a privileged Q_Key is not the request's to choose.
      boolean own = (wqe.remoteQkey() & PRIVILEGED_QKEY) != 0;
      chunk.datagram().sender(parameters.qpNum(), own ? parameters.qkey() : wqe.remoteQkey());
      chunk.datagram().destination(wqe.destination());
    }
  }

  private AccessFault segment(SendWqe wqe, TsoTemplate tso, long offset, long length) {
    scratch.clear();
    AccessFault fault = wqe.data().resolve(keys, domain, 0, offset, length, scratch);
    if (fault == AccessFault.NONE) {
      fault = segmenter.prepend(tso, progress.sentPsns(), ends, scratch, chunk.payload());
    }
    scratch.clear();
    return fault;
  }

  private void attach(SendWqe wqe) {
    switch (wqe.opcode()) {
      case SEND_WITH_IMM, RDMA_WRITE_WITH_IMM -> chunk.immediate(wqe.immOrKey());
      case SEND_WITH_INV -> chunk.invalidate(wqe.immOrKey());
      default -> {}
    }
  }

  private boolean send(Path way, SendWqe wqe, int count, Budget budget) {
    boolean repeated = progress.isRepeating();
    // The loopback copies what a READ asks for before send returns.
    long copied = wqe.opcode() == WrOpcode.RDMA_READ ? chunk.dmaLength() : chunk.payload().total();
    // The loopback answers before send returns: what was sent must be noted first.
    int before = progress.sendPsn();
    progress.advance(wqe, count);
    boolean sent = way.send(chunk);
    chunk.payload().clear();
    if (!sent) {
      progress.retract(before, repeated);
      return false;
    }
    unasked = !chunk.wantsAck();
    if (repeated) {
      tally.count(Counter.RETRANSMITTED);
    }
    budget.spend(copied);
    if (!service.isAcknowledged()) {
      handedOver();
    }
    return true;
  }

  /** Nobody will answer: what was handed to the path counts as done (S1.5.8, S1.6.5). */
  private void handedOver() {
    progress.acknowledgedBefore(progress.sendPsn());
    if (ends) {
      state.completeHead();
    }
  }

  private void reportDrained() {
    if (!drainReported && isDrained()) {
      drainReported = true;
      if (parameters.drainNotify()) {
        events.raise(EventType.SQ_DRAINED);
      }
    }
  }

  /**
   * Whether the peer reports it in a receive, so that the solicited event bit has a meaning (S1.2).
   */
  private static boolean isReceived(WrOpcode opcode) {
    return switch (opcode) {
      case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE_WITH_IMM -> true;
      default -> false;
    };
  }

  private static Operation operation(WrOpcode opcode) {
    return switch (opcode) {
      case SEND, SEND_WITH_IMM, SEND_WITH_INV, TSO -> Operation.SEND;
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> Operation.WRITE;
      case RDMA_READ -> Operation.READ_REQUEST;
      case ATOMIC_CMP_AND_SWP -> Operation.COMPARE_SWAP;
      case ATOMIC_FETCH_AND_ADD -> Operation.FETCH_ADD;
      case ATOMIC_WRITE -> Operation.ATOMIC_WRITE;
      case FLUSH -> Operation.FLUSH;
      default -> throw new IllegalStateException(opcode + " is refused when it is posted");
    };
  }
}
