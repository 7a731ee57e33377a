package dev.verbena.soft.transport.requester;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;

/** The request with which a queue pair has failed: one object, which is filled in that case. */
final class FailedSend {
  private WrOpcode opcode = WrOpcode.SEND;
  private long wrId;
  private WcStatus outcome = WcStatus.SUCCESS;
  private AccessFault fault = AccessFault.NONE;

  /** Records the failed request and the reason. */
  FailedSend of(SendWqe wqe, WcStatus status, AccessFault why) {
    opcode = wqe.operation.opcode;
    wrId = wqe.wrId;
    outcome = status;
    fault = why;
    return this;
  }

  /** Such as {@code RDMA_WRITE wr_id 7 ended with LOC_PROT_ERR: no region has this key}. */
  @Override
  public String toString() {
    String end = opcode + " wr_id " + wrId + " ended with " + outcome;
    return fault == AccessFault.NONE ? end : end + ": " + fault.text();
  }
}
