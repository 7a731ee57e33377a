package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Attributes of a new work queue (struct ibv_wq_init_attr; ibv_create_wq(3)). Its type is
 * IBV_WQT_RQ, the only one. Unlike in C, creation does not change them: {@link WorkQueue#maxWr()}
 * and {@link WorkQueue#maxSge()} return the sizes granted, each at least as large as requested.
 *
 * <p>Defaults: 128 receives of 4 elements each.
 */
public final class WqInitAttr {
  private ProtectionDomain pd;
  private CompletionQueue cq;
  private int maxWr = 128;
  private int maxSge = 4;
  private int createFlags;
  private @Nullable Object wqContext;

  /**
   * A work queue with the default sizes.
   *
   * @param pd protection domain of the memory of its receives; owns the queue
   * @param cq completion queue of its receives
   */
  public WqInitAttr(ProtectionDomain pd, CompletionQueue cq) {
    this.pd = pd;
    this.cq = cq;
  }

  /** Protection domain. */
  public ProtectionDomain pd() {
    return pd;
  }

  /** Sets the protection domain. */
  public WqInitAttr pd(ProtectionDomain domain) {
    pd = domain;
    return this;
  }

  /** The completion queue of its receives. */
  public CompletionQueue cq() {
    return cq;
  }

  /** Sets the completion queue of its receives. */
  public WqInitAttr cq(CompletionQueue queue) {
    cq = queue;
    return this;
  }

  /** Outstanding receives. */
  public int maxWr() {
    return maxWr;
  }

  /** Sets the maximum number of outstanding receives: 0 to max_qp_wr. */
  public WqInitAttr maxWr(int count) {
    maxWr = count;
    return this;
  }

  /** Elements of a receive. */
  public int maxSge() {
    return maxSge;
  }

  /** Sets the maximum number of elements of a receive: 0 to max_sge. */
  public WqInitAttr maxSge(int count) {
    maxSge = count;
    return this;
  }

  /** {@link WqFlags}; 0 unless set. */
  public int createFlags() {
    return createFlags;
  }

  /** Sets {@link WqFlags}; without an argument this is {@link #createFlags() the getter}. */
  public WqInitAttr createFlags(int... flags) {
    createFlags = 0;
    for (int flag : flags) {
      createFlags |= flag;
    }
    return this;
  }

  /** The application's own object. */
  public @Nullable Object wqContext() {
    return wqContext;
  }

  /** Sets the application's own object. */
  public WqInitAttr wqContext(@Nullable Object context) {
    wqContext = context;
    return this;
  }

  @Override
  public String toString() {
    String flags = createFlags == 0 ? "" : ", create_flags=0x" + Integer.toHexString(createFlags);
    return "wq_init_attr[max_wr=" + maxWr + ", max_sge=" + maxSge + flags + "]";
  }
}
