package dev.verbena.dropin.struct;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvCqEx;
import dev.verbena.rdmacore.layout.IbvSrq;
import dev.verbena.rdmacore.layout.IbvWq;

/**
 * Counts, in an object's struct, the events delivered to the program: destroying the object waits
 * in the shim until as many have been acknowledged. The counts (struct verbena_reported) follow the
 * struct of libibverbs, or the room that the shim reserves for it.
 */
public final class Reported {
  /** Bytes that the shim reserves for the struct ibv_qp_ex of any release (QP_EX_ROOM). */
  private static final long QP_EX_ROOM = 512;

  /** Offset of the count of asynchronous events, which follows the count of completion events. */
  private static final long ASYNC = Integer.BYTES;

  /** Counts a completion event of a queue. */
  public static synchronized void completion(long cq) {
    increment(cq + IbvCqEx.LAYOUT.size());
  }

  /** Counts an asynchronous event of a completion queue. */
  public static synchronized void asyncOfCq(long cq) {
    increment(cq + IbvCqEx.LAYOUT.size() + ASYNC);
  }

  /** Counts an asynchronous event of a queue pair. */
  public static synchronized void asyncOfQp(long qp) {
    increment(qp + QP_EX_ROOM + ASYNC);
  }

  /** Counts an asynchronous event of a shared receive queue. */
  public static synchronized void asyncOfSrq(long srq) {
    increment(srq + IbvSrq.LAYOUT.size() + ASYNC);
  }

  /** Counts an asynchronous event of a work queue. */
  public static synchronized void asyncOfWq(long wq) {
    increment(wq + IbvWq.LAYOUT.size() + ASYNC);
  }

  private static void increment(long address) {
    Host.setInt(address, Host.getInt(address) + 1);
  }

  private Reported() {}
}
