package dev.verbena.verbs.vtools;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.RecvTarget;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A pool of equal buffers in one region, for SENDs and for receives of queue pairs and shared
 * receive queues. {@link #pop()} or {@link #postRecvs} takes a buffer, the wr_id of its work
 * request identifies it, and {@link #finishWcs} returns it to the pool when the request has
 * completed.
 *
 * <p><a id="PY-091"></a>Every work request with a buffer must be signaled: without a completion its
 * buffer is never returned. Requests without a buffer use {@link #NO_WR_ID}, so that completions of
 * both kinds can be passed to {@link #finishWcs}.
 *
 * <p>Buffers of each pool are numbered from 0, and nothing tells those of two pools apart. So all
 * requests of a completion queue with other wr_ids than {@link #NO_WR_ID} belong to one pool: the
 * completion of another one would free or repost a buffer that is in use.
 *
 * <p>Several threads may use a pool at once. Only {@link #copyFrom}, {@link #makeSge} and {@link
 * #postRecvs} allocate per message.
 */
public final class BufferPool implements AutoCloseable {
  /** The wr_id of a work request without a buffer. */
  public static final long NO_WR_ID = 0xffff_ffffL;

  /** Maximum number of buffers; keeps a wr_id with the flag below {@link #NO_WR_ID}. */
  private static final int MOST = 1 << 30;

  /** A buffer with its work requests, which are reused because posting copies them. */
  private static final class Buffer {
    private final MemorySegment memory;
    private final Sge sge;
    private final Sge[] sgList;
    private final SendWr send = new SendWr();
    private final RecvWr receive;

    Buffer(MemorySegment memory, Sge sge, RecvWr receive) {
      this.memory = memory;
      this.sge = sge;
      this.sgList = new Sge[] {sge};
      this.receive = receive;
    }
  }

  private final MemoryRegion mr;
  private final int size;
  private final long recvFlag;
  private final Buffer[] buffers;

  /** Guarded by this: the free buffers, taken from the end. */
  private final int[] free;

  private final boolean[] taken;
  private int freeCount;

  /**
   * Allocates and registers count × size bytes.
   *
   * @param pd domain of the queue pairs that will use it
   * @param count buffers, 1 to 2³⁰
   * @param size size of each in bytes, at least 1; on UD 40 bytes of a receive are for the GRH
   * @throws VerbsException EINVAL for a number out of range; as for {@link
   *     ProtectionDomain#allocMr}
   */
  public BufferPool(ProtectionDomain pd, int count, int size) {
    if (count < 1 || count > MOST || size < 1) {
      throw new VerbsException(
          "BufferPool",
          Errno.EINVAL,
          count + " buffers of " + size + " bytes: a pool has 1 to 2^30 buffers of 1 byte or more");
    }
    this.size = size;
    this.recvFlag = (long) Integer.highestOneBit(count) << 1;
    this.mr = pd.allocMr((long) count * size, Access.LOCAL_WRITE);
    this.buffers = new Buffer[count];
    this.free = new int[count];
    this.taken = new boolean[count];
    for (int i = 0; i < count; i++) {
      buffers[i] = newBuffer(i);
      free[i] = count - 1 - i;
    }
    this.freeCount = count;
  }

  private Buffer newBuffer(int index) {
    RecvWr receive = new RecvWr().wrId(index | recvFlag).sgList(newSge(index, size));
    MemorySegment memory = mr.memory().asSlice((long) index * size, size);
    return new Buffer(memory, newSge(index, size), receive);
  }

  private Sge newSge(int index, long length) {
    return mr.sgeAt((long) index * size, length);
  }

  /** Number of buffers. */
  public int count() {
    return buffers.length;
  }

  /** Size of a buffer in bytes. */
  public int size() {
    return size;
  }

  /** The flag in the wr_id of a receive: the power of two above all buffer indices. */
  public long recvFlag() {
    return recvFlag;
  }

  /** The mask that turns a wr_id into a buffer index: all bits below {@link #recvFlag()}. */
  public long bufIdMask() {
    return recvFlag - 1;
  }

  /** The region. */
  public MemoryRegion mr() {
    return mr;
  }

  /**
   * Takes a free buffer.
   *
   * @return its index
   * @throws NoSuchElementException if none is free
   */
  public int pop() {
    requireOpen("pop");
    synchronized (this) {
      if (freeCount == 0) {
        throw noneFree(1);
      }
      int index = free[--freeCount];
      taken[index] = true;
      return index;
    }
  }

  private NoSuchElementException noneFree(int wanted) {
    return new NoSuchElementException(
        wanted + " buffers were requested, " + freeCount + " of " + buffers.length + " are free");
  }

  /**
   * Returns a buffer that no work request uses, such as one that was popped but not sent.
   *
   * @param bufIdx index of the buffer, or a wr_id
   * @throws VerbsException EINVAL if it is not a buffer of this pool, or already free
   */
  public void push(long bufIdx) {
    int index = index("push", bufIdx);
    synchronized (this) {
      if (!taken[index]) {
        throw new VerbsException("push", Errno.EINVAL, "buffer " + index + " is free already");
      }
      taken[index] = false;
      free[freeCount++] = index;
    }
  }

  /** The number of free buffers. */
  public synchronized int available() {
    return freeCount;
  }

  /**
   * The memory of a buffer, to read and write in place.
   *
   * @param bufIdx index of the buffer, or a wr_id
   */
  public MemorySegment memory(long bufIdx) {
    requireOpen("memory");
    return buffers[index("memory", bufIdx)].memory;
  }

  /** A copy of a whole buffer; see {@link #copyFrom(long, int, long)}. */
  public byte[] copyFrom(long bufIdx) {
    return copyFrom(bufIdx, 0, size);
  }

  /**
   * A copy of a part of a buffer.
   *
   * @param bufIdx index of the buffer, or a wr_id
   * @param offset of the first byte, 0 to size
   * @param length bytes, as {@link WorkCompletion#byteLen()} has them; limited to what follows the
   *     offset
   * @throws VerbsException EINVAL for another offset, a negative length, or a buffer that is not of
   *     this pool
   */
  public byte[] copyFrom(long bufIdx, int offset, long length) {
    byte[] copy = new byte[room("copyFrom", bufIdx, offset, length)];
    MemorySegment.copy(buffer(bufIdx).memory, ValueLayout.JAVA_BYTE, offset, copy, 0, copy.length);
    return copy;
  }

  /** Copies bytes to the start of a buffer; see {@link #copyTo(byte[], long, int)}. */
  public int copyTo(byte[] bytes, long bufIdx) {
    return copyTo(bytes, bufIdx, 0);
  }

  /**
   * Copies bytes into a buffer.
   *
   * @param bytes the bytes to copy; limited to what fits after the offset
   * @param bufIdx index of the buffer, or a wr_id
   * @param offset offset in the buffer, 0 to size
   * @return the number of bytes copied
   * @throws VerbsException EINVAL for another offset, or a buffer that is not of this pool
   */
  public int copyTo(byte[] bytes, long bufIdx, int offset) {
    int count = room("copyTo", bufIdx, offset, bytes.length);
    MemorySegment.copy(bytes, 0, buffer(bufIdx).memory, ValueLayout.JAVA_BYTE, offset, count);
    return count;
  }

  /**
   * Copies into a buffer, from the start of the source.
   *
   * @param source what to copy
   * @param bufIdx index of the buffer or a wr_id
   * @param offset in the buffer, 0 to size
   * @param length maximum number of bytes; limited to the source's size and to what fits after the
   *     offset
   * @return the number of bytes copied
   * @throws VerbsException EINVAL for another offset, a negative length, or a buffer that is not of
   *     this pool
   */
  public int copyTo(MemorySegment source, long bufIdx, int offset, int length) {
    int room = room("copyTo", bufIdx, offset, length);
    int count = (int) Math.min(source.byteSize(), room);
    MemorySegment.copy(source, 0, buffer(bufIdx).memory, offset, count);
    return count;
  }

  private Buffer buffer(long bufIdx) {
    return buffers[(int) (bufIdx & bufIdMask())];
  }

  /** The number of bytes after the offset, up to a length; throws for an invalid buffer. */
  private int room(String function, long bufIdx, int offset, long length) {
    requireOpen(function);
    index(function, bufIdx);
    if (offset < 0 || offset > size || length < 0) {
      throw new VerbsException(
          function,
          Errno.EINVAL,
          length + " bytes at offset " + offset + " of a buffer of " + size + " bytes");
    }
    return (int) Math.min(length, size - offset);
  }

  /**
   * A new element for the start of a buffer.
   *
   * @param bufIdx index of the buffer, or a wr_id
   * @param bufLen length in bytes, 0 to size
   */
  public Sge makeSge(long bufIdx, int bufLen) {
    int index = index("makeSge", bufIdx);
    checkLength("makeSge", bufLen);
    return newSge(index, bufLen);
  }

  /**
   * A signaled SEND of the start of a buffer, for a connected queue pair. The request belongs to
   * the buffer, and is valid until it is made again, when the buffer has been sent and returned.
   *
   * @param bufIdx index of the buffer, which becomes the wr_id
   * @param bufLen bytes to send, 0 to size
   */
  public SendWr makeSendWr(long bufIdx, int bufLen) {
    int index = index("makeSendWr", bufIdx);
    checkLength("makeSendWr", bufLen);
    Buffer buffer = buffers[index];
    buffer.sge.length(bufLen);
    return buffer
        .send
        .wrId(index)
        .next(null)
        .opcode(WrOpcode.SEND)
        .sendFlags(SendFlags.SIGNALED)
        .sgList(buffer.sgList)
        .ah(null)
        .remoteQpn(0)
        .remoteQkey(0);
  }

  /**
   * A signaled SEND along a path, for UD: to the address handle that the path caches for the pool's
   * domain, with the path's dqpn and qkey. Otherwise like {@link #makeSendWr(long, int)}.
   *
   * @throws VerbsException as for {@link ProtectionDomain#ah(IbPath)}
   */
  public SendWr makeSendWr(long bufIdx, int bufLen, IbPath path) {
    return makeSendWr(bufIdx, bufLen)
        .ah(mr.pd().ah(path))
        .remoteQpn(path.dqpn())
        .remoteQkey(path.qkey());
  }

  private void checkLength(String function, int bufLen) {
    if (bufLen < 0 || bufLen > size) {
      throw new VerbsException(
          function, Errno.EINVAL, bufLen + " bytes of a buffer of " + size + " bytes");
    }
  }

  /**
   * Takes free buffers and posts them as receives; wr_id is the index with {@link #recvFlag()}.
   *
   * @param qp where to post them
   * @param count how many; 0 does nothing
   * @throws NoSuchElementException if fewer are free, in which case none is posted
   * @throws WorkRequestException as for postRecv: those before the one that was refused are posted
   * @throws VerbsException EINVAL for a negative count
   */
  public void postRecvs(RecvTarget qp, int count) {
    requireOpen("postRecvs");
    if (count < 0) {
      throw new VerbsException("postRecvs", Errno.EINVAL, count + " receives: 0 or more can be");
    }
    int[] posted = new int[count];
    synchronized (this) {
      if (posted.length > freeCount) {
        throw noneFree(posted.length);
      }
      for (int i = 0; i < posted.length; i++) {
        posted[i] = pop();
      }
    }
    for (int i = 0; i < posted.length; i++) {
      try {
        qp.postRecv(buffers[posted[i]].receive);
      } catch (RdmaException e) {
        for (int left = i; left < posted.length; left++) {
          push(posted[left]);
        }
        throw e;
      }
    }
  }

  /**
   * Takes back the buffer of a finished work request: a SEND's buffer becomes free, a receive's
   * buffer is posted again.
   *
   * <p>A failed receive is posted again only to a shared receive queue, which keeps working when
   * one of its queue pairs fails. A queue pair or work queue is then in error and would only flush
   * the receive, so its buffer becomes free.
   *
   * @param qp where receives are posted again
   * @param wc a completion of the pool's requests, or one with {@link #NO_WR_ID}
   * @throws WcException if the completion has an error; its buffer has been taken back
   * @throws WorkRequestException if the receive could not be posted again; its buffer is free
   * @throws VerbsException EINVAL for a wr_id that does not belong to this pool
   */
  public void finishWcs(RecvTarget qp, WorkCompletion wc) {
    check(wc);
    RdmaException failure = finish(qp, wc);
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Finishes each of several completions, even if others fail, and throws the exception of the
   * first one that failed; see {@link #finishWcs(RecvTarget, WorkCompletion)}.
   *
   * @param wcs completions; null is skipped
   */
  public void finishWcs(RecvTarget qp, List<? extends @Nullable WorkCompletion> wcs) {
    for (WorkCompletion wc : wcs) {
      if (wc != null) {
        check(wc);
      }
    }
    RdmaException first = null;
    for (WorkCompletion wc : wcs) {
      if (wc != null) {
        RdmaException failure = finish(qp, wc);
        if (first == null) {
          first = failure;
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private void check(WorkCompletion wc) {
    if (wc.wrId() != NO_WR_ID) {
      index("finishWcs", wc.wrId());
    }
  }

  private @Nullable RdmaException finish(RecvTarget qp, WorkCompletion wc) {
    if (wc.wrId() == NO_WR_ID) {
      return wc.isSuccess() ? null : failure(qp, wc, null);
    }
    boolean receive = (wc.wrId() & recvFlag) != 0;
    RdmaException notPosted = null;
    boolean ended = !wc.isSuccess() && (qp instanceof QueuePair || qp instanceof WorkQueue);
    if (receive && !ended) {
      notPosted = postAgain(qp, wc.wrId());
    } else {
      push(wc.wrId());
    }
    if (wc.isSuccess()) {
      return notPosted;
    }
    WcException failure = failure(qp, wc, receive);
    if (notPosted != null) {
      failure.addSuppressed(notPosted);
    }
    return failure;
  }

  private @Nullable RdmaException postAgain(RecvTarget qp, long wrId) {
    try {
      qp.postRecv(buffer(wrId).receive);
      return null;
    } catch (RdmaException e) {
      push(wrId);
      return e;
    }
  }

  private static WcException failure(RecvTarget qp, WorkCompletion wc, @Nullable Boolean isRq) {
    return new WcException(wc, null, "Error work completion", qp, isRq);
  }

  private int index(String function, long wrId) {
    long index = wrId & bufIdMask();
    if ((wrId & ~(recvFlag | bufIdMask())) != 0 || index >= buffers.length) {
      throw new VerbsException(
          function,
          Errno.EINVAL,
          "0x"
              + Long.toHexString(wrId)
              + " is not one of the pool's "
              + buffers.length
              + " buffers");
    }
    return (int) index;
  }

  private void requireOpen(String function) {
    if (mr.isClosed()) {
      throw new ObjectClosedException(function, "the buffer pool");
    }
  }

  /**
   * Deregisters and frees the memory. Idempotent. Requests that still name it fail; close the queue
   * pairs first.
   */
  @Override
  public void close() {
    mr.close();
  }

  @Override
  public synchronized String toString() {
    return "pool of " + count() + " buffers of " + size + " bytes, " + freeCount + " free";
  }
}
