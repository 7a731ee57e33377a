package dev.verbena.verbs;

/**
 * A completion queue that is read with a cursor, where the completions lie (struct ibv_cq_ex). None
 * of its methods allocates.
 *
 * {@snippet :
 * if (cq.startPoll()) {
 *   do {
 *     handle(cq.wrId(), cq.status());
 *   } while (cq.nextPoll());
 *   cq.endPoll();
 * }
 * }
 *
 * <p>Always readable are wr_id, status, opcode, vendor_err and wc_flags, the others if {@link
 * CqInitAttrEx#wcFlags(int...)} named them. Which of them are valid depends on the completion: with
 * a status other than SUCCESS wr_id, status, qp_num and vendor_err; of a send also opcode, and
 * byte_len of a READ or an atomic; of a receive opcode, byte_len, wc_flags, and what these say.
 *
 * <p>From startPoll to endPoll the queue is locked against other threads that poll, with {@code
 * poll} or with a cursor: they wait, unless the queue is {@link CreateCqFlags#SINGLE_THREADED}. The
 * same thread must not poll or start again before endPoll: that is an {@link
 * IllegalStateException}, and a deadlock in C. It may do everything else: post, where send queue
 * entries whose completion the cursor has visited are free again; resize and arm the queue; destroy
 * queue pairs. The device goes on adding completions, which may take the places of those that the
 * cursor has visited.
 *
 * <p>Readers and nextPoll without a completion under the cursor throw {@link
 * IllegalStateException}. If another thread closes the queue in the meantime, the next call throws
 * {@link ObjectClosedException} and gives the lock back.
 */
public interface CompletionQueueEx extends CompletionQueue {
  /**
   * Places the cursor on the first completion (ibv_start_poll). Drives the device as {@code poll}
   * does if there is none.
   *
   * @return false if there is none (ENOENT in C): then nothing was started, and endPoll must not be
   *     called
   * @throws VerbsException EIO once the queue has overrun and its remaining entries were taken
   * @throws ObjectClosedException if the queue is closed, or was while this thread waited
   */
  boolean startPoll();

  /**
   * Continues in this thread the polling that another one has started, and hands it over, as {@link
   * QueuePairEx#resumeWr()} does for posting. Does nothing if nobody reads, or this thread does.
   */
  void resumePoll();

  /**
   * Moves the cursor to the next completion (ibv_next_poll).
   *
   * @return false if there is none at the moment (ENOENT in C); endPoll must still be called
   */
  boolean nextPoll();

  /** Ends reading; what the cursor visited was taken (ibv_end_poll). */
  void endPoll();

  /** Identifier of the work request whose completion is under the cursor (wr_id). */
  long wrId();

  /** Outcome of the work request whose completion is under the cursor (status). */
  WcStatus status();

  /** Operation that completed (ibv_wc_read_opcode). */
  WcOpcode readOpcode();

  /** Provider specific detail of an error (ibv_wc_read_vendor_err). */
  int readVendorErr();

  /** {@link #readVendorErr()} in words, as {@link WorkCompletion#vendorErrText()}. */
  String readVendorErrText();

  /** {@link WcFlags} (ibv_wc_read_wc_flags). */
  int readWcFlags();

  /**
   * Bytes received, read, or changed by an atomic (ibv_wc_read_byte_len).
   *
   * @throws VerbsException EOPNOTSUPP if the queue was created without {@link WcExFlags#BYTE_LEN};
   *     the readers below throw it without the flag that their description names
   */
  long readByteLen();

  /**
   * Immediate data, the peer's int, which C has big-endian (ibv_wc_read_imm_data; {@link
   * WcExFlags#IMM}). Valid with {@link WcFlags#WITH_IMM}.
   */
  int readImmData();

  /**
   * Key that the peer invalidated (ibv_wc_read_invalidated_rkey; {@link WcExFlags#IMM}, whose place
   * it shares). Valid with {@link WcFlags#WITH_INV}.
   */
  int readInvalidatedRkey();

  /**
   * Local queue pair number, or that of a work queue (ibv_wc_read_qp_num; {@link
   * WcExFlags#QP_NUM}); as {@link WorkCompletion#qpNum()}.
   */
  int readQpNum();

  /** The sender's queue pair number, UD only (ibv_wc_read_src_qp; {@link WcExFlags#SRC_QP}). */
  int readSrcQp();

  /** Source LID, 0 on Ethernet (ibv_wc_read_slid; {@link WcExFlags#SLID}). */
  int readSlid();

  /**
   * Service level, UD only (ibv_wc_read_sl; {@link WcExFlags#SL}); on Ethernet the IP version, as
   * {@link WorkCompletion#sl()}.
   */
  int readSl();

  /**
   * Destination path bits, 0 on Ethernet (ibv_wc_read_dlid_path_bits; {@link
   * WcExFlags#DLID_PATH_BITS}).
   */
  int readDlidPathBits();

  /**
   * When the completion was added, in ticks of hca_core_clock (ibv_wc_read_completion_ts; {@link
   * WcExFlags#COMPLETION_TIMESTAMP}). Compare only the bits of completion_timestamp_mask; {@link
   * Context#queryRtValuesEx} returns the present time of that clock.
   */
  long readCompletionTs();

  /**
   * When the completion was added, in nanoseconds since 1970 (ibv_wc_read_completion_wallclock_ns;
   * {@link WcExFlags#COMPLETION_TIMESTAMP_WALLCLOCK}): the time stamp, converted by a comparison of
   * both clocks that is at most a second old.
   */
  long readCompletionWallclockNs();

  /**
   * Copies the completion under the cursor, so that it can be kept, handed on or thrown ({@link
   * WorkCompletion#orThrow()}). Fields that {@link CqInitAttrEx#wcFlags(int...)} did not name are
   * 0.
   *
   * @param into takes every value
   * @return {@code into}
   */
  WorkCompletion read(WorkCompletion into);
}
