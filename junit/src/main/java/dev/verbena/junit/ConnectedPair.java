package dev.verbena.junit;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.DeviceCapEx;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;

/**
 * Two connected RC queue pairs of one context, each with a protection domain, a completion queue
 * and memory of its own. Both are alike: either may post, and each grants the other every access
 * that the device has for such memory.
 *
 * <p>A request that nobody answers is sent again after about 4 ms, and ends with RETRY_EXC_ERR
 * after 7 repetitions, in some tens of milliseconds: queue pairs in programs should have more
 * patience.
 */
public final class ConnectedPair {
  /** The bytes of memory that an end has. */
  public static final int MEMORY_BYTES = 1 << 16;

  /** Entries of an end's queues, and half of those of its completion queue. */
  public static final int DEPTH = 128;

  private static final int QUICK_TIMEOUT = 10;

  private final End left;
  private final End right;

  private ConnectedPair(End left, End right) {
    this.left = left;
    this.right = right;
  }

  static ConnectedPair in(Context context) {
    Abilities abilities = Abilities.of(context);
    End left = new End(context, abilities);
    End right = new End(context, abilities);
    connect(left.qp, right.qp, abilities);
    connect(right.qp, left.qp, abilities);
    return new ConnectedPair(left, right);
  }

  private static void connect(QueuePair qp, QueuePair peer, Abilities abilities) {
    qp.connect(
        qp.endpoint(), peer.endpoint(), new QpAttr().timeout(QUICK_TIMEOUT), abilities.remote);
  }

  /** One end. */
  public End left() {
    return left;
  }

  /** The other end. */
  public End right() {
    return right;
  }

  /** One end. */
  public static final class End {
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePairEx qp;
    private final MemoryRegion memory;

    private End(Context context, Abilities abilities) {
      pd = context.allocPd();
      cq = context.createCq(2 * DEPTH, context.createCompChannel());
      qp =
          pd.createQpEx(
              QpInitAttr.rc(cq).maxSendWr(DEPTH).maxRecvWr(DEPTH).sendOps(abilities.sendOps));
      memory = pd.allocMr(MEMORY_BYTES, Access.LOCAL_WRITE, abilities.local, abilities.remote);
    }

    /** Its protection domain. */
    public ProtectionDomain pd() {
      return pd;
    }

    /** Where its sends and receives complete; it has a channel of its own. */
    public CompletionQueue cq() {
      return cq;
    }

    /**
     * Its queue pair, in RTS, for which all that the device can send by RC may be posted, by both
     * APIs.
     */
    public QueuePairEx qp() {
      return qp;
    }

    /**
     * {@link ConnectedPair#MEMORY_BYTES} bytes, zero at the beginning, which this end may write and
     * bind windows to, and the other may write, read, change by atomics and flush ({@link
     * Access#FLUSH_GLOBAL}), as far as the device can. Code that uses a connection's {@code
     * RemoteRegion} gets {@code RemoteRegion.of(memory)}.
     */
    public MemoryRegion memory() {
      return memory;
    }
  }

  /** What the device can do beyond what every device can. */
  private static final class Abilities {
    private int sendOps =
        SendOps.SEND
            | SendOps.SEND_WITH_IMM
            | SendOps.SEND_WITH_INV
            | SendOps.RDMA_WRITE
            | SendOps.RDMA_WRITE_WITH_IMM
            | SendOps.RDMA_READ
            | SendOps.ATOMIC_CMP_AND_SWP
            | SendOps.ATOMIC_FETCH_AND_ADD
            | SendOps.LOCAL_INV;
    private int local;
    private int remote = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

    static Abilities of(Context context) {
      long flags = context.queryDeviceEx().deviceCapFlagsEx();
      Abilities found = new Abilities();
      if ((flags & DeviceCap.MEM_WINDOW) != 0) {
        found.sendOps |= SendOps.BIND_MW;
        found.local |= Access.MW_BIND;
      }
      if ((flags & DeviceCapEx.ATOMIC_WRITE) != 0) {
        found.sendOps |= SendOps.ATOMIC_WRITE;
      }
      if ((flags & DeviceCapEx.FLUSH_GLOBAL) != 0) {
        found.sendOps |= SendOps.FLUSH;
        found.remote |= Access.FLUSH_GLOBAL;
      }
      return found;
    }
  }
}
