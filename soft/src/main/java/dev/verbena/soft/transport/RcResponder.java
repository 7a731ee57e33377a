package dev.verbena.soft.transport;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.RemoteAtomics;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.memory.Transfer;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.RecvQueue;
import dev.verbena.soft.transport.Sabotage.Mistake;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;

/**
 * Executes the requests of a reliable connection's peer (S12.6). {@link #receive} reads as the
 * checks of S12.6.1, in their order. Under the responder guard.
 */
public final class RcResponder {
  /** Longest message, and most that RETH may announce (S12.6.7). */
  public static final long MAX_MESSAGE = 1L << 31;

  private static final int ATOMIC_BYTES = 8;
  private static final int PKEY_BASE = 0x7fff;
  private static final int PKEY_FULL = 0x8000;

  private final QpParameters parameters;
  private final QpStatus status;
  private final KeyTable keys;
  private final Domain domain;
  private final Tally tally;
  private final QpEvents events;
  private final Sabotage sabotage;
  private final RecvState receives;
  private final ReadResources resources = new ReadResources();
  private final OpenMessage message = new OpenMessage();
  private final SpanList landing = new SpanList();
  private int expectedPsn;
  private int msn;
  private boolean nakSent;
  private boolean established;

  /** A responder in RESET; see the parameters' types for what each is. */
  public RcResponder(
      QpParameters parameters,
      QpStatus status,
      RecvQueue queue,
      CompletionRing ring,
      KeyTable keys,
      Domain domain,
      Tally tally,
      QpEvents events,
      Sabotage sabotage) {
    this.parameters = parameters;
    this.status = status;
    this.keys = keys;
    this.domain = domain;
    this.tally = tally;
    this.events = events;
    this.sabotage = sabotage;
    receives = new RecvState(parameters, status, queue, ring, keys, domain, events);
  }

  /** Enters RTR: the first packet is expected to have this PSN. */
  public void start(int rqPsn) {
    expectedPsn = Psn.mask(rqPsn);
    msn = 0;
    nakSent = false;
    established = false;
    message.close();
    resources.reset(parameters.maxDestRdAtomic());
  }

  /** Completes every receive with WR_FLUSH_ERR. */
  public void flush() {
    message.close();
    receives.flush();
  }

  /** Forgets every receive and any message under way. */
  public void reset() {
    message.close();
    receives.reset();
  }

  /** Takes a chunk; what is to be answered goes to {@code replies}. */
  public void receive(Request chunk, Replies replies) {
    if (!status.receives()) {
      tally.count(Counter.DROPPED_QP_STATE);
    } else if (chunk.sourceHi() != parameters.peerHi() || chunk.sourceLo() != parameters.peerLo()) {
      tally.count(Counter.DROPPED_SOURCE);
    } else if (!pkeysMatch(chunk.pkey(), parameters.pkey())) {
      tally.count(Counter.DROPPED_PKEY);
    } else {
      establish();
      int ahead = Psn.diff(chunk.psn(), expectedPsn);
      if (ahead == 0 || (ahead > 0 && sabotage.makes(Mistake.ACCEPT_GAPS))) {
        execute(chunk, replies);
      } else if (ahead > 0) {
        reportGap(replies);
      } else {
        tally.count(Counter.DUPLICATE_REQUESTS);
        repeat(chunk, replies);
      }
    }
  }

  /** The pieces of a READ's data; false if it may no longer be read. */
  public boolean resolveRead(int rkey, long va, long length, SpanList into) {
    return length == 0 || resolve(rkey, Access.REMOTE_READ, va, length, into) == AccessFault.NONE;
  }

  /** A READ that was accepted can no longer be answered: the region ended meanwhile. */
  void readFailed(int psn, Replies replies) {
    refuseAccess(psn, replies);
  }

  private void execute(Request chunk, Replies replies) {
    nakSent = false;
    // No key of this device can be invalidated by a peer, and saying that it was would be a lie.
    if (!message.accepts(chunk) || chunk.hasInvalidate()) {
      refuse(chunk, replies);
      return;
    }
    switch (chunk.operation()) {
      case SEND -> send(chunk, replies);
      case WRITE -> write(chunk, replies);
      case READ_REQUEST -> read(chunk, replies);
      case COMPARE_SWAP, FETCH_ADD -> atomic(chunk, replies);
      default -> refuse(chunk, replies);
    }
  }

  private void send(Request chunk, Replies replies) {
    long offset = chunk.isFirst() ? 0 : message.placed();
    if (!receives.isPosted()) {
      notReady(chunk.psn(), replies);
      return;
    }
    if (!isLengthLegal(chunk)) {
      refuse(chunk, replies);
      return;
    }
    if (chunk.payload().total() > receives.room() - offset) {
      receives.fail(WcStatus.LOC_LEN_ERR, AccessFault.OUT_OF_BOUNDS);
      refuse(chunk, replies);
      return;
    }
    AccessFault fault =
        loses(chunk) ? AccessFault.NONE : receives.place(chunk.payload(), offset, chunk.isLast());
    if (fault != AccessFault.NONE) {
      receives.fail(WcStatus.LOC_PROT_ERR, fault);
      fail(chunk.psn(), AethSyndrome.NAK_REMOTE_OPERATIONAL_ERROR, EventType.QP_REQ_ERR, replies);
      return;
    }
    message.place(chunk);
    if (chunk.isLast()) {
      receives.complete(WcOpcode.RECV, message.placed(), chunk);
    }
    accept(chunk, replies);
  }

  private void write(Request chunk, Replies replies) {
    if (!allows(Access.REMOTE_WRITE)) {
      refuse(chunk, replies);
      return;
    }
    if (chunk.isLast() && chunk.hasImm() && !receives.isPosted()) {
      notReady(chunk.psn(), replies);
      return;
    }
    long offset = chunk.isFirst() ? 0 : message.placed();
    long total = chunk.isFirst() ? chunk.dmaLength() : message.length();
    long end = offset + chunk.payload().total();
    if (!isLengthLegal(chunk)
        || total > MAX_MESSAGE
        || end > total
        || (chunk.isLast() && end != total)) {
      refuse(chunk, replies);
      return;
    }
    long va = chunk.isFirst() ? chunk.va() : message.va();
    int rkey = chunk.isFirst() ? chunk.rkey() : message.rkey();
    AccessFault fault = placeWrite(chunk, rkey, va, offset, total);
    if (fault != AccessFault.NONE) {
      refuseAccess(chunk.psn(), replies);
      return;
    }
    message.place(chunk);
    if (chunk.isLast() && chunk.hasImm()) {
      receives.complete(WcOpcode.RECV_RDMA_WITH_IMM, total, chunk);
    }
    accept(chunk, replies);
  }

  /**
   * Checks the whole range of the message before any byte of it is written (S5.2.2); a length of 0
   * is not checked.
   */
  private AccessFault placeWrite(Request chunk, int rkey, long va, long offset, long total) {
    long length = chunk.payload().total();
    if (total == 0 || loses(chunk)) {
      return AccessFault.NONE;
    }
    long checked = sabotage.makes(Mistake.SKIP_RIGHTS_CHECK) ? 0 : total;
    AccessFault fault = resolve(rkey, Access.REMOTE_WRITE, va, checked, landing);
    landing.clear();
    if (fault == AccessFault.NONE) {
      fault = resolve(rkey, 0, va + offset, length, landing);
    }
    if (fault == AccessFault.NONE) {
      fault = Transfer.copy(chunk.payload(), landing, chunk.isLast());
    }
    landing.clear();
    return fault;
  }

  private void read(Request chunk, Replies replies) {
    long length = chunk.dmaLength();
    if (!allows(Access.REMOTE_READ) || !hasResource(replies) || length > MAX_MESSAGE) {
      refuse(chunk, replies);
      return;
    }
    boolean readable = resolveRead(chunk.rkey(), chunk.va(), length, landing);
    landing.clear();
    if (!readable) {
      refuseAccess(chunk.psn(), replies);
      return;
    }
    int count = parameters.packets(length);
    msn = Psn.next(msn);
    resources.rememberRead(chunk.psn(), count);
    expectedPsn = Psn.add(chunk.psn(), count);
    replies.read(chunk.psn(), count, msn, chunk.rkey(), chunk.va(), length);
  }

  private void atomic(Request chunk, Replies replies) {
    if (!allows(Access.REMOTE_ATOMIC) || !hasResource(replies)) {
      refuse(chunk, replies);
      return;
    }
    Region region = keys.byRemoteKey(chunk.rkey());
    AccessFault fault =
        region == null
            ? AccessFault.UNKNOWN_KEY
            : region.check(domain, Access.REMOTE_ATOMIC, chunk.va(), ATOMIC_BYTES);
    if (region == null || fault != AccessFault.NONE) {
      refuseAccess(chunk.psn(), replies);
      return;
    }
    if (!RemoteAtomics.isAligned(region, chunk.va())) {
      refuse(chunk, replies);
      return;
    }
    long original;
    try {
      original = run(chunk, region);
    } catch (IllegalStateException | InternalError e) {
      // The memory is gone (see Transfer.copy): as good as an invalid key.
      refuseAccess(chunk.psn(), replies);
      return;
    }
    msn = Psn.next(msn);
    resources.rememberAtomic(chunk.psn(), original);
    expectedPsn = Psn.next(chunk.psn());
    replies.atomic(chunk.psn(), msn, original);
  }

  private static long run(Request chunk, Region region) {
    return chunk.operation() == Operation.COMPARE_SWAP
        ? RemoteAtomics.compareAndSwap(region, chunk.va(), chunk.compare(), chunk.swapOrAdd())
        : RemoteAtomics.fetchAndAdd(region, chunk.va(), chunk.swapOrAdd());
  }

  /**
   * A request from before the expected PSN: its answer was lost, or the network repeated it
   * (S12.6.3).
   */
  private void repeat(Request chunk, Replies replies) {
    switch (chunk.operation()) {
      case SEND, WRITE -> {
        if (sabotage.makes(Mistake.EXECUTE_DUPLICATES)) {
          int expected = expectedPsn;
          execute(chunk, replies);
          expectedPsn = expected;
        }
        // Only if it asks: Linux stops for ever when it gets two ACKs of a message that it is
        // sending
        // again. And not beyond a READ or an atomic, whose answer may have been lost: Linux takes
        // an
        // ACK with its last PSN for the answer, and completes it without data.
        if (chunk.wantsAck()) {
          int end = resources.firstBehind(chunk.psn(), expectedPsn);
          replies.acknowledge(Psn.add(end, -1), AethSyndrome.ACK_UNLIMITED, msn);
        }
      }
      case READ_REQUEST -> {
        int count = parameters.packets(chunk.dmaLength());
        boolean again =
            allows(Access.REMOTE_READ)
                && replies.hasRoomToRepeat()
                && resources.coversRead(chunk.psn(), count)
                && resolveRead(chunk.rkey(), chunk.va(), chunk.dmaLength(), landing);
        landing.clear();
        if (again) {
          replies.read(chunk.psn(), count, msn, chunk.rkey(), chunk.va(), chunk.dmaLength());
        }
      }
      case COMPARE_SWAP, FETCH_ADD -> {
        int index = resources.findAtomic(chunk.psn());
        if (index >= 0 && replies.hasRoomToRepeat()) {
          long original = resources.original(index);
          Region region = keys.byRemoteKey(chunk.rkey());
          if (region != null && sabotage.makes(Mistake.RERUN_ATOMICS)) {
            original = run(chunk, region);
          }
          replies.atomic(chunk.psn(), msn, original);
        }
      }
      default -> {}
    }
  }

  private void accept(Request chunk, Replies replies) {
    expectedPsn = Psn.add(chunk.psn(), chunk.psnCount());
    if (chunk.isLast()) {
      msn = Psn.next(msn);
      message.close();
    }
    if (chunk.wantsAck()) {
      replies.acknowledge(Psn.add(expectedPsn, -1), AethSyndrome.ACK_UNLIMITED, msn);
    }
  }

  /**
   * One NAK for a gap; what follows is dropped in silence until the expected packet comes
   * (S12.6.2).
   */
  private void reportGap(Replies replies) {
    if (nakSent) {
      tally.count(Counter.DROPPED_OUT_OF_ORDER);
      return;
    }
    nakSent = true;
    tally.count(Counter.SEQUENCE_NAKS_SENT);
    replies.acknowledge(expectedPsn, AethSyndrome.NAK_PSN_SEQUENCE_ERROR, msn);
  }

  /**
   * No receive is posted: the peer shall come back later; what it has sent behind this is dropped
   * (S3.2.1).
   */
  private void notReady(int psn, Replies replies) {
    nakSent = true;
    tally.count(Counter.RNR_NAKS_SENT);
    replies.acknowledge(psn, AethSyndrome.rnr(parameters.minRnrTimer()), msn);
  }

  private void refuse(Request chunk, Replies replies) {
    tally.count(Counter.INVALID_REQUESTS);
    fail(chunk.psn(), AethSyndrome.NAK_INVALID_REQUEST, EventType.QP_REQ_ERR, replies);
  }

  private void refuseAccess(int psn, Replies replies) {
    tally.count(Counter.ACCESS_ERRORS);
    fail(psn, AethSyndrome.NAK_REMOTE_ACCESS_ERROR, EventType.QP_ACCESS_ERR, replies);
  }

  private void fail(int psn, int syndrome, EventType event, Replies replies) {
    replies.acknowledge(psn, syndrome, msn);
    if (sabotage.makes(Mistake.SURVIVE_ERRORS)) {
      return;
    }
    if (status.fail()) {
      events.raise(event);
    }
    flush();
  }

  private void establish() {
    if (!established) {
      established = true;
      if (status.state() == QpState.RTR) {
        events.raise(EventType.COMM_EST);
      }
    }
  }

  private boolean allows(int right) {
    return (parameters.accessFlags() & right) != 0;
  }

  private boolean hasResource(Replies replies) {
    resources.ensure(parameters.maxDestRdAtomic());
    return parameters.maxDestRdAtomic() > 0 && replies.hasRoom();
  }

  /** S12.6.7, for packets: First and Middle are full, Last is not empty, none is over-full. */
  private boolean isLengthLegal(Request chunk) {
    if (!chunk.isFramed()) {
      return true;
    }
    long length = chunk.payload().total();
    int mtu = parameters.mtu();
    return chunk.isLast() ? length <= mtu && (chunk.isFirst() || length > 0) : length == mtu;
  }

  private AccessFault resolve(int rkey, int right, long va, long length, SpanList into) {
    Region region = keys.byRemoteKey(rkey);
    if (region == null) {
      return AccessFault.UNKNOWN_KEY;
    }
    AccessFault fault = region.check(domain, right, va, length);
    if (fault == AccessFault.NONE) {
      into.add(region.memory(), region.offset(va), length);
    }
    return fault;
  }

  private boolean loses(Request chunk) {
    return chunk.isLast() && sabotage.makes(Mistake.LOSE_THE_END);
  }

  /** Whether two P_Keys are of one partition, of which not both are limited members. */
  public static boolean pkeysMatch(int theirs, int ours) {
    return (theirs & PKEY_BASE) == (ours & PKEY_BASE) && ((theirs | ours) & PKEY_FULL) != 0;
  }
}
