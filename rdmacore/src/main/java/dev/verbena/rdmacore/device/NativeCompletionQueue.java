package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.event.Elements;
import dev.verbena.rdmacore.host.FieldBits;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvCq;
import dev.verbena.rdmacore.layout.IbvModifyCqAttr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.rdmacore.post.PollSide;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.provider.CqEvents;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.ObjectEvents;
import dev.verbena.verbs.provider.ObjectRules;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A completion queue of libibverbs. */
sealed class NativeCompletionQueue extends NativeObject implements CompletionQueue
    permits NativeCompletionQueueEx {
  private static final String CREATE = "createCq";

  /** IBV_CQ_ATTR_MODERATE. */
  private static final int MODERATION = 1;

  private final @Nullable NativeCompletionChannel channel;
  private final @Nullable Object cqContext;
  private final long address;
  private final PollSide polls;
  private final CqEvents events;

  NativeCompletionQueue(
      NativeContext context,
      CqInitAttrEx attr,
      @Nullable NativeCompletionChannel channel,
      long address) {
    super(context, Kind.CQ, address, Functions.DESTROY_CQ);
    this.channel = channel;
    this.cqContext = attr.cqContext();
    this.address = address;
    this.polls = new PollSide(lifetime().name(), context.operations(), address);
    this.events = new CqEvents(lifetime().name(), new ObjectEvents(context.asyncEvents(), this));
  }

  static NativeCompletionQueue create(NativeContext context, CqInitAttrEx attr) {
    return create(
        CREATE,
        context,
        attr,
        new ArrayList<>(),
        (use, channel) ->
            Functions.CREATE_CQ.call(CREATE, use, attr.cqe(), 0, channel, attr.compVector()),
        NativeCompletionQueue::new);
  }

  /** The function of the library that makes one kind of queue, of context and channel. */
  interface Call {
    Answer call(long context, long channel);
  }

  /** Makes one kind of queue. */
  interface Maker<Q extends NativeCompletionQueue> {
    Q make(
        NativeContext context,
        CqInitAttrEx attr,
        @Nullable NativeCompletionChannel channel,
        long address);
  }

  /**
   * Makes one kind of queue.
   *
   * @param uses objects that must not end before it, to which its channel is added
   */
  static <Q extends NativeCompletionQueue> Q create(
      String verb,
      NativeContext context,
      CqInitAttrEx attr,
      List<Lifetime> uses,
      Call call,
      Maker<Q> maker) {
    context.lifetime().require(verb);
    requireEntries(verb, "a completion queue", attr.cqe(), context);
    NativeCompletionChannel channel =
        context.ownIfGiven(verb, attr.channel(), NativeCompletionChannel.class, uses);
    try (Handle.Use use = context.handle().use(verb);
        Handle.@Nullable Use events = channel == null ? null : channel.handle().use(verb)) {
      long address =
          call.call(use.address(), events == null ? 0 : events.address())
              .locking()
              .pointer(
                  verb,
                  () ->
                      attr
                          + ": the "
                          + context
                          + " has max_cqe="
                          + context.queryDevice().maxCqe()
                          + " and "
                          + context.numCompVectors()
                          + " completion vectors");
      return make(
          address,
          verb,
          Functions.DESTROY_CQ,
          () -> maker.make(context, attr, channel, address),
          uses);
    }
  }

  /** What takes its completions. */
  final PollSide polls() {
    return polls;
  }

  @Override
  void enlist() {
    home().elements().add(address, events.async());
    if (channel != null) {
      channel.add(address, this);
    }
  }

  private static void requireEntries(String verb, String queue, int cqe, NativeContext context) {
    if (cqe < 1) {
      throw new VerbsException(
          verb,
          Errno.EINVAL,
          queue + " with cqe=" + cqe + ": from 1 to max_cqe=" + context.queryDevice().maxCqe());
    }
  }

  /** An event of this queue is being taken from the channel; false if the queue ends. */
  final boolean takeEvent() {
    return events.take();
  }

  /** An event that was taken is acknowledged when the queue ends. */
  final void deferEvent() {
    events.defer();
  }

  /** Whether its events are for the program: not once it ends. */
  final boolean mayNotify() {
    return !events.isRetired();
  }

  @Override
  public int cqe() {
    try (Handle.Use use = handle().use("cqe")) {
      return Host.getInt(use.address() + IbvCq.CQE);
    }
  }

  @Override
  public @Nullable Object cqContext() {
    lifetime().require("cqContext");
    return cqContext;
  }

  @Override
  public @Nullable CompletionChannel channel() {
    lifetime().require("channel");
    return channel;
  }

  @Override
  public int poll(int numEntries, WorkCompletion[] wc) {
    if (numEntries < 0 || numEntries > wc.length) {
      throw new VerbsException(
          "poll",
          Errno.EINVAL,
          numEntries
              + " completions of "
              + lifetime().name()
              + " are asked for, the array has room for "
              + wc.length);
    }
    for (int i = 0; i < numEntries; i++) {
      if (wc[i] == null) {
        throw new VerbsException(
            "poll",
            Errno.EINVAL,
            "element " + i + " of the array for completions of " + lifetime().name() + " is null");
      }
    }
    return polls.poll(numEntries, wc);
  }

  @Override
  public boolean poll(WorkCompletion wc) {
    return polls.poll(wc);
  }

  @Override
  public void reqNotify(boolean solicitedOnly) {
    polls.requestNotification(solicitedOnly);
  }

  @Override
  public boolean awaitNotification(Duration timeout) throws InterruptedException {
    String verb = "awaitNotification";
    lifetime().require(verb);
    return ObjectRules.channel(verb, lifetime(), channel).await(verb, this, timeout);
  }

  @Override
  public void ackEvents(int count) {
    lifetime().require("ackEvents");
    events.acknowledge(count);
  }

  @Override
  public long compEvents() {
    lifetime().require("compEvents");
    return events.deferred();
  }

  @Override
  public void resize(int cqe) {
    String verb = "resizeCq";
    lifetime().require(verb);
    requireEntries(verb, lifetime().name(), cqe, home());
    try (Handle.Use use = handle().use(verb)) {
      Functions.RESIZE_CQ
          .call(verb, use.address(), cqe)
          .locking()
          .orThrow(
              verb,
              () ->
                  lifetime().name()
                      + " with cqe="
                      + cqe
                      + ", of max_cqe="
                      + home().queryDevice().maxCqe());
    }
  }

  @Override
  public void modify(int count, int periodMicros) {
    String verb = "modifyCq";
    lifetime().require(verb);
    FieldBits.requireFit(verb, this + ": cq_count", count, Short.SIZE);
    FieldBits.requireFit(verb, this + ": cq_period", periodMicros, Short.SIZE);
    try (Handle.Use use = handle().use(verb);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvModifyCqAttr.LAYOUT.size(), Long.BYTES).address();
      Host.setInt(in + IbvModifyCqAttr.ATTR_MASK, MODERATION);
      Host.setShort(in + IbvModifyCqAttr.MODERATE_CQ_COUNT, count);
      Host.setShort(in + IbvModifyCqAttr.MODERATE_CQ_PERIOD, periodMicros);
      home()
          .operations()
          .extended("modify_cq", VerbsContext.MODIFY_CQ)
          .call(verb, use.address(), in)
          .orThrow(
              verb, "cq_count=" + count + " and cq_period=" + periodMicros + " us for " + this);
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
  public void destroy() {
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    return ending();
  }

  /** What ends it, after these steps. */
  final Runnable ending(Runnable... first) {
    Elements elements = home().elements();
    long struct = address;
    List<Runnable> steps = new ArrayList<>(List.of(first));
    steps.add(() -> elements.remove(struct));
    steps.add(polls::end);
    return handle().endingAfter(steps.toArray(Runnable[]::new));
  }

  @Override
  public void tearDown() {
    events.purge();
    if (channel != null) {
      channel.remove(address, this);
    }
  }
}
