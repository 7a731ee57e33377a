package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;

/**
 * The extended posting API (struct ibv_qp_ex; ibv_wr_post(3)). Between {@link #wrStart()} and
 * {@link #wrComplete()} or {@link #wrAbort()}, each work request is a builder followed by its
 * setters:
 *
 * {@snippet :
 * qp.wrStart();
 * qp.wrId(1).wrFlags(SendFlags.SIGNALED);
 * qp.wrRdmaWrite(rkey, remoteAddr);
 * qp.wrSetSge(lkey, localAddr, length);
 * qp.wrComplete();
 * }
 *
 * <p>Builders and setters report no errors; {@link #wrComplete()} throws the first one, and then
 * posts nothing at all. Nothing executes before wrComplete. The batch is a critical section of the
 * queue pair: other threads wait, unless the queue pair was created with a thread domain. The calls
 * allocate nothing, except for the array that the compiler creates for a variable argument list
 * ({@link #wrSetSgeList(Sge...)}, {@link #wrSetInlineDataList(MemorySegment...)}); the device
 * allocates when it executes the bind of a memory window.
 *
 * <p>The send operations given at creation restrict only the calls that begin a work request
 * (EOPNOTSUPP from wrComplete), not {@link #postSend}.
 *
 * <p>If the application throws between wrStart and wrComplete, the batch stays open and other
 * threads keep waiting. Where that can happen, abort:
 *
 * {@snippet :
 * qp.wrStart();
 * try {
 *   buildRequests(qp);
 * } catch (RuntimeException e) {
 *   qp.wrAbort();
 *   throw e;
 * }
 * qp.wrComplete();
 * }
 *
 * <p>Misuse throws IllegalStateException at once: wrStart while the same thread has an open batch,
 * or any other of these calls while it has none.
 */
public interface QueuePairEx extends QueuePair {
  /** The wr_id that the next builders use. */
  long wrId();

  /** Sets the wr_id that the next builders use. */
  QueuePairEx wrId(long wrId);

  /** The {@link SendFlags} that the next builders use. */
  int wrFlags();

  /**
   * Sets the {@link SendFlags} that the next builders use; they stay in force. INLINE is ignored
   * here.
   */
  QueuePairEx wrFlags(int flags);

  /**
   * Opens a batch; waits while another thread has one open. Clears an earlier failure.
   *
   * @throws ObjectClosedException if the queue pair is closed, or is closed while this thread waits
   */
  void wrStart();

  /**
   * Continues, in this thread, a batch that another thread opened and hands over: the other thread
   * must not use it any more, and its calls must happen before this one. Does nothing if no batch
   * is open, or if the batch is already this thread's. For callers that move between threads, such
   * as coroutines of another language. C has no such call, because its lock has no owner.
   */
  void resumeWr();

  /**
   * Posts everything built since wrStart, or nothing.
   *
   * @throws WorkRequestException with the errno of the first failure and the index of its builder:
   *     EINVAL for a bad argument, a missing, repeated or unsuitable setter, inline data beyond
   *     max_inline_data, or in RESET, INIT, RTR; EOPNOTSUPP for an operation not requested at
   *     creation; ENOMEM for more than the queue holds. On a device of libibverbs the index is -1,
   *     and nothing more is known, if it is the driver that refuses
   * @throws ObjectClosedException if the queue pair was closed since wrStart; nothing is posted
   */
  void wrComplete();

  /** Discards everything built since wrStart; does nothing once the queue pair is closed. */
  void wrAbort();

  /**
   * Compares 8 bytes at the peer with {@code compare} and, if equal, stores {@code swap}; the old
   * value is stored in the elements set next.
   *
   * <p>The values are numbers, stored at each end in the byte order of its host. The elements set
   * next must have at least 8 bytes, of which 8 are written; fewer are EINVAL from wrComplete. An
   * address that is not a multiple of 8 is not detected here: the peer refuses it, and this request
   * completes with REM_INV_REQ_ERR. The peer's queue pair and its region or window must grant
   * {@link Access#REMOTE_ATOMIC}.
   *
   * @param rkey key of the peer's region or window
   * @param remoteAddr a multiple of 8; if the region has an iova, the actual memory address must be
   *     one too
   * @param compare value to compare with
   * @param swap value to store
   */
  void wrAtomicCmpSwp(int rkey, long remoteAddr, long compare, long swap);

  /**
   * Adds to 8 bytes at the peer, modulo 2^64; the old value is stored in the elements set next.
   * Byte order, elements, alignment and rights are as for {@link #wrAtomicCmpSwp}.
   *
   * @param rkey key of the peer's region or window
   * @param remoteAddr a multiple of 8; if the region has an iova, the actual memory address must be
   *     one too
   * @param add value to add; a negative number subtracts
   */
  void wrAtomicFetchAdd(int rkey, long remoteAddr, long add);

  /**
   * Binds a type 2 memory window, which must not be bound yet. Region, window and queue pair must
   * belong to the same domain, and the region must have {@link Access#MW_BIND} and not be
   * ZERO_BASED; the window has remote rights of its own. Otherwise the request completes with
   * MW_BIND_ERR.
   *
   * @param rkey its new key: the low 8 bits are the tag, the others come from {@code mw.rkey()}. As
   *     in Linux's rxe, only the tag is used: different upper bits are not an error and have no
   *     effect
   */
  void wrBindMw(MemoryWindow mw, int rkey, MwBindInfo bindInfo);

  /**
   * Invalidates a type 2 memory window that was bound through this queue pair. Once the request has
   * completed, no access through this key is in progress. With any other key it fails with
   * LOC_QP_OP_ERR.
   */
  void wrLocalInv(int invalidateRkey);

  /** Reads from the peer into the elements set next. */
  void wrRdmaRead(int rkey, long remoteAddr);

  /** Writes the data set next to the peer. */
  void wrRdmaWrite(int rkey, long remoteAddr);

  /**
   * Writes like wrRdmaWrite, and consumes a receive of the peer; {@code immData} is sent
   * big-endian.
   */
  void wrRdmaWriteImm(int rkey, long remoteAddr, int immData);

  /** Sends the data set next into a receive of the peer. */
  void wrSend();

  /** Sends like wrSend, with immediate data, which is sent big-endian. */
  void wrSendImm(int immData);

  /**
   * Sends like wrSend, and invalidates a key of the peer before the peer sees its completion, which
   * names the key. The key must belong to a type 2 window bound through the peer's queue pair:
   * otherwise the receive completes with MW_BIND_ERR, and this request with REM_INV_REQ_ERR.
   */
  void wrSendInv(int invalidateRkey);

  /**
   * Sends the data set next as TCP segments of {@code mss} bytes, each after a copy of the header.
   */
  void wrSendTso(MemorySegment hdr, int mss);

  /**
   * Makes earlier writes visible or persistent at the peer. The peer's queue pair and its region or
   * window must grant {@link Access#FLUSH_GLOBAL} or {@link Access#FLUSH_PERSISTENT}, according to
   * {@code type}. Counts as an outstanding READ.
   *
   * @param rkey key of the peer's region or window
   * @param remoteAddr start of the range; ignored for {@link FlushLevel#MR}
   * @param length length of the range in bytes, 0 to 2^32-1, else EINVAL from wrComplete; ignored
   *     for {@link FlushLevel#MR}. A software device refuses more than 2^31 from its peer, and the
   *     request completes with REM_INV_REQ_ERR
   * @param type {@link FlushType} bits, at least one
   * @param level what it covers
   */
  void wrFlush(int rkey, long remoteAddr, long length, int type, FlushLevel level);

  /**
   * Writes 8 bytes at the peer atomically: no reader sees only some of them. Counts as an
   * outstanding READ. The peer's queue pair and its region or window must grant {@link
   * Access#REMOTE_WRITE}.
   *
   * @param rkey key of the peer's region or window
   * @param remoteAddr a multiple of 8; if the region has an iova, the actual memory address must be
   *     one too; otherwise the request completes with REM_INV_REQ_ERR
   * @param value the bytes, in the order in which this host stores a long
   */
  void wrAtomicWrite(int rkey, long remoteAddr, long value);

  /**
   * Sets the data of the request, in one piece.
   *
   * @param lkey key of the region; the first argument here, but the last one in {@link Sge}
   * @param addr address, or offset for a ZERO_BASED region
   * @param length bytes, 0 to 2^32-1, else EINVAL from wrComplete
   */
  void wrSetSge(int lkey, long addr, long length);

  /**
   * Sets the data of the request, in several pieces, one after the other. The compiler creates an
   * array for the arguments: where nothing may be allocated, pass an array that is reused, or call
   * {@link #wrSetSgeList(int, Sge[])}.
   */
  default void wrSetSgeList(Sge... list) {
    wrSetSgeList(list.length, list);
  }

  /** Sets the data of the request: the first {@code numSge} pieces of the list. */
  void wrSetSgeList(int numSge, Sge[] list);

  /** Sets inline data, copied at once; SEND and RDMA_WRITE families. Heap segments are allowed. */
  default void wrSetInlineData(MemorySegment data) {
    wrSetInlineData(data, 0, data.byteSize());
  }

  /** Sets inline data from a part of a segment, copied at once. */
  void wrSetInlineData(MemorySegment data, long offset, long length);

  /**
   * Sets inline data in several pieces, one after the other, copied at once. The compiler creates
   * an array for the arguments: where nothing may be allocated, pass an array that is reused.
   */
  default void wrSetInlineDataList(MemorySegment... list) {
    wrSetInlineDataList(list.length, list);
  }

  /** Sets inline data: the first {@code numBuf} pieces of the list, copied at once. */
  void wrSetInlineDataList(int numBuf, MemorySegment[] list);

  /** Sets the destination of a UD request. */
  void wrSetUdAddr(AddressHandle ah, int remoteQpn, int remoteQkey);

  /**
   * Sets the destination of an XRC request: the number of a shared receive queue of the peer's XRC
   * domain, 24 bits. On an XRC_SEND queue pair it is needed after every builder but wrBindMw and
   * wrLocalInv, including READs, WRITEs and atomics, because keys are checked against the
   * protection domain of that shared receive queue.
   */
  void wrSetXrcSrqn(int remoteSrqn);
}
