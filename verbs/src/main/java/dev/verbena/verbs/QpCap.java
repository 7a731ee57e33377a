package dev.verbena.verbs;

/**
 * Sizes of a queue pair (struct ibv_qp_cap).
 *
 * @param maxSendWr outstanding send work requests
 * @param maxRecvWr outstanding receives
 * @param maxSendSge scatter/gather elements of a send work request
 * @param maxRecvSge scatter/gather elements of a receive
 * @param maxInlineData maximum inline data in bytes
 */
public record QpCap(
    int maxSendWr, int maxRecvWr, int maxSendSge, int maxRecvSge, int maxInlineData) {
  @Override
  public String toString() {
    return FieldText.of("qp_cap", this);
  }
}
