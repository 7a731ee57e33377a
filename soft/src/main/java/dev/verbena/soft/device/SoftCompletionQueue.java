package dev.verbena.soft.device;

import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.engine.Rank;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A completion queue of the software device. */
final class SoftCompletionQueue
    implements CompletionQueue, CompletionRing.Listener, SoftObject, Lifetime.Ending {
  private final SoftContext context;
  private final Engine engine;
  private final @Nullable SoftCompletionChannel channel;
  private final @Nullable Object cqContext;
  private final CompletionRing ring;
  private final Lifetime lifetime;
  private final Unacknowledged notifications = new Unacknowledged();
  private final Unacknowledged asyncEvents = new Unacknowledged();
  private volatile int cqe;
  private volatile boolean overrun;

  private SoftCompletionQueue(
      SoftContext context,
      int cqe,
      @Nullable Object cqContext,
      @Nullable SoftCompletionChannel channel) {
    this.context = context;
    this.engine = context.engine();
    this.cqe = cqe;
    this.cqContext = cqContext;
    this.channel = channel;
    this.ring = new CompletionRing(cqe, engine.newGuard(Rank.CQ), this);
    this.lifetime = context.lifetime().child(Kind.CQ, context.nextNumber(), this);
  }

  static SoftCompletionQueue create(
      SoftContext context,
      int cqe,
      @Nullable Object cqContext,
      @Nullable CompletionChannel channel,
      int compVector) {
    String function = "createCq";
    context.lifetime().require(function);
    checkSize(function, cqe);
    if (compVector < 0 || compVector >= Limits.COMP_VECTORS) {
      throw new VerbsException(
          function,
          Errno.EINVAL,
          "completion vector " + compVector + ", this device has " + Limits.COMP_VECTORS);
    }
    SoftCompletionChannel own =
        channel == null ? null : context.own(function, channel, SoftCompletionChannel.class);
    SoftCompletionQueue cq = new SoftCompletionQueue(context, cqe, cqContext, own);
    cq.lifetime.begin(function, own == null ? List.of() : List.of(own.lifetime()));
    return cq;
  }

  private static void checkSize(String function, int cqe) {
    if (cqe < 1 || cqe > Limits.MAX_CQE) {
      throw new VerbsException(
          function, Errno.EINVAL, cqe + " entries are not in 1 to max_cqe=" + Limits.MAX_CQE);
    }
  }

  CompletionRing ring() {
    return ring;
  }

  @Override
  public SoftContext softContext() {
    return context;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  /** An event of this queue is being taken from the channel; false if the queue ends. */
  boolean takeEvent() {
    return notifications.take();
  }

  @Override
  public void completed() {
    if (channel != null && !notifications.isRetired()) {
      channel.notify(this);
    }
  }

  @Override
  public void overrun() {
    overrun = true;
    context.asyncEvents().raise(EventType.CQ_ERR, this, asyncEvents);
  }

  @Override
  public Context context() {
    lifetime.require("context");
    return context;
  }

  @Override
  public int cqe() {
    lifetime.require("cqe");
    return cqe;
  }

  @Override
  public @Nullable Object cqContext() {
    lifetime.require("cqContext");
    return cqContext;
  }

  @Override
  public @Nullable CompletionChannel channel() {
    lifetime.require("channel");
    return channel;
  }

  @Override
  public int poll(int numEntries, WorkCompletion[] wc) {
    lifetime.require("poll");
    if (numEntries < 0 || numEntries > wc.length) {
      throw new VerbsException(
          "poll", Errno.EINVAL, numEntries + " entries are asked for, the array has " + wc.length);
    }
    int taken = ring.poll(numEntries, wc);
    if (taken == 0 && numEntries > 0) {
      engine.progress();
      taken = ring.poll(numEntries, wc);
      if (taken == 0 && overrun) {
        throw dead();
      }
    }
    return taken;
  }

  @Override
  public boolean poll(WorkCompletion wc) {
    lifetime.require("poll");
    if (ring.poll(wc)) {
      return true;
    }
    engine.progress();
    if (ring.poll(wc)) {
      return true;
    }
    if (overrun) {
      throw dead();
    }
    return false;
  }

  private VerbsException dead() {
    return new VerbsException(
        "poll",
        Errno.EIO,
        lifetime.name() + " has overrun its " + cqe + " entries and lost completions");
  }

  @Override
  public void reqNotify(boolean solicitedOnly) {
    lifetime.require("reqNotify");
    if (channel != null) {
      ring.arm(solicitedOnly);
    }
  }

  @Override
  public void ackEvents(int count) {
    lifetime.require("ackEvents");
    if (count < 0 || !notifications.acknowledge(count)) {
      throw new VerbsException(
          "ackEvents",
          Errno.EINVAL,
          count + " events of " + lifetime.name() + ", fewer were taken and not acknowledged");
    }
  }

  @Override
  public void resize(int newCqe) {
    lifetime.require("resizeCq");
    checkSize("resizeCq", newCqe);
    if (!ring.resize(newCqe)) {
      throw new VerbsException(
          "resizeCq",
          Errno.EINVAL,
          newCqe + " entries, more completions wait in " + lifetime.name());
    }
    cqe = newCqe;
  }

  @Override
  public void modify(int count, int periodMicros) {
    lifetime.require("modifyCq");
    throw Unsupported.verb("modifyCq", "no moderation of events (max_cq_count is 0)");
  }

  @Override
  public void awaitEvents() throws InterruptedException {
    asyncEvents.retireWhenNone();
    try {
      notifications.retireWhenNone();
    } catch (InterruptedException e) {
      asyncEvents.reinstate();
      throw e;
    }
  }

  @Override
  public void dropEvents() {
    asyncEvents.retire();
    notifications.retire();
  }

  @Override
  public void tearDown() {
    context.asyncEvents().purge(asyncEvents);
    if (channel != null) {
      channel.purge(this);
    }
  }

  @Override
  public void destroy() {
    lifetime.destroy("destroyCq");
  }

  @Override
  public boolean isClosed() {
    return lifetime.isClosed();
  }

  @Override
  public void close() {
    lifetime.close("destroyCq");
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
