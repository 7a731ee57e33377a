package dev.verbena.verbs;

/**
 * Kind of asynchronous event (enum ibv_event_type). {@link #str()} is ibv_event_type_str.
 *
 * <p>Each constant says which of {@link AsyncEvent#qp()}, {@link AsyncEvent#cq()}, {@link
 * AsyncEvent#srq()}, {@link AsyncEvent#wq()} and {@link AsyncEvent#portNum()} an event of this type
 * sets; the others are null or 0. Events of an object go to its own context, events of the port to
 * every open context.
 */
public enum EventType implements Numbered {
  /**
   * A completion queue overran: a completion was lost, and its queue pair goes to ERR with {@link
   * #QP_FATAL}, its work queue with {@link #WQ_FATAL}. cq() is set. Not with {@link
   * CreateCqFlags#IGNORE_OVERRUN}.
   */
  CQ_ERR(0, "CQ error"),
  /**
   * A queue pair went to ERR because the completion queue had no room for one of its completions.
   * qp() is set.
   */
  QP_FATAL(1, "local work queue catastrophic error"),
  /**
   * The responder went to ERR because of a request that it does not accept, or because it could not
   * use a posted receive. The peer gets REM_INV_REQ_ERR or REM_OP_ERR. RC and XRC_RECV only; qp()
   * is set.
   */
  QP_REQ_ERR(2, "invalid request local work queue error"),
  /**
   * The responder went to ERR because of a request without the right to access the memory. The peer
   * gets REM_ACCESS_ERR. RC and XRC_RECV only; qp() is set.
   */
  QP_ACCESS_ERR(3, "local access violation work queue error"),
  /** The first packet of a connection arrived while the queue pair was in RTR. qp() is set. */
  COMM_EST(4, "communication established"),
  /**
   * A queue pair in SQD has finished the requests in progress. Raised only if modify requested it
   * with {@link QpAttr#enSqdAsyncNotify()}. qp() is set.
   */
  SQ_DRAINED(5, "send queue drained"),
  /**
   * The connection moved to the alternate path. qp() is set. Never raised by software devices,
   * which have no path migration.
   */
  PATH_MIG(6, "path migrated"),
  /**
   * The connection could not move to the alternate path. qp() is set. Never raised by software
   * devices.
   */
  PATH_MIG_ERR(7, "path migration request error"),
  /**
   * The device failed, or its network interface was removed. Nothing is set. Software devices check
   * about once a second, and notice the latter only with native access.
   */
  DEVICE_FATAL(8, "local catastrophic error"),
  /**
   * The port came up: the network interface of its address is up again. portNum() is set. Software
   * devices check about once a second.
   */
  PORT_ACTIVE(9, "port active"),
  /**
   * The port went down: the network interface or the address is gone. portNum() is set. Software
   * devices check about once a second.
   */
  PORT_ERR(10, "port error"),
  /**
   * The LID changed (InfiniBand only). portNum() is set. Raised by software devices when {@link
   * dev.verbena.verbs.spi.Subnet#assignLid} is called.
   */
  LID_CHANGE(11, "LID change"),
  /**
   * The P_Key table changed. portNum() is set. Raised by software devices when {@link
   * dev.verbena.verbs.spi.Subnet#assignPkeys} is called.
   */
  PKEY_CHANGE(12, "P_Key change"),
  /**
   * The subnet manager changed (InfiniBand only). portNum() is set. Raised by software devices when
   * {@link dev.verbena.verbs.spi.Subnet#assignManager} is called.
   */
  SM_CHANGE(13, "SM change"),
  /** A shared receive queue failed. srq() is set. Never raised by software devices. */
  SRQ_ERR(14, "SRQ catastrophic error"),
  /**
   * A shared receive queue holds fewer receives than its limit, which is then no longer armed
   * ({@link SharedReceiveQueue#modifyLimit}). srq() is set.
   */
  SRQ_LIMIT_REACHED(15, "SRQ limit reached"),
  /**
   * A queue pair with a shared receive queue, or of type XRC_RECV, is in ERR and takes no more
   * shared receives; those it had taken have completed with WR_FLUSH_ERR. Raised once each time it
   * enters ERR. qp() is set.
   */
  QP_LAST_WQE_REACHED(16, "last WQE reached"),
  /**
   * Clients of the subnet manager should register again (InfiniBand only). portNum() is set. Raised
   * by software devices when {@link dev.verbena.verbs.spi.Subnet#reregisterClients} is called.
   */
  CLIENT_REREGISTER(17, "client reregistration"),
  /**
   * The GID table changed: the address of the port was removed or came back. portNum() is set.
   * Software devices check about once a second.
   */
  GID_CHANGE(18, "GID table change"),
  /**
   * A work queue (struct ibv_wq) failed. On software devices: it went to ERR because the completion
   * queue had no room for one of its completions. wq() is set.
   */
  WQ_FATAL(19, "WQ fatal"),
  /** The link speed of the device changed. Never raised by software devices. */
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
