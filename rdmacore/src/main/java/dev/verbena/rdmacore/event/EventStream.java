package dev.verbena.rdmacore.event;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.layout.IbvAsyncEvent;
import dev.verbena.verbs.Errno;
import java.lang.foreign.Arena;

/**
 * The events that the library reads from one descriptor. A thread that looks for them reads them
 * itself; once one waits, the thread of {@link Watcher} does. Each is acknowledged to the library
 * at once.
 */
public final class EventStream implements Watcher.Reader {
  /** The library's functions for these events. */
  public interface Calls {
    /**
     * Reads an event: 0, or -1 with EAGAIN if there is none.
     *
     * @param owner struct of the object that has the descriptor
     * @param event where it is written
     */
    Answer read(long owner, long event);

    /** Acknowledges an event that was read. */
    void acknowledge(long event);
  }

  /** Where the events go. */
  public interface Receiver {
    /** Takes the event that was read to this address. */
    void deliver(long event);

    /**
     * No more events come.
     *
     * @param detail why, in a sentence
     */
    void fail(int errno, String detail);
  }

  /** Room for a struct ibv_async_event, or for a completion queue and its context. */
  private static final long ROOM = Math.max(IbvAsyncEvent.LAYOUT.size(), 2L * Long.BYTES);

  private final String verb;
  private final String name;
  private final Handle owner;
  private final Descriptor descriptor;
  private final Calls calls;
  private final Receiver receiver;

  /**
   * @param verb the verb that reads an event
   * @param name of the object that has the descriptor, for messages
   * @param owner handle of that object
   */
  public EventStream(
      String verb,
      String name,
      Handle owner,
      Descriptor descriptor,
      Calls calls,
      Receiver receiver) {
    this.verb = verb;
    this.name = name;
    this.owner = owner;
    this.descriptor = descriptor;
    this.calls = calls;
    this.receiver = receiver;
  }

  /** Delivers what there is. */
  public void read() {
    descriptor.use(this::readAll);
  }

  /** As {@link #read}, and from now on whenever there is something. */
  public void watch() {
    descriptor.watch(this);
    read();
  }

  @Override
  public void ready(boolean last) {
    descriptor.use(
        () -> {
          if (readAll() && last) {
            fail(Errno.EIO, "the device is gone");
          }
        });
  }

  @Override
  public void abandon(String why) {
    descriptor.use(() -> fail(Errno.EIO, why));
  }

  /** Returns whether more may come. */
  private boolean readAll() {
    try (Handle.Use use = owner.use(verb);
        Arena arena = Arena.ofConfined()) {
      long event = arena.allocate(ROOM, Long.BYTES).address();
      while (true) {
        Answer answer = calls.read(use.address(), event);
        if ((int) answer.value() == 0) {
          take(event);
        } else if (answer.errno() == Errno.EAGAIN) {
          return true;
        } else if (answer.errno() != Errno.EINTR) {
          fail(answer.errno(), answer.function() + " has failed");
          return false;
        }
      }
    }
  }

  /** The library does not destroy an object whose events were not acknowledged. */
  private void take(long event) {
    try {
      receiver.deliver(event);
    } finally {
      calls.acknowledge(event);
    }
  }

  private void fail(int errno, String why) {
    descriptor.close();
    receiver.fail(errno, "no more events of the " + name + " can be read: " + why);
  }
}
