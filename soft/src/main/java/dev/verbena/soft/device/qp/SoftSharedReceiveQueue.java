package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.cq.SoftCompletionQueue;
import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.device.object.PdObject;
import dev.verbena.soft.device.post.RecvFiller;
import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.SharedReceives;
import dev.verbena.soft.queue.SharedRecvQueue;
import dev.verbena.soft.queue.XrcQueue;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttr;
import dev.verbena.verbs.SrqAttrMask;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.SrqType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.XrcDomain;
import dev.verbena.verbs.provider.EventedEnding;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.ObjectEvents;
import dev.verbena.verbs.provider.Unsupported;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A shared receive queue of the software device. */
public final class SoftSharedReceiveQueue extends PdObject
    implements SharedReceiveQueue, EventedEnding {
  private static final String MODIFY = "modifySrq";
  private static final int ALL = SrqAttrMask.MAX_WR | SrqAttrMask.LIMIT;

  private final SrqInitAttr init;
  private final SharedRecvQueue queue;
  private final RecvFiller filler;
  private final Lifetime lifetime;
  private final ObjectEvents events;

  /** The queue that requests find by its number; null for kind BASIC. */
  private final @Nullable XrcQueue target;

  private final int number;

  private SoftSharedReceiveQueue(OpenDomain pd, SrqInitAttr attr) {
    super(pd);
    OpenContext context = pd.openContext();
    this.init = copy(attr);
    ObjectEvents raised = new ObjectEvents(context.asyncEvents(), this);
    this.events = raised;
    this.queue =
        new SharedRecvQueue(
            attr.maxWr(),
            attr.maxSge(),
            context.engine().newGuard(Rank.RQ),
            () -> raised.raise(EventType.SRQ_LIMIT_REACHED));
    this.target =
        attr.xrcd() instanceof SoftXrcDomain xrcd && attr.cq() instanceof SoftCompletionQueue cq
            ? new XrcQueue(xrcd.share(), queue, cq.ring(), pd.domain())
            : null;
    this.number = target == null ? 0 : context.engine().addXrcQueue(target);
    String name = target == null ? context.nextNumber() : "0x" + Integer.toHexString(number);
    this.lifetime = pd.lifetime().child(Kind.SRQ, name, this);
    this.filler = new RecvFiller(lifetime.name(), queue, attr.maxSge(), RecvFiller.Words.SHARED);
  }

  private static SrqInitAttr copy(SrqInitAttr attr) {
    return new SrqInitAttr()
        .srqType(attr.srqType())
        .srqContext(attr.srqContext())
        .attr(attr.attr())
        .xrcd(attr.xrcd())
        .cq(attr.cq());
  }

  public static SoftSharedReceiveQueue create(OpenDomain pd, SrqInitAttr attr) {
    String function = "createSrq";
    pd.lifetime().require(function);
    List<Lifetime> uses = uses(function, pd.openContext(), attr);
    range(function, "max_wr", attr.maxWr(), 1, Limits.MAX_SRQ_WR);
    range(function, "max_sge", attr.maxSge(), 0, Limits.MAX_SGE);
    SoftSharedReceiveQueue srq = new SoftSharedReceiveQueue(pd, attr);
    if (srq.number < 0) {
      throw pd.openContext().population().full(function, Kind.SRQ);
    }
    srq.lifetime.begin(function, uses);
    return srq;
  }

  /**
   * The objects that it uses besides its domain: none, or an XRC domain and a completion queue
   * (S7.2).
   */
  private static List<Lifetime> uses(String function, OpenContext context, SrqInitAttr attr) {
    return switch (attr.srqType()) {
      case BASIC -> {
        if (attr.xrcd() != null || attr.cq() != null) {
          throw new VerbsException(
              function, Errno.EINVAL, "an XRC domain or a CQ is for kind XRC, not for BASIC");
        }
        yield List.of();
      }
      case XRC -> {
        if (attr.xrcd() == null || attr.cq() == null) {
          throw new VerbsException(
              function, Errno.EINVAL, "kind XRC needs an XRC domain and a CQ: " + attr);
        }
        yield List.of(
            context.own(function, attr.xrcd(), SoftXrcDomain.class).lifetime(),
            context.own(function, attr.cq(), SoftCompletionQueue.class).lifetime());
      }
      case TM -> throw Unsupported.verb(function, "the software device has no tag matching");
    };
  }

  private static void range(String function, String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new VerbsException(
          function, Errno.EINVAL, name + "=" + value + " is not in " + least + " to " + most);
    }
  }

  /**
   * The receives for one queue pair.
   *
   * @param ring the ring for their completions
   * @param ofQueuePair the queue pair's domain
   */
  ReceiveSource receives(CompletionRing ring, Domain ofQueuePair) {
    return new SharedReceives(queue, ring, openPd().domain(), ofQueuePair);
  }

  @Override
  public ObjectEvents events() {
    return events;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public SrqType srqType() {
    lifetime.require("srqType");
    return init.srqType();
  }

  @Override
  public @Nullable XrcDomain xrcd() {
    lifetime.require("xrcd");
    return init.xrcd();
  }

  @Override
  public @Nullable CompletionQueue cq() {
    lifetime.require("cq");
    return init.cq();
  }

  @Override
  public @Nullable Object srqContext() {
    lifetime.require("srqContext");
    return init.srqContext();
  }

  @Override
  public int srqNum() {
    lifetime.require("getSrqNum");
    if (target == null) {
      throw Unsupported.verb(
          "getSrqNum",
          "only shared receive queues of type XRC have a number, and this one is BASIC");
    }
    return number;
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
  public Runnable release() {
    return target == null ? Lifetime.NOTHING : ending(openContext().engine(), number, target);
  }

  private static Runnable ending(Engine engine, int number, XrcQueue target) {
    return () -> engine.removeXrcQueue(number, target);
  }

  @Override
  public void destroy() {
    lifetime.destroy();
  }
}
