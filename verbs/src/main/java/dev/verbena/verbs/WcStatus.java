package dev.verbena.verbs;

/** Outcome of a work request (enum ibv_wc_status). {@link #str()} is ibv_wc_status_str. */
public enum WcStatus implements Numbered {
  /** The work request completed. */
  SUCCESS(0, "success"),
  /** A message is longer than the receive, or than allowed. */
  LOC_LEN_ERR(1, "local length error"),
  /** The queue pair could not execute the request. */
  LOC_QP_OP_ERR(2, "local QP operation error"),
  /** Obsolete (reliable datagram). */
  LOC_EEC_OP_ERR(3, "local EE context operation error"),
  /** A local key, its rights or its bounds do not fit a scatter/gather element. */
  LOC_PROT_ERR(4, "local protection error"),
  /** The queue pair was in error before this request could complete. */
  WR_FLUSH_ERR(5, "Work Request Flushed Error"),
  /** A memory window could not be bound. */
  MW_BIND_ERR(6, "memory management operation error"),
  /** The peer's response does not fit the request. */
  BAD_RESP_ERR(7, "bad response error"),
  /** A local access error while placing data. */
  LOC_ACCESS_ERR(8, "local access error"),
  /** The peer refused the request as invalid. */
  REM_INV_REQ_ERR(9, "remote invalid request error"),
  /** The peer's key, rights or bounds do not fit. */
  REM_ACCESS_ERR(10, "remote access error"),
  /** The peer could not complete the request. */
  REM_OP_ERR(11, "remote operation error"),
  /** No answer after retry_cnt retransmissions. */
  RETRY_EXC_ERR(12, "transport retry counter exceeded"),
  /** The peer had no receive after rnr_retry retries. */
  RNR_RETRY_EXC_ERR(13, "RNR retry counter exceeded"),
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
  FATAL_ERR(19, "fatal error"),
  /** No response in time. */
  RESP_TIMEOUT_ERR(20, "response timeout error"),
  /** Any other error. */
  GENERAL_ERR(21, "general error"),
  /** Tag matching error. */
  TM_ERR(22, "TM error"),
  /** Tag matching left the message to software. */
  TM_RNDV_INCOMPLETE(23, "TM software rendezvous");

  private final int number;
  private final String text;

  WcStatus(int number, String text) {
    this.number = number;
    this.text = text;
  }

  @Override
  public int number() {
    return number;
  }

  /** The text that libibverbs prints for this constant. */
  public String str() {
    return text;
  }

  /**
   * The constant with this number.
   *
   * @throws VerbsException EINVAL if there is none
   */
  public static WcStatus of(int number) {
    return Numbered.of(WcStatus.class, number);
  }

  /** As ibv_wc_status_str: the text for any number, "unknown" for one that no status has. */
  public static String str(int number) {
    return number >= 0 && number < values().length ? values()[number].text : "unknown";
  }
}
