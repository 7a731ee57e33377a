package dev.verbena.soft.engine.qp;

import dev.verbena.wire.Address;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The engines of this process, by address, and those that reach each other without packets. A
 * look-up takes no lock.
 */
public final class Fabric {
  private static final Fabric SHARED = new Fabric();
  private static final Fabric INFINIBAND = new Fabric();

  private volatile Host[] members = {};
  private final Set<Host> residents = ConcurrentHashMap.newKeySet();

  /** The fabric of this process. */
  public static Fabric shared() {
    return SHARED;
  }

  /** The fabric of the InfiniBand subnet of this process, separate from the other one. */
  public static Fabric infiniBand() {
    return INFINIBAND;
  }

  /** An engine starts. */
  public void enter(Host host) {
    residents.add(host);
  }

  /** Whether an engine of this process has the address. */
  public boolean isHere(Address address) {
    return residents.stream().anyMatch(each -> each.address().equals(address));
  }

  public synchronized void join(Host host) {
    Host[] more = Arrays.copyOf(members, members.length + 1);
    more[more.length - 1] = host;
    members = more;
  }

  /** An engine that sends no more leaves, after notifying its neighbours. Idempotent. */
  public synchronized void leave(Host host) {
    residents.remove(host);
    Host[] others =
        Arrays.stream(members).filter(member -> !member.equals(host)).toArray(Host[]::new);
    if (others.length < members.length) {
      for (Host other : others) {
        other.neighborLeaves(host.address());
      }
      members = others;
    }
  }

  /** All engines; callers must not modify the array. */
  public Host[] members() {
    return members;
  }

  /** The engine with this address, or null. */
  public @Nullable Host find(Address address) {
    for (Host member : members) {
      if (member.address().equals(address)) {
        return member;
      }
    }
    return null;
  }
}
