package dev.verbena.soft.device.open;

import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkState;
import dev.verbena.soft.link.SendBatch;
import dev.verbena.verbs.EventType;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A link that notices when its address or interface disappears and comes back, and raises the
 * events of the port and of the device (S10.4). It checks about once a second, on the engine
 * thread, before that waits. The GID table and the events agree, because the table changes first.
 * Something else that is to be done whenever that thread is awake is done there, too.
 */
final class PortWatch extends ForwardingLink {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SoftPort port;
  private final Consumer<EventType> events;
  private final Runnable visit;
  private LinkState seen = LinkState.UP;
  private long lastLook;

  /**
   * @param link the link to watch
   * @param port the port with the address
   * @param events takes PORT_ERR, PORT_ACTIVE, GID_CHANGE and DEVICE_FATAL
   * @param visit what else is to be done before each wait; must be quick
   */
  PortWatch(Link link, SoftPort port, Consumer<EventType> events, Runnable visit) {
    super(link);
    this.port = port;
    this.events = events;
    this.visit = visit;
    this.lastLook = System.nanoTime();
  }

  @Override
  public void await(long nanos) {
    visit.run();
    long since = System.nanoTime() - lastLook;
    if (since >= PERIOD_NANOS) {
      look();
      since = 0;
    }
    super.await(Math.min(nanos, PERIOD_NANOS - since));
  }

  @Override
  public boolean send(SendBatch batch, long now) {
    return inner.send(batch, now);
  }

  @Override
  public int mostSegments() {
    return inner.mostSegments();
  }

  @Override
  public int longPayload() {
    return inner.longPayload();
  }

  @Override
  public @Nullable Exports exports() {
    return inner.exports();
  }

  @Override
  public String whyNoExports() {
    return inner.whyNoExports();
  }

  /** Compares the link with its last state, and raises events for the changes. */
  void look() {
    lastLook = System.nanoTime();
    LinkState before = seen;
    seen = state();
    port.hasAddress(seen.hasAddress());
    if (before.isUp() && !seen.isUp()) {
      events.accept(EventType.PORT_ERR);
    }
    if (before.hasAddress() != seen.hasAddress()) {
      events.accept(EventType.GID_CHANGE);
    }
    if (!before.isUp() && seen.isUp()) {
      events.accept(EventType.PORT_ACTIVE);
    }
    if (before != LinkState.GONE && seen == LinkState.GONE) {
      events.accept(EventType.DEVICE_FATAL);
    }
  }
}
