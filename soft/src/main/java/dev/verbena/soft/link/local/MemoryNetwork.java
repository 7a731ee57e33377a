package dev.verbena.soft.link.local;

import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.Route;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The in-memory links that reach each other, by address. A look-up allocates nothing and takes no
 * lock; links come and go rarely.
 */
public final class MemoryNetwork {
  private static final MemoryNetwork SHARED = new MemoryNetwork();
  private static final MemoryNetwork INFINIBAND = new MemoryNetwork();

  private volatile MemoryLink[] members = {};

  /** A separate network without members. */
  public MemoryNetwork() {}

  /** The network of this process. */
  public static MemoryNetwork shared() {
    return SHARED;
  }

  /** The network of the InfiniBand subnet of this process, separate from the other one. */
  public static MemoryNetwork infiniBand() {
    return INFINIBAND;
  }

  /**
   * Opens a link of this network.
   *
   * @param address its address
   * @throws VerbsException EADDRINUSE if this network has a link with that address
   */
  public MemoryLink open(Address address, LinkCounters counters) {
    MemoryLink link = new MemoryLink(this, address, counters);
    attach(link);
    return link;
  }

  private synchronized void attach(MemoryLink link) {
    if (find(link.address()) != null) {
      throw new VerbsException(
          "openDevice",
          Errno.EADDRINUSE,
          "address " + link.address() + " already has a device with an in-memory link");
    }
    MemoryLink[] more = Arrays.copyOf(members, members.length + 1);
    more[more.length - 1] = link;
    members = more;
  }

  synchronized void detach(MemoryLink link) {
    members = Arrays.stream(members).filter(member -> member != link).toArray(MemoryLink[]::new);
  }

  /** Sends a datagram to each link that has joined its group. */
  void multicast(MemorySegment datagram, int length, MemoryLink sender, Route route) {
    for (MemoryLink member : members) {
      if (member.isIn(route.destination())) {
        member.take(datagram, length, sender, route);
      }
    }
  }

  @Nullable MemoryLink find(Address address) {
    for (MemoryLink member : members) {
      if (member.address().equals(address)) {
        return member;
      }
    }
    return null;
  }
}
