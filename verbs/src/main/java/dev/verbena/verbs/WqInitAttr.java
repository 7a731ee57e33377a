package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a new work queue is to be (struct ibv_wq_init_attr; S9.8). Its kind is IBV_WQT_RQ, there is
 * no other.
 *
 * @param pd protection domain of the memory of its receives
 * @param cq where they complete
 * @param maxWr receives that it holds
 * @param maxSge elements of each
 * @param wqContext the application's own object
 */
public record WqInitAttr(
    ProtectionDomain pd, CompletionQueue cq, int maxWr, int maxSge, @Nullable Object wqContext) {
  /** Without an object of the application. */
  public WqInitAttr(ProtectionDomain pd, CompletionQueue cq, int maxWr, int maxSge) {
    this(pd, cq, maxWr, maxSge, null);
  }
}
