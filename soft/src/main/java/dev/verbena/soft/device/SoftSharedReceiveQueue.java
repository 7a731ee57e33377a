package dev.verbena.soft.device;

import dev.verbena.soft.engine.Rank;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.SharedReceives;
import dev.verbena.soft.queue.SharedRecvQueue;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttr;
import dev.verbena.verbs.SrqAttrMask;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.SrqType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.XrcDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A shared receive queue of the software device. */
final class SoftSharedReceiveQueue
    implements SharedReceiveQueue, SharedRecvQueue.Listener, SoftObject, Lifetime.Ending {
  private static final String MODIFY = "modifySrq";
  private static final int ALL = SrqAttrMask.MAX_WR | SrqAttrMask.LIMIT;

  private final SoftProtectionDomain pd;
  private final @Nullable Object srqContext;
  private final SharedRecvQueue queue;
  private final RecvFiller filler;
  private final Lifetime lifetime;
  private final Unacknowledged events = new Unacknowledged();

  private SoftSharedReceiveQueue(SoftProtectionDomain pd, SrqInitAttr attr) {
    SoftContext context = pd.softContext();
    this.pd = pd;
    this.srqContext = attr.srqContext();
    this.queue =
        new SharedRecvQueue(attr.maxWr(), attr.maxSge(), context.engine().newGuard(Rank.RQ), this);
    this.filler = new RecvFiller(queue, attr.maxSge(), RecvFiller.Words.SHARED);
    this.lifetime = pd.lifetime().child(Kind.SRQ, context.nextNumber(), this);
  }

  static SoftSharedReceiveQueue create(SoftProtectionDomain pd, SrqInitAttr attr) {
    String function = "createSrq";
    pd.lifetime().require(function);
    if (attr.srqType() != SrqType.BASIC) {
      throw Unsupported.verb(function, "no shared receive queues of kind " + attr.srqType());
    }
    if (attr.xrcd() != null || attr.cq() != null) {
      throw new VerbsException(
          function, Errno.EINVAL, "an XRC domain or a CQ is for kind XRC, not for BASIC");
    }
    range(function, "max_wr", attr.maxWr(), 1, Limits.MAX_SRQ_WR);
    range(function, "max_sge", attr.maxSge(), 0, Limits.MAX_SGE);
    SoftSharedReceiveQueue srq = new SoftSharedReceiveQueue(pd, attr);
    srq.lifetime.begin(function, List.of());
    return srq;
  }

  private static void range(String function, String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new VerbsException(
          function, Errno.EINVAL, name + "=" + value + " is not in " + least + " to " + most);
    }
  }

  /**
   * The receives as one queue pair takes them.
   *
   * @param ring where those complete
   */
  ReceiveSource receives(CompletionRing ring) {
    return new SharedReceives(queue, ring, pd.domain());
  }

  @Override
  public SoftContext softContext() {
    return pd.softContext();
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public void limitReached() {
    softContext().asyncEvents().raise(EventType.SRQ_LIMIT_REACHED, this, events);
  }

  @Override
  public Context context() {
    lifetime.require("context");
    return pd.softContext();
  }

  @Override
  public ProtectionDomain pd() {
    lifetime.require("pd");
    return pd;
  }

  @Override
  public SrqType srqType() {
    lifetime.require("srqType");
    return SrqType.BASIC;
  }

  @Override
  public @Nullable XrcDomain xrcd() {
    lifetime.require("xrcd");
    return null;
  }

  @Override
  public @Nullable CompletionQueue cq() {
    lifetime.require("cq");
    return null;
  }

  @Override
  public @Nullable Object srqContext() {
    lifetime.require("srqContext");
    return srqContext;
  }

  @Override
  public int srqNum() {
    lifetime.require("getSrqNum");
    throw Unsupported.verb("getSrqNum", "no numbers for shared receive queues of kind BASIC");
  }

  @Override
  public void postRecv(@Nullable RecvWr wr) {
    lifetime.require("postSrqRecv");
    WorkRequestException failure;
    queue.enter();
    try {
      failure = filler.post(wr);
    } finally {
      queue.exit();
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public SrqAttr query() {
    lifetime.require("querySrq");
    queue.enter();
    try {
      return new SrqAttr(queue.capacity(), queue.maxSge(), queue.limit());
    } finally {
      queue.exit();
    }
  }

  @Override
  public void modify(SrqAttr attr, int... mask) {
    lifetime.require(MODIFY);
    int given = 0;
    for (int bits : mask) {
      given |= bits;
    }
    if (given == 0 || (given & ~ALL) != 0) {
      throw refused("mask 0x" + Integer.toHexString(given) + " is not of MAX_WR and LIMIT");
    }
    boolean resizes = (given & SrqAttrMask.MAX_WR) != 0;
    boolean arms = (given & SrqAttrMask.LIMIT) != 0;
    queue.enter();
    try {
      int maxWr = resizes ? attr.maxWr() : queue.capacity();
      int limit = arms ? attr.srqLimit() : queue.limit();
      check(maxWr, limit);
      if (resizes) {
        queue.resize(maxWr);
      }
      if (arms) {
        queue.arm(limit);
      }
    } finally {
      queue.exit();
    }
  }

  /** S3.4.5, S3.4.6. */
  private void check(int maxWr, int limit) {
    range(MODIFY, "max_wr", maxWr, 1, Limits.MAX_SRQ_WR);
    if (maxWr < queue.size()) {
      throw refused("max_wr=" + maxWr + ", but it holds " + queue.size() + " receives");
    }
    if (limit < 0 || limit > maxWr) {
      throw refused("srq_limit=" + limit + " is not in 0 to max_wr=" + maxWr);
    }
  }

  private VerbsException refused(String detail) {
    return new VerbsException(MODIFY, Errno.EINVAL, lifetime.name() + ": " + detail);
  }

  @Override
  public void awaitEvents() throws InterruptedException {
    events.retireWhenNone();
  }

  @Override
  public void dropEvents() {
    events.retire();
  }

  @Override
  public void tearDown() {
    softContext().asyncEvents().purge(events);
  }

  @Override
  public void destroy() {
    lifetime.destroy("destroySrq");
  }

  @Override
  public boolean isClosed() {
    return lifetime.isClosed();
  }

  @Override
  public void close() {
    lifetime.close("destroySrq");
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
