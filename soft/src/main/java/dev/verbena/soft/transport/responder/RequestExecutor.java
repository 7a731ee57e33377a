package dev.verbena.soft.transport.responder;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.Flushes;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.RemoteAtomics;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.soft.memory.Windows;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.RefusedRequest;
import dev.verbena.soft.transport.RefusedRequest.Cause;
import dev.verbena.soft.transport.Service;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.wire.Feth;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Reth;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Executes requests, chunk by chunk: makes the checks of S12.6.1 from the queue pair's rights on,
 * and places the data. Knows nothing of sequence numbers and answers. Used under the responder
 * guard.
 */
final class RequestExecutor {
  private final Service service;
  private final QpParameters parameters;
  private final PeerAccess memory;
  private final Windows windows;
  private final WindowOwner owner;

  /** Whether requests name a shared receive queue, and so the domain. */
  private final boolean namesQueues;

  private final RecvState receives;
  private final RefusedRequest refused;
  private final OpenMessage message = new OpenMessage();
  private final SpanList landing = new SpanList();
  private final MemorySegment operand = MemorySegment.ofArray(new long[1]);
  private long original;

  /**
   * @param refused receives the reason why a request cannot be executed
   */
  RequestExecutor(QpCore core, ReceiveSource source, RefusedRequest refused) {
    this.refused = refused;
    service = core.service();
    parameters = core.parameters();
    memory = new PeerAccess(core, refused);
    windows = core.windows();
    owner = core.owner();
    namesQueues = service == Service.XRC;
    receives = new RecvState(core, source);
  }

  /** Whether a chunk may follow the previous one (S12.6.6). */
  boolean accepts(Chunk chunk) {
    boolean follows = message.accepts(chunk);
    if (!follows) {
      refused.because(Cause.OUT_OF_SEQUENCE, chunk.first ? 1 : 0, 0);
    }
    return follows;
  }

  /**
   * Drops the message under way: none of it is reported, and its receive waits for another message,
   * a shared one in the shared queue.
   */
  void abandon() {
    message.close();
    receives.putBack();
  }

  /** Describes the message under way for people. */
  String messageText() {
    return message.toString();
  }

  /** Completes every receive with WR_FLUSH_ERR. */
  void flush() {
    message.close();
    receives.flush();
  }

  /** Drops every receive and any message under way. */
  void reset() {
    message.close();
    receives.reset();
  }

  /** Executes a chunk that {@link #accepts} has accepted. */
  Verdict execute(Chunk chunk) {
    if (namesQueues && !(receives.select(chunk.srqNum) && hasDomain(chunk.srqNum))) {
      return invalid(Cause.NO_SHARED_QUEUE, chunk.srqNum, 0);
    }
    return switch (chunk.operation) {
      case SEND -> send(chunk);
      case WRITE -> write(chunk);
      case READ_REQUEST -> read(chunk);
      case COMPARE_SWAP, FETCH_ADD ->
          atomic(chunk.operation, chunk.rkey, chunk.va, chunk.compare, chunk.swapOrAdd);
      case ATOMIC_WRITE -> atomicWrite(chunk);
      case FLUSH -> flush(chunk);
      case READ_RESPONSE, ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, CNP, BUFFER ->
          invalid(Cause.UNKNOWN_OPERATION, 0, 0);
    };
  }

  /** Executes a whole WRITE; returns false, without a change, if it cannot be executed as it is. */
  boolean writeWhole(int rkey, long va, SpanList payload) {
    long length = payload.total;
    if (message.operation != null || !allows(Access.REMOTE_WRITE) || isTooLong(length)) {
      return false;
    }
    Region target = memory.find(rkey, Access.REMOTE_WRITE, va, length);
    return target != null && place(payload, target, va, true) == AccessFault.NONE;
  }

  /**
   * Executes a whole SEND; returns false, without a change but to the receive's memory, if it
   * cannot be executed as it is.
   */
  boolean sendWhole(SendWqe request, SpanList payload) {
    if (message.operation != null || !receives.take()) {
      return false;
    }
    boolean done =
        payload.total <= receives.room() && receives.place(payload, 0, true) == AccessFault.NONE;
    if (done) {
      SendOperation operation = request.operation;
      int flags = operation.carriesImmediate ? WcFlags.WITH_IMM : 0;
      int imm = operation.carriesImmediate ? request.immOrKey : 0;
      receives.complete(WcOpcode.RECV, payload.total, flags, imm, 0, request.solicited);
    } else {
      // It may never come in chunks, if its data is gone.
      receives.putBack();
    }
    return done;
  }

  /** Executes a whole READ; returns false, without a change, if it cannot be executed as it is. */
  boolean readWhole(int rkey, long va, SpanList into) {
    long length = into.total;
    boolean done =
        message.operation == null
            && mayRead(length)
            && memory.resolve(rkey, Access.REMOTE_READ, va, length, landing)
            && landing.copyTo(into, true) == AccessFault.NONE;
    landing.clear();
    return done;
  }

  /**
   * Executes an atomic; returns false, without a change, if it cannot be executed as it is. Else
   * {@link #original} is its answer.
   */
  boolean atomicWhole(Operation operation, int rkey, long va, long compare, long swapOrAdd) {
    return message.operation == null
        && atomic(operation, rkey, va, compare, swapOrAdd) == Verdict.DONE;
  }

  /** The original value of the last atomic. */
  long original() {
    return original;
  }

  /** Whether an executed READ may be answered once more. */
  boolean mayReadAgain(Chunk chunk) {
    boolean readable =
        allows(Access.REMOTE_READ)
            && resolveRead(chunk.srqNum, chunk.rkey, chunk.va, chunk.dmaLength, landing);
    landing.clear();
    return readable;
  }

  /** Adds the pieces of a READ's data; returns false if it may not or no longer be read. */
  boolean resolveRead(int srqNum, int rkey, long va, long length, SpanList into) {
    return length == 0
        || ((!namesQueues || hasDomain(srqNum))
            && memory.resolve(rkey, Access.REMOTE_READ, va, length, into));
  }

  /** Looks up the domain for the keys of a request; returns false if there is none. */
  private boolean hasDomain(int srqNum) {
    Domain found = receives.keyDomain(srqNum);
    if (found != null) {
      memory.domain(found);
    }
    return found != null;
  }

  private Verdict send(Chunk chunk) {
    long offset = service.reservedBytes() + (chunk.first ? 0 : message.placed);
    if (!receives.take()) {
      return notReady();
    }
    long length = chunk.payload.total;
    if (!isLengthLegal(chunk, length)) {
      return Verdict.INVALID_REQUEST;
    }
    long end = offset + length;
    if (end > receives.room()) {
      if (service.acknowledged) {
        receives.fail(WcStatus.LOC_LEN_ERR, AccessFault.OUT_OF_BOUNDS);
      }
      return invalid(Cause.RECEIVE_TOO_SHORT, end, receives.room());
    }
    AccessFault fault = service.datagram ? receives.placeGrh(chunk) : AccessFault.NONE;
    if (fault == AccessFault.NONE) {
      fault = receives.place(chunk.payload, offset, chunk.last);
    }
    if (isUnsent(chunk, fault)) {
      return Verdict.UNSENT;
    }
    if (fault != AccessFault.NONE) {
      receives.fail(WcStatus.LOC_PROT_ERR, fault);
      refused.because(Cause.RECEIVE_UNUSABLE, fault, 0);
      return Verdict.OPERATIONAL;
    }
    if (!chunk.last) {
      message.place(chunk);
      return Verdict.DONE;
    }
    if (!invalidate(chunk)) {
      return Verdict.INVALID_REQUEST;
    }
    message.close();
    receives.complete(WcOpcode.RECV, end, chunk);
    return Verdict.DONE;
  }

  /**
   * Invalidates the key of a SEND_WITH_INV, after the data and before the completion (S1.7.5). Only
   * this queue pair's peer could use the memory window, and this thread has the responder guard, so
   * no other is inside.
   */
  private boolean invalidate(Chunk chunk) {
    if (!chunk.hasInvalidate) {
      return true;
    }
    AccessFault fault = windows.invalidate(chunk.immOrKey, memory.domain(), owner);
    if (fault == AccessFault.NONE) {
      return true;
    }
    refused.because(Cause.INVALIDATION, fault, chunk.immOrKey);
    if (service.acknowledged) {
      receives.fail(WcStatus.MW_BIND_ERR, fault);
    }
    return false;
  }

  private Verdict write(Chunk chunk) {
    if (!allows(Access.REMOTE_WRITE)) {
      return Verdict.INVALID_REQUEST;
    }
    boolean first = chunk.first;
    boolean last = chunk.last;
    boolean reports = last && chunk.hasImm;
    if (reports && !receives.isPosted()) {
      return notReady();
    }
    long va = first ? chunk.va : message.va;
    int rkey = first ? chunk.rkey : message.rkey;
    long total = first ? chunk.dmaLength : message.length;
    long offset = first ? 0 : message.placed;
    long length = chunk.payload.total;
    long end = offset + length;
    if (!isLengthLegal(chunk, length) || isTooLong(total)) {
      return Verdict.INVALID_REQUEST;
    }
    if (end > total || (last && end != total)) {
      return invalid(Cause.MESSAGE_LENGTH, end, total);
    }
    // The whole range of the message, before any byte is written (S5.2.2); an empty one is
    // unchecked.
    Region target = total == 0 ? null : memory.find(rkey, Access.REMOTE_WRITE, va, total);
    if (total > 0 && target == null) {
      return Verdict.ACCESS;
    }
    // Not before all checks (S1.6.3); another queue pair may have been faster at a shared queue.
    if (reports && !receives.take()) {
      return notReady();
    }
    AccessFault fault =
        target == null ? AccessFault.NONE : place(chunk.payload, target, va + offset, last);
    if (fault != AccessFault.NONE) {
      return isUnsent(chunk, fault) ? Verdict.UNSENT : Verdict.ACCESS;
    }
    if (!last) {
      message.place(chunk);
      return Verdict.DONE;
    }
    message.close();
    if (reports) {
      receives.complete(WcOpcode.RECV_RDMA_WITH_IMM, total, chunk);
    }
    return Verdict.DONE;
  }

  /** Stores a part of a WRITE in the region found for the whole message. */
  private AccessFault place(SpanList payload, Region target, long addr, boolean ends) {
    AccessFault fault = payload.copyTo(target.memory(), target.offset(addr), ends);
    if (fault != AccessFault.NONE) {
      refused.because(Cause.MEMORY, fault, target.rkey());
    }
    return fault;
  }

  /**
   * Whether a copy has failed because the sender's memory is gone, which only the loopback reads
   * here. That is the sender's fault alone, as when the sender makes packets from it. A taken
   * receive is for the next message.
   */
  private boolean isUnsent(Chunk chunk, AccessFault fault) {
    if (fault != AccessFault.MEMORY_GONE || chunk.payload.isReadable()) {
      return false;
    }
    chunk.losePayload();
    if (chunk.first) {
      abandon();
    }
    return true;
  }

  /** Checks a READ; making the answer reads its data. */
  private Verdict read(Chunk chunk) {
    long length = chunk.dmaLength;
    if (!mayRead(length)) {
      return Verdict.INVALID_REQUEST;
    }
    boolean readable = resolveRead(chunk.srqNum, chunk.rkey, chunk.va, length, landing);
    landing.clear();
    return readable ? Verdict.DONE : Verdict.ACCESS;
  }

  private boolean mayRead(long length) {
    return allows(Access.REMOTE_READ) && !isTooLong(length);
  }

  /** Executes a FLUSH (S5.4.5). */
  private Verdict flush(Chunk chunk) {
    boolean global = (chunk.flushType & Feth.TYPE_GLOBAL) != 0;
    boolean persistent = (chunk.flushType & Feth.TYPE_PERSISTENT) != 0;
    boolean everything = chunk.flushLevel == Feth.LEVEL_MR;
    int rights = (global ? Access.FLUSH_GLOBAL : 0) | (persistent ? Access.FLUSH_PERSISTENT : 0);
    boolean known =
        rights != 0
            && (chunk.flushType & ~(Feth.TYPE_GLOBAL | Feth.TYPE_PERSISTENT)) == 0
            && (everything || chunk.flushLevel == Feth.LEVEL_RANGE);
    if (!known) {
      return invalid(Cause.FLUSH_KIND, 0, 0);
    }
    if (!allows(rights) || (!everything && isTooLong(chunk.dmaLength))) {
      return Verdict.INVALID_REQUEST;
    }
    Region region =
        everything
            ? memory.findWhole(chunk.rkey, rights)
            : memory.find(chunk.rkey, rights, chunk.va, chunk.dmaLength);
    if (region == null) {
      return Verdict.ACCESS;
    }
    long from = everything ? region.base() : chunk.va;
    long length = everything ? region.length() : chunk.dmaLength;
    AccessFault fault = Flushes.makeVisible(region, from, length);
    if (fault == AccessFault.NONE && persistent) {
      fault = Flushes.makePersistent(region, from, length);
    }
    if (fault != AccessFault.NONE) {
      refused.because(Cause.MEMORY, fault, chunk.rkey);
    }
    return switch (fault) {
      case NONE -> Verdict.DONE;
      case FILE_ERROR -> Verdict.OPERATIONAL;
      default -> Verdict.ACCESS;
    };
  }

  private Verdict atomicWrite(Chunk chunk) {
    if (!allows(Access.REMOTE_WRITE)) {
      return Verdict.INVALID_REQUEST;
    }
    long length = chunk.payload.total;
    if (chunk.dmaLength != RemoteAtomics.BYTES || length != RemoteAtomics.BYTES) {
      long wrong = length == RemoteAtomics.BYTES ? chunk.dmaLength : length;
      return invalid(Cause.ATOMIC_LENGTH, wrong, RemoteAtomics.BYTES);
    }
    Region region = memory.find(chunk.rkey, Access.REMOTE_WRITE, chunk.va, RemoteAtomics.BYTES);
    if (region == null) {
      return Verdict.ACCESS;
    }
    if (!RemoteAtomics.isAligned(region, chunk.va)) {
      return invalid(Cause.MISALIGNED, chunk.va, RemoteAtomics.BYTES);
    }
    landing.clear();
    landing.add(operand, 0, RemoteAtomics.BYTES);
    AccessFault fault = chunk.payload.copyTo(landing, false);
    landing.clear();
    if (fault != AccessFault.NONE) {
      return isUnsent(chunk, fault) ? Verdict.UNSENT : gone(chunk.rkey);
    }
    try {
      RemoteAtomics.write(region, chunk.va, operand.get(ValueLayout.JAVA_LONG, 0));
      return Verdict.DONE;
    } catch (IllegalStateException | InternalError e) {
      return gone(chunk.rkey);
    }
  }

  private Verdict atomic(Operation operation, int rkey, long va, long compare, long swapOrAdd) {
    if (!allows(Access.REMOTE_ATOMIC)) {
      return Verdict.INVALID_REQUEST;
    }
    Region region = memory.find(rkey, Access.REMOTE_ATOMIC, va, RemoteAtomics.BYTES);
    if (region == null) {
      return Verdict.ACCESS;
    }
    if (!RemoteAtomics.isAligned(region, va)) {
      return invalid(Cause.MISALIGNED, va, RemoteAtomics.BYTES);
    }
    try {
      boolean compares = operation == Operation.COMPARE_SWAP;
      original =
          RemoteAtomics.execute(compares, region.memory(), region.offset(va), compare, swapOrAdd);
      return Verdict.DONE;
    } catch (IllegalStateException | InternalError e) {
      return gone(rkey);
    }
  }

  /** The verdict for memory that is gone (see SpanList.copyTo), the same as for an invalid key. */
  private Verdict gone(int rkey) {
    refused.because(Cause.MEMORY, AccessFault.MEMORY_GONE, rkey);
    return Verdict.ACCESS;
  }

  private boolean allows(int right) {
    int missing = right & ~parameters.accessFlags;
    if (missing != 0) {
      refused.because(Cause.QP_RIGHT, missing, 0);
    }
    return missing == 0;
  }

  private boolean isTooLong(long length) {
    boolean tooLong = length > Reth.MAX_DMA_LENGTH;
    if (tooLong) {
      refused.because(Cause.TOO_LONG, length, Reth.MAX_DMA_LENGTH);
    }
    return tooLong;
  }

  private Verdict invalid(Cause why, long found, long allowed) {
    refused.because(why, found, allowed);
    return Verdict.INVALID_REQUEST;
  }

  private Verdict notReady() {
    refused.because(Cause.NO_RECEIVE);
    return Verdict.NOT_READY;
  }

  /** S12.6.7, for packets: First and Middle are full, Last is not empty, none is over-full. */
  private boolean isLengthLegal(Chunk chunk, long length) {
    if (!chunk.framed) {
      return true;
    }
    int mtu = parameters.mtu;
    // Those of all packets for which a long one stands.
    long full = (long) chunk.psnCount * mtu;
    boolean mayBeEmpty = chunk.first && chunk.psnCount == 1;
    boolean legal =
        chunk.last ? length <= full && (length > full - mtu || mayBeEmpty) : length == full;
    if (!legal) {
      refused.because(Cause.PACKET_LENGTH, length, full);
    }
    return legal;
  }
}
