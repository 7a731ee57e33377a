package dev.verbena.soft.device;

import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.VerbsException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A link that notices when its address or interface goes and comes back, and raises the events of
 * the port (S10.4). It looks about once a second, on the engine thread, before that waits.
 */
final class PortWatch extends ForwardingLink {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final BooleanSupplier address;
  private final Consumer<EventType> events;
  private boolean up;
  private boolean hasAddress;
  private long lastLook;

  /**
   * @param link how packets travel
   * @param address whether an interface of this machine has the device's address; an exception
   *     means that it cannot be told at the moment
   * @param events takes PORT_ERR, PORT_ACTIVE and GID_CHANGE
   */
  PortWatch(Link link, BooleanSupplier address, Consumer<EventType> events) {
    super(link);
    this.address = address;
    this.events = events;
    this.up = link.isUp();
    this.hasAddress = address.getAsBoolean();
    this.lastLook = System.nanoTime();
  }

  @Override
  public void await(long nanos) {
    long since = System.nanoTime() - lastLook;
    if (since >= PERIOD_NANOS) {
      look();
      since = 0;
    }
    super.await(Math.min(nanos, PERIOD_NANOS - since));
  }

  /**
   * Compares link and address with what they were, and raises events for what has changed. One may
   * change without the other: an address can be taken from an interface that is down.
   */
  void look() {
    lastLook = System.nanoTime();
    boolean nowUp = isUp();
    if (nowUp != up) {
      up = nowUp;
      events.accept(nowUp ? EventType.PORT_ACTIVE : EventType.PORT_ERR);
    }
    boolean nowHasAddress = hasAddressNow();
    if (nowHasAddress != hasAddress) {
      hasAddress = nowHasAddress;
      events.accept(EventType.GID_CHANGE);
    }
  }

  private boolean hasAddressNow() {
    try {
      return address.getAsBoolean();
    } catch (VerbsException e) {
      // To list interfaces takes a descriptor: that none is left says nothing about the address.
      return hasAddress;
    }
  }
}
