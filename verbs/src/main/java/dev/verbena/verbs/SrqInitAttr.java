package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a new shared receive queue is to be (struct ibv_srq_init_attr_ex).
 *
 * @param srqType kind
 * @param srqContext the application's own object
 * @param attr sizes
 * @param xrcd XRC domain, for kind XRC
 * @param cq where completions go, for kind XRC
 */
public record SrqInitAttr(
    SrqType srqType,
    @Nullable Object srqContext,
    SrqAttr attr,
    @Nullable XrcDomain xrcd,
    @Nullable CompletionQueue cq) {
  /** A basic shared receive queue. */
  public static SrqInitAttr basic(int maxWr, int maxSge) {
    return new SrqInitAttr(SrqType.BASIC, null, new SrqAttr(maxWr, maxSge, 0), null, null);
  }
}
