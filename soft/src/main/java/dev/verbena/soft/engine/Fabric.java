package dev.verbena.soft.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The engines that reach each other without packets, by address. Looking one up takes no lock. */
final class Fabric {
  private static final Fabric SHARED = new Fabric();

  private volatile Engine[] members = {};

  /** The fabric of this process. */
  static Fabric shared() {
    return SHARED;
  }

  synchronized void join(Engine engine) {
    Engine[] more = Arrays.copyOf(members, members.length + 1);
    more[more.length - 1] = engine;
    members = more;
  }

  /** An engine that sends no more leaves; the others are told first. Idempotent. */
  synchronized void leave(Engine engine) {
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
