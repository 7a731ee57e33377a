package dev.verbena.verbs;

/**
 * Kind of asynchronous event (enum ibv_event_type; S0.11). {@link #str()} is ibv_event_type_str
 * (S0.14).
 */
public enum EventType implements Numbered {
  /** A completion queue overran. */
  CQ_ERR(0, "CQ error"),
  /** A queue pair failed. */
  QP_FATAL(1, "local work queue catastrophic error"),
  /** The responder refused an invalid request. */
  QP_REQ_ERR(2, "invalid request local work queue error"),
  /** The responder refused an access. */
  QP_ACCESS_ERR(3, "local access violation work queue error"),
  /** The first packet arrived at a queue pair in RTR. */
  COMM_EST(4, "communication established"),
  /** A send queue has drained. */
  SQ_DRAINED(5, "send queue drained"),
  /** The path migrated. */
  PATH_MIG(6, "path migrated"),
  /** The path could not migrate. */
  PATH_MIG_ERR(7, "path migration request error"),
  /** The device failed. */
  DEVICE_FATAL(8, "local catastrophic error"),
  /** The port came up. */
  PORT_ACTIVE(9, "port active"),
  /** The port went down. */
  PORT_ERR(10, "port error"),
  /** The LID changed. */
  LID_CHANGE(11, "LID change"),
  /** The P_Key table changed. */
  PKEY_CHANGE(12, "P_Key change"),
  /** The subnet manager changed. */
  SM_CHANGE(13, "SM change"),
  /** A shared receive queue failed. */
  SRQ_ERR(14, "SRQ catastrophic error"),
  /** A shared receive queue fell below its limit. */
  SRQ_LIMIT_REACHED(15, "SRQ limit reached"),
  /** A queue pair with a shared receive queue took its last receive. */
  QP_LAST_WQE_REACHED(16, "last WQE reached"),
  /** Clients should register again. */
  CLIENT_REREGISTER(17, "client reregistration"),
  /** The GID table changed. */
  GID_CHANGE(18, "GID table change"),
  /** A work queue failed. */
  WQ_FATAL(19, "WQ fatal"),
  /** The speed of the device changed. */
  DEVICE_SPEED_CHANGE(20, "Device link speed change");

  private final int number;
  private final String text;

  EventType(int number, String text) {
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
  public static EventType of(int number) {
    return Numbered.of(EventType.class, number);
  }
}
