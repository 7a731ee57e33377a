package dev.verbena.soft.device;

import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.verbs.EventType;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A link that notices when its address or interface goes and comes back, and raises the events of
 * the port (S10.4). It looks about once a second, on the engine thread, before that waits.
 */
final class PortWatch extends ForwardingLink {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SoftPort port;
  private final Consumer<EventType> events;
  private boolean up;
  private boolean hasAddress;
  private long lastLook;

  /**
   * @param link how packets travel
   * @param port whose state it is
   * @param events takes PORT_ERR, PORT_ACTIVE and GID_CHANGE
   */
  PortWatch(Link link, SoftPort port, Consumer<EventType> events) {
    super(link);
    this.port = port;
    this.events = events;
    this.up = link.isUp();
    this.hasAddress = port.hasAddress();
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

  /** Compares the link with what it was, and raises events for what has changed. */
  void look() {
    lastLook = System.nanoTime();
    boolean nowUp = isUp();
    if (nowUp == up) {
      return;
    }
    up = nowUp;
    events.accept(nowUp ? EventType.PORT_ACTIVE : EventType.PORT_ERR);
    boolean nowHasAddress = port.hasAddress();
    if (nowHasAddress != hasAddress) {
      hasAddress = nowHasAddress;
      events.accept(EventType.GID_CHANGE);
    }
  }
}
