package dev.verbena.verbs;

/**
 * A completion queue that is read with a cursor (struct ibv_cq_ex; S6.13): startPoll, then
 * nextPoll, and endPoll when startPoll had found one. Readers give the fields of the completion
 * under the cursor.
 */
public interface CompletionQueueEx extends CompletionQueue {
  /**
   * Places the cursor on the first completion; false if there is none, and then endPoll must not be
   * called.
   */
  boolean startPoll();

  /**
   * Moves the cursor to the next completion; false if there is none, and then endPoll must still be
   * called.
   */
  boolean nextPoll();

  /** Ends reading; what the cursor visited is taken. */
  void endPoll();

  /** wr_id of the completion under the cursor. */
  long wrId();

  /** status of the completion under the cursor. */
  WcStatus status();

  /** ibv_wc_read_opcode. */
  WcOpcode readOpcode();

  /** ibv_wc_read_vendor_err. */
  int readVendorErr();

  /** ibv_wc_read_wc_flags. */
  int readWcFlags();

  /** ibv_wc_read_byte_len; as all that follow, only if asked for at creation. */
  long readByteLen();

  /** ibv_wc_read_imm_data. */
  int readImmData();

  /** ibv_wc_read_invalidated_rkey. */
  int readInvalidatedRkey();

  /** ibv_wc_read_qp_num. */
  int readQpNum();

  /** ibv_wc_read_src_qp. */
  int readSrcQp();

  /** ibv_wc_read_slid. */
  int readSlid();

  /** ibv_wc_read_sl. */
  int readSl();

  /** ibv_wc_read_dlid_path_bits. */
  int readDlidPathBits();

  /** ibv_wc_read_completion_ts: ticks of hca_core_clock. */
  long readCompletionTs();

  /** ibv_wc_read_completion_wallclock_ns: nanoseconds since 1970. */
  long readCompletionWallclockNs();
}
