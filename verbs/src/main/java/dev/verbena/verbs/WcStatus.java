package dev.verbena.verbs;

/** Outcome of a work request (enum ibv_wc_status). {@link #str()} is ibv_wc_status_str. */
public enum WcStatus implements Numbered {
  /** The work request completed. */
  SUCCESS(0, "success"),
  /** A message is longer than the receive, or than allowed. */
  LOC_LEN_ERR(
      1,
      "local length error",
      "a message longer than its receive (on UD 40 bytes of it are for the GRH), or than the port"
          + " or the path MTU allows"),
  /** The queue pair could not execute the request. */
  LOC_QP_OP_ERR(
      2,
      "local QP operation error",
      "a request that the type, state or capabilities of this queue pair do not allow"),
  /** Obsolete (reliable datagram). */
  LOC_EEC_OP_ERR(3, "local EE context operation error"),
  /** A scatter/gather element does not match its local key, rights or bounds. */
  LOC_PROT_ERR(
      4,
      "local protection error",
      "a scatter/gather element whose lkey, address or length matches no region of this protection"
          + " domain, or a region that lacks LOCAL_WRITE"),
  /** The queue pair was in error before this request could complete. */
  WR_FLUSH_ERR(
      5,
      "Work Request Flushed Error",
      "the queue pair was already in error or moved to ERR; the first completion with another"
          + " status says why; if there is none, this end closed its Connection or moved the queue"
          + " pair to ERR, as after the other end has ended or gone (Connection.awaitEnd says"
          + " which), or it refused a request of the peer"
          + " (QueuePair.dump() says which)"),
  /** A memory window could not be bound. */
  MW_BIND_ERR(
      6,
      "memory management operation error",
      "a region without MW_BIND or the requested rights, a wrong key, or a range outside the"
          + " region"),
  /** The peer's response does not match the request. */
  BAD_RESP_ERR(
      7,
      "bad response error",
      "a response that does not match the request: both ends disagree about the connection, or an"
          + " old one still responds"),
  /** A local access error while placing data. */
  LOC_ACCESS_ERR(
      8, "local access error", "a receive without LOCAL_WRITE for the data that arrived"),
  /** The peer refused the request as invalid. */
  REM_INV_REQ_ERR(
      9,
      "remote invalid request error",
      "an operation that the access flags of the peer's queue pair do not allow or that it does"
          + " not support; a message longer than its receive; a misaligned atomic; more READs and"
          + " atomics than its max_dest_rd_atomic; or an invalidated key or XRC SRQ number that it"
          + " does not have; the log of a software device there says which"),
  /** The request does not match the peer's key, rights or bounds. */
  REM_ACCESS_ERR(
      10,
      "remote access error",
      "an rkey, address or length that matches no region of the peer; memory there that has ended,"
          + " as when a mapped file was cut short; or a right missing from its region, on some"
          + " adapters also from its queue pair's access flags; the log of a software device there"
          + " says which"),
  /** The peer could not complete the request. */
  REM_OP_ERR(
      11,
      "remote operation error",
      "the peer could not use its own receive, or failed otherwise; look at its completions"),
  /** No answer after retry_cnt retransmissions. */
  RETRY_EXC_ERR(
      12,
      "transport retry counter exceeded",
      "no response: the peer's process has ended or is stopped, or had no processor for longer than"
          + " timeout x (retry_cnt + 1), unless set 4.3 s for a Connection and 0.5 s otherwise:"
          + " QpAttr.timeout(18) waits 8.6 s; a wrong GID, queue pair number, PSN or P_Key; the"
          + " peer is not in RTR or RTS; its device has another link; or the network loses"
          + " packets"),
  /** The peer had no receive after rnr_retry retries. */
  RNR_RETRY_EXC_ERR(
      13,
      "RNR retry counter exceeded",
      "the peer posted no receive in time, and rnr_retry is less than 7"),
  /** Obsolete (reliable datagram). */
  LOC_RDD_VIOL_ERR(14, "local RDD violation error"),
  /** Obsolete (reliable datagram). */
  REM_INV_RD_REQ_ERR(15, "remote invalid RD request"),
  /** Aborted by the peer. */
  REM_ABORT_ERR(16, "aborted error"),
  /** Obsolete (reliable datagram). */
  INV_EECN_ERR(17, "invalid EE context number"),
  /** Obsolete (reliable datagram). */
  INV_EEC_STATE_ERR(18, "invalid EE context state"),
  /** A fatal error of the device. */
  FATAL_ERR(19, "fatal error", "the device failed"),
  /** No response in time. */
  RESP_TIMEOUT_ERR(20, "response timeout error", "the peer did not respond in time"),
  /** Any other error. */
  GENERAL_ERR(21, "general error"),
  /** Tag matching error. */
  TM_ERR(22, "TM error"),
  /** Tag matching left the message to software. */
  TM_RNDV_INCOMPLETE(23, "TM software rendezvous");

  private final int number;
  private final String text;
  private final String usualCause;

  WcStatus(int number, String text) {
    this(number, text, "");
  }

  WcStatus(int number, String text, String usualCause) {
    this.number = number;
    this.text = text;
    this.usualCause = usualCause;
  }

  @Override
  public int number() {
    return number;
  }

  /** The text that libibverbs prints for this constant. */
  public String str() {
    return text;
  }

  /** The most common cause of this status, to help with debugging; empty if there is none. */
  public String usualCause() {
    return usualCause;
  }

  /**
   * The constant with this number.
   *
   * @throws VerbsException EINVAL if there is none
   */
  public static WcStatus of(int number) {
    return Numbered.of(WcStatus.class, number);
  }

  /** The text for any number, "unknown" for one that no status has (ibv_wc_status_str). */
  public static String str(int number) {
    return number >= 0 && number < values().length ? values()[number].text : "unknown";
  }
}
