package dev.verbena.dropin;

import dev.verbena.rdmacore.layout.IbvCqEx;
import dev.verbena.rdmacore.layout.IbvSrq;
import dev.verbena.rdmacore.layout.IbvWq;

/**
 * Counts, in an object's struct, the events of it that the program was given: destroying waits in
 * the shim until as many were acknowledged. The counts (struct verbena_reported) follow the struct
 * of libibverbs, or the room that the shim keeps for it.
 */
final class Reported {
  /** Bytes that the shim has for the struct ibv_qp_ex of whichever release (QP_EX_ROOM). */
  private static final long QP_EX_ROOM = 512;

  /** Bytes before the count of asynchronous events; that of completion events is first. */
  private static final long ASYNC = Integer.BYTES;

  /** A completion event of a queue was given. */
  static synchronized void completion(long cq) {
    increment(cq + IbvCqEx.LAYOUT.size());
  }

  /** An asynchronous event of a completion queue was given. */
  static synchronized void asyncOfCq(long cq) {
    increment(cq + IbvCqEx.LAYOUT.size() + ASYNC);
  }

  /** An asynchronous event of a queue pair was given. */
  static synchronized void asyncOfQp(long qp) {
    increment(qp + QP_EX_ROOM + ASYNC);
  }

  /** An asynchronous event of a shared receive queue was given. */
  static synchronized void asyncOfSrq(long srq) {
    increment(srq + IbvSrq.LAYOUT.size() + ASYNC);
  }

  /** An asynchronous event of a work queue was given. */
  static synchronized void asyncOfWq(long wq) {
    increment(wq + IbvWq.LAYOUT.size() + ASYNC);
  }

  private static void increment(long address) {
    Host.setInt(address, Host.getInt(address) + 1);
  }

  private Reported() {}
}
