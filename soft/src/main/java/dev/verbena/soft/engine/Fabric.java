package dev.verbena.soft.engine;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The engines of this process, by address, and those among them that reach each other without
 * packets. Looking one up takes no lock.
 */
final class Fabric {
  private static final Fabric SHARED = new Fabric();

  private volatile Engine[] members = {};
  private final Set<Engine> residents = ConcurrentHashMap.newKeySet();

  /** The fabric of this process. */
  static Fabric shared() {
    return SHARED;
  }

  /** An engine starts. */
  void enter(Engine engine) {
    residents.add(engine);
  }

  /** Whether an engine of this process has the address. */
  boolean isHere(long hi, long lo) {
    return residents.stream().anyMatch(e -> e.localLo() == lo && e.localHi() == hi);
  }

  synchronized void join(Engine engine) {
    Engine[] more = Arrays.copyOf(members, members.length + 1);
    more[more.length - 1] = engine;
    members = more;
  }

  /** An engine that sends no more leaves; its neighbours are told first. Idempotent. */
  synchronized void leave(Engine engine) {
    residents.remove(engine);
    Engine[] others =
        Arrays.stream(members).filter(member -> member != engine).toArray(Engine[]::new);
    if (others.length < members.length) {
      for (Engine other : others) {
        other.neighborLeaves(engine.localHi(), engine.localLo());
      }
      members = others;
    }
  }

  /** All engines; not to be written to. */
  Engine[] members() {
    return members;
  }

  /** The engine with this address, or null. */
  @Nullable Engine find(long hi, long lo) {
    for (Engine member : members) {
      if (member.localLo() == lo && member.localHi() == hi) {
        return member;
      }
    }
    return null;
  }
}
