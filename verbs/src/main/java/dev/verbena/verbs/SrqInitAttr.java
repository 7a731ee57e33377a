package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Attributes of a new shared receive queue (struct ibv_srq_init_attr, struct ibv_srq_init_attr_ex).
 * Unlike in C, creation does not change them: {@link SharedReceiveQueue#query()} returns the sizes
 * granted, each at least as large as requested.
 *
 * <p>Defaults: type BASIC, 128 receives of 4 elements each.
 */
public final class SrqInitAttr {
  private SrqType srqType = SrqType.BASIC;
  private @Nullable Object srqContext;
  private int maxWr = 128;
  private int maxSge = 4;
  private @Nullable XrcDomain xrcd;
  private @Nullable CompletionQueue cq;

  /** A basic shared receive queue with the default sizes. */
  public SrqInitAttr() {}

  /**
   * A basic shared receive queue: its receives complete in the receive queues of the queue pairs
   * that take them.
   *
   * @param maxWr outstanding receives, at least 1
   * @param maxSge elements of a receive
   */
  public static SrqInitAttr basic(int maxWr, int maxSge) {
    return new SrqInitAttr().maxWr(maxWr).maxSge(maxSge);
  }

  /**
   * An XRC shared receive queue: requests to any XRC_RECV queue pair of the domain name it by its
   * number, and its receives complete in a completion queue of its own.
   *
   * @param xrcd the XRC domain
   * @param cq the completion queue of its receives
   * @param maxWr outstanding receives, at least 1
   * @param maxSge elements of a receive
   */
  public static SrqInitAttr xrc(XrcDomain xrcd, CompletionQueue cq, int maxWr, int maxSge) {
    return basic(maxWr, maxSge).srqType(SrqType.XRC).xrcd(xrcd).cq(cq);
  }

  /** Kind. */
  public SrqType srqType() {
    return srqType;
  }

  /** Sets the kind. */
  public SrqInitAttr srqType(SrqType type) {
    srqType = type;
    return this;
  }

  /** The application's own object. */
  public @Nullable Object srqContext() {
    return srqContext;
  }

  /** Sets the application's own object. */
  public SrqInitAttr srqContext(@Nullable Object context) {
    srqContext = context;
    return this;
  }

  /** Outstanding receives. */
  public int maxWr() {
    return maxWr;
  }

  /** Sets the maximum number of outstanding receives: 1 to max_srq_wr. */
  public SrqInitAttr maxWr(int count) {
    maxWr = count;
    return this;
  }

  /** Elements of a receive. */
  public int maxSge() {
    return maxSge;
  }

  /** Sets the maximum number of elements of a receive: 0 to max_srq_sge. */
  public SrqInitAttr maxSge(int count) {
    maxSge = count;
    return this;
  }

  /** The sizes as one value, without limit. */
  public SrqAttr attr() {
    return new SrqAttr(maxWr, maxSge, 0);
  }

  /** Sets the sizes at once; a limit is armed by modify, not here. */
  public SrqInitAttr attr(SrqAttr sizes) {
    return maxWr(sizes.maxWr()).maxSge(sizes.maxSge());
  }

  /** XRC domain, for type XRC. */
  public @Nullable XrcDomain xrcd() {
    return xrcd;
  }

  /** Sets the XRC domain, for type XRC. */
  public SrqInitAttr xrcd(@Nullable XrcDomain domain) {
    xrcd = domain;
    return this;
  }

  /** The completion queue of receives, for type XRC. */
  public @Nullable CompletionQueue cq() {
    return cq;
  }

  /** Sets the completion queue of receives, for type XRC. */
  public SrqInitAttr cq(@Nullable CompletionQueue queue) {
    cq = queue;
    return this;
  }

  @Override
  public String toString() {
    return "srq_init_attr["
        + srqType
        + ", max_wr="
        + maxWr
        + ", max_sge="
        + maxSge
        + (xrcd == null ? "" : ", xrcd")
        + (cq == null ? "" : ", cq")
        + "]";
  }
}
