package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.event.Descriptor;
import dev.verbena.rdmacore.event.EventStream;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvCompChannel;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.provider.Deadline;
import dev.verbena.verbs.provider.EventMailbox;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.WaitSignal;
import java.lang.ref.WeakReference;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A completion channel of libibverbs; the program's acknowledgements are counted in Java. */
final class NativeCompletionChannel extends NativeObject
    implements CompletionChannel, EventStream.Receiver {
  private static final String GET = "getCqEvent";

  /** The library's functions. */
  private static final EventStream.Calls LIBRARY =
      new EventStream.Calls() {
        @Override
        public Answer read(long owner, long event) {
          return Functions.GET_CQ_EVENT.call(GET, owner, event, event + Long.BYTES);
        }

        @Override
        public void acknowledge(long event) {
          Functions.ACK_CQ_EVENTS.call("ackCqEvents", Host.getLong(event), 1);
        }
      };

  private final Descriptor descriptor;
  private final EventMailbox<NativeCompletionQueue> mailbox;
  private final EventStream events;

  /** By the addresses of their structs. */
  private final Map<Long, WeakReference<NativeCompletionQueue>> queues = new ConcurrentHashMap<>();

  private NativeCompletionChannel(NativeContext context, long address) {
    super(context, Kind.CHANNEL, address, Functions.DESTROY_COMP_CHANNEL);
    this.descriptor = new Descriptor(Host.getInt(address + IbvCompChannel.FD));
    this.mailbox =
        new EventMailbox<>(lifetime(), new WaitSignal(() -> {}), NativeCompletionQueue::takeEvent);
    this.events = new EventStream(GET, lifetime().name(), handle(), descriptor, LIBRARY, this);
  }

  static NativeCompletionChannel create(NativeContext context) {
    return make(
        context,
        Kind.CHANNEL,
        "createCompChannel",
        Functions.CREATE_COMP_CHANNEL,
        Functions.DESTROY_COMP_CHANNEL,
        address -> new NativeCompletionChannel(context, address));
  }

  /** A queue whose events arrive here. */
  void add(long address, NativeCompletionQueue cq) {
    queues.put(address, new WeakReference<>(cq));
  }

  /** The queue has ended. Its struct is freed, so another queue may have the address by now. */
  void remove(long address, NativeCompletionQueue cq) {
    queues.computeIfPresent(address, (_, entry) -> entry.refersTo(cq) ? null : entry);
    mailbox.purge(cq::equals);
  }

  @Override
  public CompletionQueue getCqEvent() throws InterruptedException {
    NativeCompletionQueue cq = null;
    while (cq == null) {
      cq = await(Deadline.never());
    }
    return cq;
  }

  @Override
  public @Nullable CompletionQueue getCqEvent(Duration timeout) throws InterruptedException {
    return await(Deadline.after(timeout));
  }

  private @Nullable NativeCompletionQueue await(Deadline deadline) throws InterruptedException {
    lifetime().require(GET);
    events.watch();
    return mailbox.await(GET, deadline);
  }

  /** Waits for an event of this queue, and leaves those of others; false if none comes in time. */
  boolean await(String function, NativeCompletionQueue cq, Duration timeout)
      throws InterruptedException {
    lifetime().require(function);
    events.watch();
    boolean taken =
        mailbox.await(function, Deadline.after(timeout), cq, () -> cq.lifetime().require(function));
    if (taken) {
      cq.deferEvent();
    }
    return taken;
  }

  @Override
  public @Nullable CompletionQueue checkPoll() {
    lifetime().require("checkPoll");
    events.read();
    NativeCompletionQueue cq = mailbox.poll("checkPoll");
    if (cq != null) {
      cq.deferEvent();
    }
    return cq;
  }

  @Override
  public boolean isReady() {
    lifetime().require("isReady");
    events.read();
    return mailbox.isReady();
  }

  @Override
  public SelectableChannel selectable() {
    lifetime().require("selectable");
    events.watch();
    return mailbox.selectable();
  }

  @Override
  public SelectionKey registerPoll(Selector selector) {
    lifetime().require("registerPoll");
    events.watch();
    return mailbox.registerPoll(selector);
  }

  @Override
  public void onReadiness(@Nullable Readiness listener) {
    lifetime().require("onReadiness");
    events.watch();
    mailbox.onReadiness(listener);
  }

  /** Of a queue that the library keeps until its event is acknowledged. */
  @Override
  public void deliver(long event) {
    WeakReference<NativeCompletionQueue> entry = queues.get(Host.getLong(event));
    NativeCompletionQueue cq = entry == null ? null : entry.get();
    if (cq != null && cq.mayNotify()) {
      mailbox.push(cq);
    }
  }

  @Override
  public void fail(int errno, String detail) {
    mailbox.fail(errno, detail);
  }

  @Override
  public void destroy() {
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    return handle().endingAfter(mailbox.release(), descriptor::close);
  }
}
