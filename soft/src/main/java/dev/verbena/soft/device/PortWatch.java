package dev.verbena.soft.device;

import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.verbs.EventType;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A link that notices when its address or interface goes and comes back, and raises the events of
 * the port (S10.4). It looks about once a second, on the engine thread, before that waits.
 */
final class PortWatch implements Link {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Link link;
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
    this.link = link;
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
    link.await(Math.min(nanos, PERIOD_NANOS - since));
  }

  /** Compares the link with what it was, and raises events for what has changed. */
  void look() {
    lastLook = System.nanoTime();
    boolean nowUp = link.isUp();
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

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    return link.send(datagram, length, route, now);
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    return link.receive(receiver, most, now);
  }

  @Override
  public long deadline() {
    return link.deadline();
  }

  @Override
  public int maxDatagram() {
    return link.maxDatagram();
  }

  @Override
  public int window(int mtu) {
    return link.window(mtu);
  }

  @Override
  public void wake() {
    link.wake();
  }

  @Override
  public long localHi() {
    return link.localHi();
  }

  @Override
  public long localLo() {
    return link.localLo();
  }

  @Override
  public boolean isUp() {
    return link.isUp();
  }

  @Override
  public void close() {
    link.close();
  }
}
