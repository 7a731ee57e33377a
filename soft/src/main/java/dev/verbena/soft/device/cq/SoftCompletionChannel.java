package dev.verbena.soft.device.cq;

import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.SoftObject;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.provider.Deadline;
import dev.verbena.verbs.provider.EventMailbox;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A completion channel of the software device. */
public final class SoftCompletionChannel extends SoftObject
    implements CompletionChannel, Lifetime.Ending {
  private final OpenContext context;
  private final Lifetime lifetime;
  private final EventMailbox<SoftCompletionQueue> mailbox;

  private SoftCompletionChannel(OpenContext context) {
    this.context = context;
    this.lifetime = context.lifetime().child(Kind.CHANNEL, context.nextNumber(), this);
    this.mailbox =
        new EventMailbox<>(lifetime, context.engine().newSignal(), SoftCompletionQueue::takeEvent);
  }

  public static SoftCompletionChannel create(OpenContext context) {
    SoftCompletionChannel channel = new SoftCompletionChannel(context);
    channel.lifetime.begin("createCompChannel", List.of());
    return channel;
  }

  @Override
  public OpenContext openContext() {
    return context;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  /** A completion was added to an armed queue. */
  void notify(SoftCompletionQueue cq) {
    mailbox.push(cq);
  }

  /** Removes the events of a queue that ends. */
  void purge(SoftCompletionQueue cq) {
    mailbox.purge(event -> event == cq);
  }

  @Override
  public CompletionQueue getCqEvent() throws InterruptedException {
    SoftCompletionQueue cq = null;
    while (cq == null) {
      cq = mailbox.await("getCqEvent", Deadline.never());
    }
    return cq;
  }

  @Override
  public @Nullable CompletionQueue getCqEvent(Duration timeout) throws InterruptedException {
    return mailbox.await("getCqEvent", Deadline.after(timeout));
  }

  /** Waits for an event of this queue, and leaves those of others; false if none comes in time. */
  boolean await(String function, SoftCompletionQueue cq, Duration timeout)
      throws InterruptedException {
    boolean taken =
        mailbox.await(function, Deadline.after(timeout), cq, () -> cq.lifetime().require(function));
    if (taken) {
      cq.deferEvent();
    }
    return taken;
  }

  @Override
  public @Nullable CompletionQueue checkPoll() {
    SoftCompletionQueue cq = mailbox.poll("checkPoll");
    if (cq != null) {
      cq.deferEvent();
    }
    return cq;
  }

  @Override
  public boolean isReady() {
    return mailbox.isReady();
  }

  @Override
  public SelectableChannel selectable() {
    return mailbox.selectable();
  }

  @Override
  public SelectionKey registerPoll(Selector selector) {
    return mailbox.registerPoll(selector);
  }

  @Override
  public void onReadiness(@Nullable Readiness listener) {
    mailbox.onReadiness(listener);
  }

  @Override
  public Runnable release() {
    return mailbox.release();
  }

  @Override
  public void destroy() {
    lifetime.destroy();
  }
}
