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
 * <p>Builders and setters report nothing; the first failure is kept and thrown by {@link
 * #wrComplete()}, which then posts nothing at all. Nothing executes before wrComplete. The batch is
 * a critical section of the queue pair: other threads wait, unless the queue pair was created with
 * a thread domain. The calls allocate nothing, except what the compiler makes of a list of
 * arguments ({@link #wrSetSgeList(Sge...)}, {@link #wrSetInlineDataList(MemorySegment...)}); the
 * device does when it executes a bind of a memory window.
 *
 * <p>Only the calls that begin a work request are gated by the send operations given at creation
 * (EOPNOTSUPP from wrComplete); {@link #postSend} is not.
 *
 * <p>An exception of the application between wrStart and wrComplete leaves the batch open, and
 * other threads waiting. Where one can occur, abort:
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
 * <p>Misuse throws IllegalStateException at once: wrStart while the same thread has a batch open,
 * any other of these calls while it has none.
 */
public interface QueuePairEx extends QueuePair {
  /** The wr_id that the next builders take. */
  long wrId();

  /** Sets the wr_id that the next builders take. */
  QueuePairEx wrId(long wrId);

  /** The {@link SendFlags} that the next builders take. */
  int wrFlags();

  /**
   * Sets the {@link SendFlags} that the next builders take; they stay in force. INLINE is ignored
   * here.
   */
  QueuePairEx wrFlags(int flags);

  /**
   * Opens a batch; waits while another thread has one open. Forgets an earlier failure.
   *
   * @throws ObjectClosedException if the queue pair is closed, or was while this thread waited
   */
  void wrStart();

  /**
   * Continues in this thread a batch that another one has opened, and hands it over: that one must
   * not use it any more, and what it did must have happened before. Does nothing if no batch is
   * open, or if it is this thread's. For callers whose threads are not those that work for them,
   * such as coroutines of another language; C has no such call, since its lock has no owner.
   */
  void resumeWr();

  /**
   * Posts everything built since wrStart, or nothing.
   *
   * @throws WorkRequestException with the errno of the first failure and the index of its builder:
   *     EINVAL for a bad argument, a missing, second or unfit setter, inline data beyond
   *     max_inline_data, or in RESET, INIT, RTR; EOPNOTSUPP for an operation not asked for at
   *     creation; ENOMEM for more than the queue holds
   * @throws ObjectClosedException if the queue pair was closed since wrStart; nothing is posted
   */
  void wrComplete();

  /** Discards everything built since wrStart; does nothing once the queue pair is closed. */
  void wrAbort();

  /**
   * Compares 8 bytes at the peer with {@code compare} and, if equal, stores {@code swap}; the old
   * value lands in the elements set next.
   *
   * <p>The values are numbers: at the peer in the byte order of its host, here in that of this one.
   * The elements set next must have at least 8 bytes, of which 8 are written; fewer are EINVAL from
   * wrComplete. An address that is not a multiple of 8 is not detected here: the peer refuses it,
   * and this request completes with REM_INV_REQ_ERR. Needs the right {@link Access#REMOTE_ATOMIC}
   * of the peer's queue pair and of its region or window.
   *
   * @param rkey key of the peer's region or window
   * @param remoteAddr a multiple of 8, also where the memory lies if the region has an iova
   * @param compare value to compare with
   * @param swap value to store
   */
  void wrAtomicCmpSwp(int rkey, long remoteAddr, long compare, long swap);

  /**
   * Adds to 8 bytes at the peer, modulo 2^64; the old value lands in the elements set next. Byte
   * order, elements, alignment and rights are those of {@link #wrAtomicCmpSwp}.
   *
   * @param rkey key of the peer's region or window
   * @param remoteAddr a multiple of 8, also where the memory lies if the region has an iova
   * @param add what is added; a negative number subtracts
   */
  void wrAtomicFetchAdd(int rkey, long remoteAddr, long add);

  /**
   * Binds a type 2 memory window, which must not be bound. Region, window and queue pair must be of
   * one domain, the region with {@link Access#MW_BIND} and not ZERO_BASED; remote rights are the
   * window's own. It completes with MW_BIND_ERR where this does not hold.
   *
   * @param rkey its new key: the low 8 bits are the tag, the others those of {@code mw.rkey()}. As
   *     in Linux's rxe, only the tag is used: different upper bits are not an error, and have no
   *     effect
   */
  void wrBindMw(MemoryWindow mw, int rkey, MwBindInfo bindInfo);

  /**
   * Invalidates a type 2 memory window that was bound through this queue pair. Once it has
   * completed, no access through this key is under way. With any other key it fails with
   * LOC_QP_OP_ERR.
   */
  void wrLocalInv(int invalidateRkey);

  /** Reads from the peer into the elements set next. */
  void wrRdmaRead(int rkey, long remoteAddr);

  /** Writes the data set next to the peer. */
  void wrRdmaWrite(int rkey, long remoteAddr);

  /** As wrRdmaWrite, and consumes a receive of the peer; {@code immData} goes out big-endian. */
  void wrRdmaWriteImm(int rkey, long remoteAddr, int immData);

  /** Sends the data set next into a receive of the peer. */
  void wrSend();

  /** As wrSend with immediate data, which goes out big-endian. */
  void wrSendImm(int immData);

  /**
   * As wrSend; the peer invalidates its key before it sees the completion, which names it. It must
   * be that of a type 2 window bound through the peer's queue pair: otherwise the receive completes
   * with MW_BIND_ERR, and this request with REM_INV_REQ_ERR.
   */
  void wrSendInv(int invalidateRkey);

  /**
   * Sends the data set next as TCP segments of {@code mss} bytes, each after a copy of the header.
   */
  void wrSendTso(MemorySegment hdr, int mss);

  /**
   * Makes earlier writes visible or persistent at the peer. Needs the rights {@link
   * Access#FLUSH_GLOBAL} and {@link Access#FLUSH_PERSISTENT}, as {@code type} asks, of the peer's
   * queue pair and of its region or window. Counts as an outstanding READ.
   *
   * @param rkey key of the peer's region or window
   * @param remoteAddr start of the range; ignored for {@link FlushLevel#MR}
   * @param length bytes of the range, 0 to 2^32-1, else EINVAL from wrComplete; ignored for {@link
   *     FlushLevel#MR}. A software device refuses more than 2^31 from its peer, and this request
   *     completes with REM_INV_REQ_ERR
   * @param type {@link FlushType} bits, at least one
   * @param level what it reaches
   */
  void wrFlush(int rkey, long remoteAddr, long length, int type, FlushLevel level);

  /**
   * Writes 8 bytes at the peer atomically: nobody sees only some of them. Counts as an outstanding
   * READ. Needs {@link Access#REMOTE_WRITE} of the peer's queue pair and of its region or window.
   *
   * @param rkey key of the peer's region or window
   * @param remoteAddr a multiple of 8, also where the memory lies if the region has an iova: any
   *     other address completes with REM_INV_REQ_ERR
   * @param value the bytes, in the order in which this host stores a long
   */
  void wrAtomicWrite(int rkey, long remoteAddr, long value);

  /**
   * Data in one piece.
   *
   * @param lkey key of the region; it comes first here, and last in {@link Sge}
   * @param addr address, or offset for a ZERO_BASED region
   * @param length bytes, 0 to 2^32-1, else EINVAL from wrComplete
   */
  void wrSetSge(int lkey, long addr, long length);

  /**
   * Data in several pieces, one after the other. The compiler makes an array of several arguments:
   * where nothing may be allocated, pass an array that is reused, or {@link #wrSetSgeList(int,
   * Sge[])}.
   */
  default void wrSetSgeList(Sge... list) {
    wrSetSgeList(list.length, list);
  }

  /** Data in the first {@code numSge} pieces of the list. */
  void wrSetSgeList(int numSge, Sge[] list);

  /** Inline data, copied at once; SEND and RDMA_WRITE families. Heap segments are welcome. */
  default void wrSetInlineData(MemorySegment data) {
    wrSetInlineData(data, 0, data.byteSize());
  }

  /** Inline data from a part of a segment, copied at once. */
  void wrSetInlineData(MemorySegment data, long offset, long length);

  /**
   * Inline data in several pieces, one after the other, copied at once. The compiler makes an array
   * of several arguments: where nothing may be allocated, pass an array that is reused.
   */
  default void wrSetInlineDataList(MemorySegment... list) {
    wrSetInlineDataList(list.length, list);
  }

  /** Inline data in the first {@code numBuf} pieces of the list, copied at once. */
  void wrSetInlineDataList(int numBuf, MemorySegment[] list);

  /** Destination of a UD request. */
  void wrSetUdAddr(AddressHandle ah, int remoteQpn, int remoteQkey);

  /**
   * Destination of an XRC request: the number of a shared receive queue of the peer's XRC domain,
   * 24 bits. Needed after every builder but wrBindMw and wrLocalInv on an XRC_SEND queue pair,
   * READs, WRITEs and atomics included: keys are checked against the protection domain of that
   * queue.
   */
  void wrSetXrcSrqn(int remoteSrqn);
}
