package dev.verbena.verbs;

/**
 * Sizes of a shared receive queue (struct ibv_srq_attr).
 *
 * @param maxWr outstanding receives
 * @param maxSge elements of a receive
 * @param srqLimit SRQ_LIMIT_REACHED is raised when fewer receives remain; 0 for never
 */
public record SrqAttr(int maxWr, int maxSge, int srqLimit) {
  @Override
  public String toString() {
    return FieldText.of("srq_attr", this);
  }
}
