package dev.verbena.verbs;

/**
 * A completion queue that is read in place, with a cursor (struct ibv_cq_ex). None of its methods
 * allocates.
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
 * <p>wr_id, status, opcode, vendor_err and wc_flags can always be read; the other fields only if
 * {@link CqInitAttrEx#wcFlags(int...)} named them. Which fields are valid depends on the
 * completion. With a status other than SUCCESS: wr_id, status, qp_num and vendor_err. For a send:
 * also opcode, and byte_len of a READ or an atomic. For a receive: also opcode, byte_len, wc_flags,
 * and the fields that wc_flags indicates.
 *
 * <p>From startPoll to endPoll the queue is locked against polling by other threads, with {@code
 * poll} or with a cursor: they wait, unless the queue is {@link CreateCqFlags#SINGLE_THREADED}. The
 * polling thread must not poll or start again before endPoll: that throws {@link
 * IllegalStateException}, and deadlocks in C. It may do everything else: post (the send queue
 * entries of visited completions are free again), arm the queue, and on a software device also
 * resize it and destroy or reset queue pairs, which on devices of libibverbs throws
 * IllegalStateException, because drivers hold the queue's lock. The device keeps adding
 * completions, which may reuse the entries that the cursor has visited.
 *
 * <p>Readers and nextPoll throw {@link IllegalStateException} when there is no completion under the
 * cursor. If another thread closes the queue meanwhile, the next call throws {@link
 * ObjectClosedException} and releases the lock.
 */
public interface CompletionQueueEx extends CompletionQueue {
  /**
   * Places the cursor on the first completion (ibv_start_poll). If there is none, drives the device
   * as {@code poll} does.
   *
   * @return false if there is none (ENOENT in C): polling has not started, and endPoll must not be
   *     called
   * @throws VerbsException EIO once the queue has overrun and its remaining entries have been taken
   * @throws ObjectClosedException if the queue is closed, or is closed while this thread waits
   */
  boolean startPoll();

  /**
   * Continues, in this thread, polling that another thread started and hands over, as {@link
   * QueuePairEx#resumeWr()} does for posting. Does nothing if no thread is polling, or this one
   * already is.
   */
  void resumePoll();

  /**
   * Moves the cursor to the next completion (ibv_next_poll).
   *
   * @return false if there is none at the moment (ENOENT in C); endPoll must still be called
   */
  boolean nextPoll();

  /** Ends polling; the completions that the cursor visited are taken (ibv_end_poll). */
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
   *     likewise the readers below without the flag that each of them names
   */
  long readByteLen();

  /**
   * Immediate data as the peer's int, which is big-endian in C (ibv_wc_read_imm_data; {@link
   * WcExFlags#IMM}). Valid with {@link WcFlags#WITH_IMM}.
   */
  int readImmData();

  /**
   * Key that the peer invalidated (ibv_wc_read_invalidated_rkey; it shares the field and the flag
   * {@link WcExFlags#IMM} with the immediate data). Valid with {@link WcFlags#WITH_INV}.
   */
  int readInvalidatedRkey();

  /**
   * Local queue pair number, or work queue number (ibv_wc_read_qp_num; {@link WcExFlags#QP_NUM});
   * as {@link WorkCompletion#qpNum()}.
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
   * Context#queryRtValuesEx} returns the current time of that clock.
   */
  long readCompletionTs();

  /**
   * When the completion was added, in nanoseconds since 1970 (ibv_wc_read_completion_wallclock_ns;
   * {@link WcExFlags#COMPLETION_TIMESTAMP_WALLCLOCK}): the time stamp, converted with a comparison
   * of the two clocks that is at most a second old.
   */
  long readCompletionWallclockNs();

  /**
   * The VLAN of what was received, 0 without one (ibv_wc_read_cvlan; {@link WcExFlags#CVLAN}). What
   * it is, depends on the adapter: with mlx5 the tag that it has removed from a frame ({@link
   * QpCreateFlags#CVLAN_STRIPPING}), with hns the VLAN ID of a RoCE message.
   *
   * @return 16 bits: priority (3), drop eligibility (1) and VLAN ID (12), or the latter only
   * @throws VerbsException EOPNOTSUPP if the queue was created without that flag, as on software
   *     devices, which do not grant it
   */
  default int readCvlan() {
    context();
    throw new VerbsException("readCvlan", Errno.EOPNOTSUPP, "this device removes no VLAN tags");
  }

  /**
   * The number that the rule which steered the frame here gives it, {@link FlowSpecActionTag#tagId}
   * (ibv_wc_read_flow_tag; {@link WcExFlags#FLOW_TAG}); 0 without such a rule. It is no more than
   * the adapter has room for: 24 bits in mlx5.
   *
   * @throws VerbsException EOPNOTSUPP if the queue was created without that flag, as on software
   *     devices, which do not grant it
   */
  default int readFlowTag() {
    context();
    throw new VerbsException("readFlowTag", Errno.EOPNOTSUPP, "this device reports no flow tags");
  }

  /**
   * Copies the completion under the cursor, so that it can be kept, passed on or thrown ({@link
   * WorkCompletion#orThrow()}). Fields that {@link CqInitAttrEx#wcFlags(int...)} did not name are
   * 0. Time stamps, VLAN and flow tag are not copied, because a WorkCompletion has no such fields.
   *
   * @param into receives every value
   * @return {@code into}
   */
  WorkCompletion read(WorkCompletion into);
}
