package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAsyncEvent;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventSource;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.AsyncEvents;
import dev.verbena.verbs.provider.Deadline;
import dev.verbena.verbs.provider.ObjectEvents;
import java.lang.foreign.Arena;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous events of a context. They are acknowledged to the library as soon as they are
 * read; the program's acknowledgements are counted in Java.
 */
final class ContextEvents implements EventSource {
  private static final String VERB = "getAsyncEvent";

  private final Handle context;
  private final Descriptor descriptor;
  private final Elements elements;
  private final AsyncEvents events;
  private final Runnable reader = this::read;

  /**
   * @param context handle of the context
   * @param elements whose events they may be
   * @param events where they go
   */
  ContextEvents(Handle context, Elements elements, AsyncEvents events) {
    this.context = context;
    this.elements = elements;
    this.events = events;
    try (Handle.Use use = context.use(VERB)) {
      this.descriptor = new Descriptor(Host.getInt(use.address() + IbvContext.ASYNC_FD));
    }
  }

  /** The descriptor, which is closed with the context. */
  Descriptor descriptor() {
    return descriptor;
  }

  AsyncEvent await() throws InterruptedException {
    AsyncEvent event = null;
    while (event == null) {
      event = await(Deadline.never());
    }
    return event;
  }

  @Nullable AsyncEvent await(Duration timeout) throws InterruptedException {
    return await(Deadline.after(timeout));
  }

  private @Nullable AsyncEvent await(Deadline deadline) throws InterruptedException {
    watch();
    return events.await(deadline);
  }

  @Override
  public boolean isReady() {
    read();
    return events.isReady();
  }

  @Override
  public SelectableChannel selectable() {
    watch();
    return events.selectable();
  }

  @Override
  public void onReadiness(@Nullable Readiness listener) {
    watch();
    events.onReadiness(listener);
  }

  private void watch() {
    descriptor.watch(reader);
    read();
  }

  private void read() {
    descriptor.read(this::readAll);
  }

  private void readAll() {
    try (Handle.Use use = context.use(VERB);
        Arena arena = Arena.ofConfined()) {
      long event = arena.allocate(IbvAsyncEvent.LAYOUT.size(), Long.BYTES).address();
      while (true) {
        Answer answer = Functions.GET_ASYNC_EVENT.call(VERB, use.address(), event);
        if ((int) answer.value() == 0) {
          raise(event);
          Functions.ACK_ASYNC_EVENT.call(VERB, event);
        } else if (answer.errno() == Errno.EAGAIN) {
          return;
        } else if (answer.errno() != Errno.EINTR) {
          throw new VerbsException(VERB, answer.errno(), "no more events can be read");
        }
      }
    }
  }

  private void raise(long event) {
    EventType type = EventType.of(Host.getInt(event + IbvAsyncEvent.EVENT_TYPE));
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
