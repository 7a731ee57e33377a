package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/** Identifies a queue pair to open another handle to (struct ibv_qp_open_attr). */
public final class QpOpenAttr {
  private final XrcDomain xrcd;
  private final int qpNum;
  private QpType qpType = QpType.XRC_RECV;
  private @Nullable Object qpContext;

  /**
   * @param xrcd a domain opened by the context that opens the queue pair
   * @param qpNum its number
   */
  public QpOpenAttr(XrcDomain xrcd, int qpNum) {
    this.xrcd = xrcd;
    this.qpNum = qpNum;
  }

  /** The XRC domain of the queue pair. */
  public XrcDomain xrcd() {
    return xrcd;
  }

  /** Its number. */
  public int qpNum() {
    return qpNum;
  }

  /** Its type; XRC_RECV unless set. */
  public QpType qpType() {
    return qpType;
  }

  /** Sets the type, which must match the queue pair's. */
  public QpOpenAttr qpType(QpType type) {
    qpType = type;
    return this;
  }

  /** The application's own object for the new handle. */
  public @Nullable Object qpContext() {
    return qpContext;
  }

  /** Sets the application's own object for the new handle. */
  public QpOpenAttr qpContext(@Nullable Object context) {
    qpContext = context;
    return this;
  }

  @Override
  public String toString() {
    return "qp_open_attr[" + qpType + ", qp_num=0x" + Integer.toHexString(qpNum) + "]";
  }
}
