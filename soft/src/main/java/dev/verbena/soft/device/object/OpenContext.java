package dev.verbena.soft.device.object;

import dev.verbena.soft.device.open.OpenDevice;
import dev.verbena.soft.device.open.SoftPort;
import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.engine.ether.EtherPort;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.AsyncEvents;
import dev.verbena.verbs.provider.ContextObject;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.Population;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A context as the objects made from it know it: its device, its events, its lifetime. A subclass,
 * which knows all of these objects, adds queries and factories.
 */
public abstract class OpenContext implements Context, Lifetime.Ending {
  private final OpenDevice open;
  private final Lifetime lifetime;
  private final AsyncEvents asyncEvents;
  private final AtomicInteger numbers = new AtomicInteger();

  /**
   * @param open its device
   * @param device name of the device
   */
  protected OpenContext(OpenDevice open, String device) {
    this.open = open;
    this.lifetime = Lifetime.root("context of " + device, open.population(), this);
    this.asyncEvents = new AsyncEvents(this, lifetime, open.engine().newSignal());
  }

  /** Its lifetime. */
  public final Lifetime lifetime() {
    return lifetime;
  }

  /** The events of its objects. */
  public final AsyncEvents asyncEvents() {
    return asyncEvents;
  }

  /** As {@link OpenDevice#engine}. */
  public final Engine engine() {
    return open.engine();
  }

  /** As {@link OpenDevice#population}. */
  public final Population population() {
    return open.population();
  }

  /** As {@link OpenDevice#port}. */
  public final SoftPort port() {
    return open.port();
  }

  /** As {@link OpenDevice#ether}. */
  public final EtherPort ether() {
    return open.ether();
  }

  /** As {@link OpenDevice#rehearse}. */
  public final void rehearse() {
    open.rehearse();
  }

  /** A number that distinguishes objects of this context in messages. */
  public final String nextNumber() {
    return Integer.toString(numbers.incrementAndGet());
  }

  /**
   * Checks an object from the application.
   *
   * @throws VerbsException EINVAL unless it is of this context; EBADF if it is closed
   */
  public final <T extends SoftObject> T own(String function, Object object, Class<T> type) {
    return ContextObject.own(this, lifetime.name(), function, object, type);
  }

  /** As {@link #own} for an optional object; if there is one, it is added to the used ones. */
  public final <T extends SoftObject> @Nullable T ownIfGiven(
      String function, @Nullable Object object, Class<T> type, List<Lifetime> uses) {
    return ContextObject.ownIfGiven(this, lifetime.name(), function, object, type, uses);
  }

  @Override
  public final boolean isClosed() {
    return lifetime.isClosed();
  }

  @Override
  public final void close() {
    lifetime.close();
  }

  @Override
  public final String toString() {
    return lifetime.name();
  }
}
