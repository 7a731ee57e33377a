package dev.verbena.rdmacore.event;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAsyncEvent;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.EventSource;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.AsyncEvents;
import dev.verbena.verbs.provider.Deadline;
import dev.verbena.verbs.provider.ObjectEvents;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The asynchronous events of a context; the program's acknowledgements are counted in Java. */
public final class ContextEvents implements EventSource, EventStream.Receiver {
  private static final String VERB = "getAsyncEvent";
  private static final Logger LOG = System.getLogger("dev.verbena.rdmacore.device");

  /** The library's functions. */
  public static final EventStream.Calls LIBRARY =
      new EventStream.Calls() {
        @Override
        public Answer read(long owner, long event) {
          return Functions.GET_ASYNC_EVENT.call(VERB, owner, event);
        }

        @Override
        public void acknowledge(long event) {
          Functions.ACK_ASYNC_EVENT.call(VERB, event);
        }
      };

  private final Descriptor descriptor;
  private final Elements elements;
  private final AsyncEvents events;
  private final EventStream stream;

  /**
   * @param name of the context, for messages
   * @param context its handle
   * @param calls how events are read
   * @param elements whose events they may be
   * @param events where they go
   */
  public ContextEvents(
      String name, Handle context, EventStream.Calls calls, Elements elements, AsyncEvents events) {
    this.elements = elements;
    this.events = events;
    try (Handle.Use use = context.use(VERB)) {
      this.descriptor = new Descriptor(Host.getInt(use.address() + IbvContext.ASYNC_FD));
    }
    this.stream = new EventStream(VERB, name, context, descriptor, calls, this);
  }

  /** The descriptor, which is closed with the context. */
  public Descriptor descriptor() {
    return descriptor;
  }

  public AsyncEvent await() throws InterruptedException {
    AsyncEvent event = null;
    while (event == null) {
      event = await(Deadline.never());
    }
    return event;
  }

  public @Nullable AsyncEvent await(Duration timeout) throws InterruptedException {
    return await(Deadline.after(timeout));
  }

  private @Nullable AsyncEvent await(Deadline deadline) throws InterruptedException {
    stream.watch();
    return events.await(deadline);
  }

  @Override
  public boolean isReady() {
    stream.read();
    return events.isReady();
  }

  @Override
  public SelectableChannel selectable() {
    stream.watch();
    return events.selectable();
  }

  @Override
  public SelectionKey registerPoll(Selector selector) {
    stream.watch();
    return events.registerPoll(selector);
  }

  @Override
  public void onReadiness(@Nullable Readiness listener) {
    stream.watch();
    events.onReadiness(listener);
  }

  @Override
  public void deliver(long event) {
    int number = Host.getInt(event + IbvAsyncEvent.EVENT_TYPE);
    try {
      raise(EventType.of(number), event);
    } catch (VerbsException e) {
      LOG.log(Level.WARNING, "an event of a type that this release does not know is dropped", e);
    }
  }

  @Override
  public void fail(int errno, String detail) {
    events.fail(errno, detail);
  }

  private void raise(EventType type, long event) {
    switch (type) {
      case DEVICE_FATAL -> events.raiseUnaffiliated(type, 0);
      case PORT_ACTIVE,
          PORT_ERR,
          LID_CHANGE,
          PKEY_CHANGE,
          SM_CHANGE,
          CLIENT_REREGISTER,
          GID_CHANGE,
          DEVICE_SPEED_CHANGE ->
          events.raiseUnaffiliated(type, Host.getInt(event + IbvAsyncEvent.ELEMENT_PORT_NUM));
      default -> {
        ObjectEvents element = elements.find(Host.getLong(event + IbvAsyncEvent.ELEMENT_QP));
        if (element != null) {
          element.raise(type);
        }
      }
    }
  }
}
