package dev.verbena.junit;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;

/**
 * Two connected RC queue pairs of one context, each with a protection domain, a completion queue
 * and memory of its own. Both grant their peer every access.
 *
 * <p>A request that nobody answers is sent again after about 4 ms, and ends with RETRY_EXC_ERR
 * after 7 repetitions, in some tens of milliseconds: queue pairs in programs should have more
 * patience.
 *
 * @param left one end
 * @param right the other end
 */
public record ConnectedPair(End left, End right) {
  /** The bytes of memory that an end has. */
  public static final int MEMORY_BYTES = 1 << 16;

  /** Entries of an end's queues, and half of those of its completion queue. */
  public static final int DEPTH = 128;

  private static final int QUICK_TIMEOUT = 10;
  private static final int ALL_REMOTE =
      Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  /**
   * One end.
   *
   * @param pd its protection domain
   * @param cq where its sends and receives complete; it has a channel of its own
   * @param qp its queue pair, in RTS, for which all that RC can send may be posted, by both APIs
   * @param memory {@link #MEMORY_BYTES} bytes, zero at the beginning, with every right
   */
  public record End(ProtectionDomain pd, CompletionQueue cq, QueuePairEx qp, MemoryRegion memory) {}

  static ConnectedPair in(Context context) {
    End left = end(context);
    End right = end(context);
    connect(left.qp(), right.qp());
    connect(right.qp(), left.qp());
    return new ConnectedPair(left, right);
  }

  private static End end(Context context) {
    ProtectionDomain pd = context.allocPd();
    CompletionQueue cq = context.createCq(2 * DEPTH, context.createCompChannel());
    QpInitAttr attr =
        QpInitAttr.rc(cq)
            .maxSendWr(DEPTH)
            .maxRecvWr(DEPTH)
            .sendOps(
                SendOps.SEND,
                SendOps.SEND_WITH_IMM,
                SendOps.SEND_WITH_INV,
                SendOps.RDMA_WRITE,
                SendOps.RDMA_WRITE_WITH_IMM,
                SendOps.RDMA_READ,
                SendOps.ATOMIC_CMP_AND_SWP,
                SendOps.ATOMIC_FETCH_AND_ADD,
                SendOps.LOCAL_INV,
                SendOps.BIND_MW);
    MemoryRegion memory = pd.allocMr(MEMORY_BYTES, Access.LOCAL_WRITE, Access.MW_BIND, ALL_REMOTE);
    return new End(pd, cq, pd.createQpEx(attr), memory);
  }

  private static void connect(QueuePair qp, QueuePair peer) {
    qp.connect(qp.endpoint(), peer.endpoint(), new QpAttr().timeout(QUICK_TIMEOUT), ALL_REMOTE);
  }
}
