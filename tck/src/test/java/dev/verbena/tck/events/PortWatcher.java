package dev.verbena.tck.events;

import dev.verbena.tck.kit.Namespace;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PortState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Opens a device twice, in its own network namespace, and changes its address and interface as an
 * administrator may: both contexts must get the events, and the tables must agree. Arguments: the
 * address, and whether native calls are allowed; without them a removed interface looks like one
 * without an address.
 */
final class PortWatcher {
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private final String prefix;
  private final Gid gid;
  private final boolean nativeAccess;
  private final List<Context> contexts;

  private PortWatcher(String prefix, Gid gid, boolean nativeAccess, List<Context> contexts) {
    this.prefix = prefix;
    this.gid = gid;
    this.nativeAccess = nativeAccess;
    this.contexts = contexts;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Gid gid = Gid.parse(args[0]);
    String prefix = args[0] + (gid.isIpv4Mapped() ? "/24" : "/64");
    Namespace.ip("link", "add", "port", "type", "veth", "peer", "name", "far");
    Namespace.ip("link", "set", "port", "up");
    Namespace.ip("link", "set", "far", "up");
    Namespace.address(prefix, "port");
    try (Context first = Devices.open("soft:" + args[0]);
        Context second = Devices.open("soft:" + args[0])) {
      boolean nativeAccess = Boolean.parseBoolean(args[1]);
      new PortWatcher(prefix, gid, nativeAccess, List.of(first, second)).watch();
      System.out.println("both contexts were told");
    }
  }

  private void watch() throws IOException, InterruptedException {
    Namespace.ip("link", "set", "far", "down");
    expect(PortState.DOWN, gid, EventType.PORT_ERR);
    Namespace.ip("link", "set", "far", "up");
    expect(PortState.ACTIVE, gid, EventType.PORT_ACTIVE);
    if (gid.isIpv4Mapped()) {
      // Linux takes IPv6 addresses from an interface that is set down.
      Namespace.ip("link", "set", "port", "down");
      expect(PortState.DOWN, gid, EventType.PORT_ERR);
      Namespace.ip("link", "set", "port", "up");
      expect(PortState.ACTIVE, gid, EventType.PORT_ACTIVE);
    }
    Namespace.ip("addr", "del", prefix, "dev", "port");
    expect(PortState.DOWN, Gid.ZERO, EventType.PORT_ERR, EventType.GID_CHANGE);
    Namespace.address(prefix, "port");
    expect(PortState.ACTIVE, gid, EventType.GID_CHANGE, EventType.PORT_ACTIVE);
    Namespace.ip("link", "del", "port");
    expect(PortState.DOWN, Gid.ZERO, EventType.PORT_ERR, EventType.GID_CHANGE);
    if (nativeAccess) {
      expect(PortState.DOWN, Gid.ZERO, EventType.DEVICE_FATAL);
    }
  }

  private void expect(PortState state, Gid entry, EventType... types) throws InterruptedException {
    for (Context context : contexts) {
      for (EventType type : types) {
        AsyncEvent event = context.getAsyncEvent(DEADLINE);
        System.out.println(event);
        check(event != null && event.eventType() == type, "not " + type + " but " + event);
        check(event.portNum() == (type == EventType.DEVICE_FATAL ? 0 : 1), "no port: " + event);
        check(event.qp() == null && event.cq() == null && event.srq() == null, "an object");
        event.ack();
      }
      PortState now = context.queryPort(1).state();
      check(now == state, "the port is " + now + ", not " + state);
      check(context.queryGid(1, 0).equals(entry), "GID " + context.queryGid(1, 0));
      check(context.queryGidTable().isEmpty() == entry.isZero(), "GID table");
    }
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
