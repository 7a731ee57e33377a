package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Attributes of a new queue pair (struct ibv_qp_init_attr_ex). Unlike in C, creation does not
 * change them: {@link QueuePair#queryInit()} returns the sizes granted, each at least as large as
 * requested, and 0 for what the queue pair does not have, such as a receive queue of its own.
 *
 * <p>Defaults: 128 send and 128 receive work requests, 4 elements each, 64 bytes of inline data,
 * completions only for signaled requests.
 */
public final class QpInitAttr {
  private QpType qpType;
  private @Nullable CompletionQueue sendCq;
  private @Nullable CompletionQueue recvCq;
  private @Nullable SharedReceiveQueue srq;
  private @Nullable XrcDomain xrcd;
  private @Nullable RwqIndTable rwqIndTbl;
  private @Nullable RxHashConf rxHashConf;
  private @Nullable Object qpContext;
  private int maxSendWr = 128;
  private int maxRecvWr = 128;
  private int maxSendSge = 4;
  private int maxRecvSge = 4;
  private int maxInlineData = 64;
  private int maxTsoHeader;
  private boolean sqSigAll;
  private int createFlags;
  private boolean sendOpsGiven;
  private int sendOps;

  /** Attributes of a queue pair of this type, without completion queues. */
  public QpInitAttr(QpType qpType) {
    this.qpType = qpType;
  }

  /**
   * RC with one completion queue for both directions; {@code rc(sends).recvCq(receives)} has one
   * for each.
   */
  public static QpInitAttr rc(CompletionQueue cq) {
    return new QpInitAttr(QpType.RC).sendCq(cq).recvCq(cq);
  }

  /** UC with one completion queue for both directions, as {@link #rc}. */
  public static QpInitAttr uc(CompletionQueue cq) {
    return new QpInitAttr(QpType.UC).sendCq(cq).recvCq(cq);
  }

  /** UD with one completion queue for both directions, as {@link #rc}. */
  public static QpInitAttr ud(CompletionQueue cq) {
    return new QpInitAttr(QpType.UD).sendCq(cq).recvCq(cq);
  }

  /**
   * XRC_SEND, the initiator's half of an XRC connection, with its completion queue. It receives
   * nothing: the receive sizes and completion queue are ignored.
   */
  public static QpInitAttr xrcSend(CompletionQueue cq) {
    return new QpInitAttr(QpType.XRC_SEND).sendCq(cq);
  }

  /** XRC_RECV, the target's half of an XRC connection, for {@link Context#createQpEx}. */
  public static QpInitAttr xrcRecv(XrcDomain xrcd) {
    return new QpInitAttr(QpType.XRC_RECV).xrcd(xrcd);
  }

  /** Transport service. */
  public QpType qpType() {
    return qpType;
  }

  /** Sets the transport service. */
  public QpInitAttr qpType(QpType type) {
    qpType = type;
    return this;
  }

  /** The completion queue of sends. */
  public @Nullable CompletionQueue sendCq() {
    return sendCq;
  }

  /** Sets the completion queue of sends. */
  public QpInitAttr sendCq(@Nullable CompletionQueue cq) {
    sendCq = cq;
    return this;
  }

  /** The completion queue of receives. */
  public @Nullable CompletionQueue recvCq() {
    return recvCq;
  }

  /** Sets the completion queue of receives. */
  public QpInitAttr recvCq(@Nullable CompletionQueue cq) {
    recvCq = cq;
    return this;
  }

  /** Shared receive queue, or null for a receive queue of its own. */
  public @Nullable SharedReceiveQueue srq() {
    return srq;
  }

  /** Sets the shared receive queue; the receive sizes are then ignored. */
  public QpInitAttr srq(@Nullable SharedReceiveQueue queue) {
    srq = queue;
    return this;
  }

  /** XRC domain of an XRC_RECV queue pair. */
  public @Nullable XrcDomain xrcd() {
    return xrcd;
  }

  /** Sets the XRC domain of an XRC_RECV queue pair. */
  public QpInitAttr xrcd(@Nullable XrcDomain domain) {
    xrcd = domain;
    return this;
  }

  /** The indirection table of a queue pair that hashes, or null. */
  public @Nullable RwqIndTable rwqIndTbl() {
    return rwqIndTbl;
  }

  /** How a queue pair hashes, or null if it does not. */
  public @Nullable RxHashConf rxHashConf() {
    return rxHashConf;
  }

  /**
   * Makes a RAW_PACKET queue pair spread the frames steered to it over the work queues of a table
   * (ibv_create_qp_ex(3)). It has no queues of its own, so sizes and completion queues are ignored,
   * and no state but RESET, in which it works. If both arguments are null, it does not hash.
   */
  public QpInitAttr rxHash(@Nullable RwqIndTable table, @Nullable RxHashConf conf) {
    rwqIndTbl = table;
    rxHashConf = conf;
    return this;
  }

  /** The application's own object. */
  public @Nullable Object qpContext() {
    return qpContext;
  }

  /** Sets the application's own object. */
  public QpInitAttr qpContext(@Nullable Object context) {
    qpContext = context;
    return this;
  }

  /** Maximum number of outstanding send work requests, 0 to {@link DeviceAttr#maxQpWr()}. */
  public int maxSendWr() {
    return maxSendWr;
  }

  /**
   * Sets the maximum number of outstanding send work requests, 0 to {@link DeviceAttr#maxQpWr()}.
   */
  public QpInitAttr maxSendWr(int count) {
    maxSendWr = count;
    return this;
  }

  /** Maximum number of outstanding receives, 0 to {@link DeviceAttr#maxQpWr()}. */
  public int maxRecvWr() {
    return maxRecvWr;
  }

  /** Sets the maximum number of outstanding receives, 0 to {@link DeviceAttr#maxQpWr()}. */
  public QpInitAttr maxRecvWr(int count) {
    maxRecvWr = count;
    return this;
  }

  /** Maximum number of elements of a send work request, 0 to {@link DeviceAttr#maxSge()}. */
  public int maxSendSge() {
    return maxSendSge;
  }

  /**
   * Sets the maximum number of elements of a send work request, 0 to {@link DeviceAttr#maxSge()}.
   */
  public QpInitAttr maxSendSge(int count) {
    maxSendSge = count;
    return this;
  }

  /** Maximum number of elements of a receive, 0 to {@link DeviceAttr#maxSge()}. */
  public int maxRecvSge() {
    return maxRecvSge;
  }

  /** Sets the maximum number of elements of a receive, 0 to {@link DeviceAttr#maxSge()}. */
  public QpInitAttr maxRecvSge(int count) {
    maxRecvSge = count;
    return this;
  }

  /** Maximum inline data in bytes. */
  public int maxInlineData() {
    return maxInlineData;
  }

  /**
   * Sets the maximum inline data in bytes. No attribute of a device has the limit; it is 1024 for
   * the software device, and EINVAL names it.
   */
  public QpInitAttr maxInlineData(int bytes) {
    maxInlineData = bytes;
    return this;
  }

  /** Maximum length of a TSO header template in bytes. */
  public int maxTsoHeader() {
    return maxTsoHeader;
  }

  /** Sets the maximum length of a TSO header template in bytes. */
  public QpInitAttr maxTsoHeader(int bytes) {
    maxTsoHeader = bytes;
    return this;
  }

  /** The sizes as one value. */
  public QpCap cap() {
    return new QpCap(maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineData);
  }

  /** Sets the sizes at once. */
  public QpInitAttr cap(QpCap cap) {
    maxSendWr = cap.maxSendWr();
    maxRecvWr = cap.maxRecvWr();
    maxSendSge = cap.maxSendSge();
    maxRecvSge = cap.maxRecvSge();
    maxInlineData = cap.maxInlineData();
    return this;
  }

  /** Whether every send work request generates a completion, SIGNALED or not. */
  public boolean sqSigAll() {
    return sqSigAll;
  }

  /** Sets whether every send work request generates a completion. */
  public QpInitAttr sqSigAll(boolean all) {
    sqSigAll = all;
    return this;
  }

  /** {@link QpCreateFlags}; 0 unless set. */
  public int createFlags() {
    return createFlags;
  }

  /** Sets {@link QpCreateFlags}; without an argument this is {@link #createFlags() the getter}. */
  public QpInitAttr createFlags(int... flags) {
    createFlags = 0;
    for (int flag : flags) {
      createFlags |= flag;
    }
    return this;
  }

  /**
   * Whether {@link #sendOps(int...)} was called, even with 0: then the queue pair is a {@link
   * QueuePairEx}.
   */
  public boolean hasSendOps() {
    return sendOpsGiven;
  }

  /** The {@link SendOps} bits that were given; 0 if none were. */
  public int sendOps() {
    return sendOps;
  }

  /**
   * Requests the extended posting API with these {@link SendOps} (IBV_QP_INIT_ATTR_SEND_OPS_FLAGS).
   * With 0 only wrStart, wrComplete and wrAbort can be used; without an argument this is {@link
   * #sendOps() the getter}.
   */
  public QpInitAttr sendOps(int... ops) {
    sendOpsGiven = true;
    sendOps = 0;
    for (int op : ops) {
      sendOps |= op;
    }
    return this;
  }

  /** A copy, which later changes of this object do not reach. */
  public QpInitAttr copy() {
    QpInitAttr copy =
        new QpInitAttr(qpType)
            .createFlags(new int[] {createFlags})
            .sendCq(sendCq)
            .recvCq(recvCq)
            .srq(srq)
            .xrcd(xrcd)
            .rxHash(rwqIndTbl, rxHashConf)
            .qpContext(qpContext)
            .cap(cap())
            .maxTsoHeader(maxTsoHeader)
            .sqSigAll(sqSigAll);
    return sendOpsGiven ? copy.sendOps(sendOps) : copy;
  }

  @Override
  public String toString() {
    return "qp_init_attr["
        + qpType
        + ", max_send_wr="
        + maxSendWr
        + ", max_recv_wr="
        + maxRecvWr
        + ", max_send_sge="
        + maxSendSge
        + ", max_recv_sge="
        + maxRecvSge
        + ", max_inline_data="
        + maxInlineData
        + (maxTsoHeader == 0 ? "" : ", max_tso_header=" + maxTsoHeader)
        + (sqSigAll ? ", sq_sig_all" : "")
        + (srq == null ? "" : ", srq")
        + (rwqIndTbl == null ? "" : ", " + rwqIndTbl)
        + (rxHashConf == null ? "" : ", " + rxHashConf)
        + (createFlags == 0 ? "" : ", create_flags=0x" + Integer.toHexString(createFlags))
        + (sendOpsGiven ? ", send_ops=" + SendOps.names(sendOps) : "")
        + "]";
  }
}
