package dev.verbena.soft.device.raw;

import dev.verbena.soft.device.cq.SoftCompletionQueue;
import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.device.object.PdObject;
import dev.verbena.soft.device.post.RecvPoster;
import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.engine.qp.QpSetup;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.WqState;
import dev.verbena.verbs.provider.EventedEnding;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.ObjectEvents;
import dev.verbena.verbs.provider.Unsupported;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A work queue of the software device: the receiving half of a RAW_PACKET queue pair. Its states
 * are those of a queue pair in INIT, where receives wait, RTR and ERR.
 */
public final class SoftWorkQueue extends PdObject implements WorkQueue, EventedEnding {
  private static final String CREATE = "createWq";

  private final CompletionQueue cq;
  private final int maxWr;
  private final int maxSge;
  private final @Nullable Object wqContext;
  private final QpRuntime runtime;
  private final RecvPoster receives;
  private final Lifetime lifetime;
  private final ObjectEvents events;

  private SoftWorkQueue(OpenDomain pd, WqInitAttr attr, CompletionRing ring) {
    super(pd);
    cq = attr.cq();
    maxWr = attr.maxWr();
    maxSge = attr.maxSge();
    wqContext = attr.wqContext();
    ObjectEvents raised = new ObjectEvents(pd.openContext().asyncEvents(), this);
    events = raised;
    runtime =
        pd.openContext()
            .engine()
            .attach(
                new QpSetup(
                    QpSetup.ANY_NUMBER,
                    QpType.RAW_PACKET,
                    new QpCap(0, maxWr, 0, maxSge, 0),
                    /* maxTsoHeader= */ 0,
                    CompletionRing.unused(),
                    ring,
                    /* shared= */ null,
                    pd.domain(),
                    pd.locks(),
                    event -> raise(event, raised)));
    runtime.change(() -> runtime.status().state(QpState.INIT));
    lifetime = pd.lifetime().child(Kind.WQ, "0x" + Integer.toHexString(runtime.qpNum()), this);
    receives = RecvPoster.ofWorkQueue(runtime, lifetime, maxSge);
  }

  public static SoftWorkQueue create(OpenContext context, WqInitAttr attr) {
    context.lifetime().require(CREATE);
    context.port().requireEthernet(CREATE);
    OpenDomain pd = context.own(CREATE, attr.pd(), OpenDomain.class);
    SoftCompletionQueue cq = context.own(CREATE, attr.cq(), SoftCompletionQueue.class);
    if (attr.createFlags() != 0) {
      throw Unsupported.verb(
          CREATE,
          "the software device has no create_flags for work queues; given are 0x"
              + Integer.toHexString(attr.createFlags()));
    }
    range("max_wr", attr.maxWr(), Limits.MAX_QP_WR);
    range("max_sge", attr.maxSge(), Limits.MAX_SGE);
    SoftWorkQueue wq = new SoftWorkQueue(pd, attr, cq.ring());
    wq.lifetime.begin(CREATE, List.of(cq.lifetime()));
    return wq;
  }

  private static void range(String name, int value, int most) {
    if (value < 0 || value > most) {
      throw new VerbsException(
          CREATE, Errno.EINVAL, name + "=" + value + " is not in 0 to " + most);
    }
  }

  /** The only event that a work queue shares with a queue pair: its completion queue is full. */
  private static void raise(EventType type, ObjectEvents events) {
    if (type == EventType.QP_FATAL) {
      events.raise(EventType.WQ_FATAL);
    }
  }

  /** The receiver of the frames. */
  QpRuntime runtime() {
    return runtime;
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
  public CompletionQueue cq() {
    lifetime.require("cq");
    return cq;
  }

  @Override
  public int wqNum() {
    lifetime.require("wqNum");
    return runtime.qpNum();
  }

  @Override
  public int maxWr() {
    lifetime.require("maxWr");
    return maxWr;
  }

  @Override
  public int maxSge() {
    lifetime.require("maxSge");
    return maxSge;
  }

  @Override
  public WqState state() {
    lifetime.require("state");
    return stateOf(runtime.status().state);
  }

  private static WqState stateOf(QpState state) {
    return switch (state) {
      case INIT -> WqState.RESET;
      case RTR -> WqState.RDY;
      case ERR -> WqState.ERR;
      case RESET, RTS, SQD, SQE, UNKNOWN -> WqState.UNKNOWN;
    };
  }

  @Override
  public @Nullable Object wqContext() {
    lifetime.require("wqContext");
    return wqContext;
  }

  @Override
  public void modify(WqState to) {
    lifetime.require("modifyWq");
    runtime.change(
        () -> {
          lifetime.require("modifyWq");
          change(to);
        });
    if (to == WqState.RESET) {
      runtime.forgetCompletions();
    }
  }

  private void change(WqState to) {
    WqState from = stateOf(runtime.status().state);
    switch (to) {
      case RESET -> {
        runtime.reset();
        runtime.status().state(QpState.INIT);
      }
      case RDY -> {
        require(from == WqState.RESET, from, to);
        runtime.startReceives(0);
        runtime.status().state(QpState.RTR);
      }
      case ERR -> {
        require(from == WqState.RDY, from, to);
        runtime.status().state(QpState.ERR);
        runtime.flush();
      }
      case UNKNOWN -> require(false, from, to);
    }
  }

  private void require(boolean possible, WqState from, WqState to) {
    if (!possible) {
      throw new VerbsException(
          "modifyWq", Errno.EINVAL, lifetime.name() + " cannot go from " + from + " to " + to);
    }
  }

  @Override
  public void postRecv(@Nullable RecvWr wr) {
    lifetime.require("postWqRecv");
    receives.post(wr);
  }

  @Override
  public Runnable release() {
    return ending(openContext().engine(), runtime);
  }

  private static Runnable ending(Engine engine, QpRuntime runtime) {
    return () -> engine.detach(runtime);
  }

  @Override
  public void destroy() {
    lifetime.destroy();
  }
}
