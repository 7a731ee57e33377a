package dev.verbena.soft.device.cq;

import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.device.object.SoftObject;
import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.engine.progress.Alarm;
import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.Guard;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.CreateCqFlags;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.provider.CqEvents;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.ObjectEvents;
import dev.verbena.verbs.provider.ObjectRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A completion queue of the software device. */
public sealed class SoftCompletionQueue extends SoftObject
    implements CompletionQueue, Lifetime.Ending permits SoftCompletionQueueEx {
  private final OpenContext context;
  private final Engine engine;
  private final @Nullable SoftCompletionChannel channel;
  private final @Nullable Object cqContext;
  private final Guard pollGuard;
  private final CompletionRing ring;
  private final Alarm alarm;
  private final Lifetime lifetime;
  private final CqEvents events;
  private volatile boolean overrun;

  /** Makes one kind of completion queue. */
  interface Maker<Q extends SoftCompletionQueue> {
    Q make(
        OpenContext context,
        CqInitAttrEx attr,
        @Nullable SoftCompletionChannel channel,
        @Nullable OpenDomain domain);
  }

  private SoftCompletionQueue(
      OpenContext context,
      CqInitAttrEx attr,
      @Nullable SoftCompletionChannel channel,
      @Nullable OpenDomain domain) {
    this(context, attr, channel, domain, false);
  }

  /**
   * @param attr the checked attributes
   * @param stamped whether completions get a time stamp
   */
  SoftCompletionQueue(
      OpenContext context,
      CqInitAttrEx attr,
      @Nullable SoftCompletionChannel channel,
      @Nullable OpenDomain domain,
      boolean stamped) {
    this.context = context;
    this.engine = context.engine();
    this.cqContext = attr.cqContext();
    this.channel = channel;
    boolean oneThread =
        (attr.flags() & CreateCqFlags.SINGLE_THREADED) != 0 || (domain != null && !domain.locks());
    this.pollGuard = oneThread ? Guard.NONE : engine.newGuard(Rank.POLL);
    boolean ignoresOverrun = (attr.flags() & CreateCqFlags.IGNORE_OVERRUN) != 0;
    this.ring =
        new CompletionRing(
            attr.cqe(),
            engine.newGuard(Rank.CQ),
            pollGuard,
            new CompletionRing.Options(engine.clock()::now, stamped, ignoresOverrun),
            new RingListener(this));
    this.alarm = engine.newAlarm(ring::expire);
    this.lifetime = context.lifetime().child(Kind.CQ, context.nextNumber(), this);
    this.events = new CqEvents(lifetime.name(), new ObjectEvents(context.asyncEvents(), this));
  }

  public static CompletionQueue create(OpenContext context, CqInitAttrEx attr) {
    return begin("createCq", context, attr, SoftCompletionQueue::new);
  }

  static <Q extends SoftCompletionQueue> Q begin(
      String function, OpenContext context, CqInitAttrEx attr, Maker<Q> maker) {
    context.lifetime().require(function);
    CqInitChecks.check(function, attr);
    List<Lifetime> uses = new ArrayList<>();
    SoftCompletionChannel channel =
        context.ownIfGiven(function, attr.channel(), SoftCompletionChannel.class, uses);
    OpenDomain domain = context.ownIfGiven(function, attr.parentDomain(), OpenDomain.class, uses);
    Q cq = maker.make(context, attr, channel, domain);
    cq.lifetime().begin(function, uses);
    return cq;
  }

  public final CompletionRing ring() {
    return ring;
  }

  /** The guard that is held while completions are taken. */
  final Guard pollGuard() {
    return pollGuard;
  }

  @Override
  public OpenContext openContext() {
    return context;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  /**
   * An event of this queue is being taken from the channel; returns false if the queue is ending.
   */
  boolean takeEvent() {
    return events.take();
  }

  /** Makes a taken event count as acknowledged when the queue ends. */
  void deferEvent() {
    events.defer();
  }

  @Override
  public long compEvents() {
    lifetime.require("compEvents");
    return events.deferred();
  }

  /** As {@link CompletionRing.Listener#completed}. */
  final void completed() {
    if (channel != null && !events.isRetired()) {
      channel.notify(this);
    }
  }

  /** As {@link CompletionRing.Listener#waitsUntil}. */
  final void waitsUntil(long deadline) {
    alarm.set(deadline);
  }

  /** As {@link CompletionRing.Listener#overrun}. */
  final void overrun() {
    overrun = true;
    events.raise(EventType.CQ_ERR);
  }

  @Override
  public int cqe() {
    lifetime.require("cqe");
    return ring.capacity();
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
          "poll", Errno.EINVAL, numEntries + " entries are requested, the array has " + wc.length);
    }
    int taken = ring.poll(numEntries, wc);
    if (taken == 0 && numEntries > 0) {
      progress();
      taken = ring.poll(numEntries, wc);
      if (taken == 0) {
        requireNotDead("poll");
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
    progress();
    if (ring.poll(wc)) {
      return true;
    }
    requireNotDead("poll");
    return false;
  }

  /** Lets the device make progress, because nothing has completed. */
  final void progress() {
    engine.progress();
  }

  /**
   * Throws if completions were lost or the queue has ended, instead of reporting an empty queue.
   */
  final void requireNotDead(String function) {
    // It may have been closed while this thread waited for another one to end its polling.
    lifetime.require(function);
    if (overrun) {
      throw new VerbsException(
          function,
          Errno.EIO,
          lifetime.name()
              + " has overrun its "
              + ring.capacity()
              + " entries and lost completions");
    }
  }

  @Override
  public void reqNotify(boolean solicitedOnly) {
    lifetime.require("reqNotify");
    if (channel != null) {
      ring.arm(solicitedOnly);
    }
  }

  @Override
  public boolean awaitNotification(Duration timeout) throws InterruptedException {
    String function = "awaitNotification";
    lifetime.require(function);
    return ObjectRules.channel(function, lifetime, channel).await(function, this, timeout);
  }

  @Override
  public void ackEvents(int count) {
    lifetime.require("ackEvents");
    events.acknowledge(count);
  }

  @Override
  public void resize(int newCqe) {
    lifetime.require("resizeCq");
    CqInitChecks.size("resizeCq", newCqe);
    if (!ring.resize(newCqe)) {
      throw new VerbsException(
          "resizeCq",
          Errno.EINVAL,
          newCqe + " entries, more completions wait in " + lifetime.name());
    }
  }

  @Override
  public void modify(int count, int periodMicros) {
    lifetime.require("modifyCq");
    moderation("cq_count", count, Limits.MAX_CQ_COUNT);
    moderation("cq_period", periodMicros, Limits.MAX_CQ_PERIOD);
    ring.moderate(count, TimeUnit.MICROSECONDS.toNanos(periodMicros));
  }

  private static void moderation(String name, int value, int most) {
    if (value < 0 || value > most) {
      throw new VerbsException(
          "modifyCq", Errno.EINVAL, name + "=" + value + " is not in 0 to " + most);
    }
  }

  @Override
  public void awaitEvents() throws InterruptedException {
    events.await();
  }

  @Override
  public void dropEvents() {
    events.drop();
  }

  @Override
  public Runnable release() {
    return ring::close;
  }

  @Override
  public void tearDown() {
    events.purge();
    if (channel != null) {
      channel.purge(this);
    }
  }

  @Override
  public void destroy() {
    lifetime.destroy();
  }
}
