package dev.verbena.soft.memory;

import java.util.concurrent.atomic.AtomicLong;

/** The identity of a protection domain; objects that may be used together share it. */
public final class Domain {
  private static final AtomicLong LAST = new AtomicLong();

  /** Its number, which no other domain of this process has: for other processes. */
  public final long number = LAST.incrementAndGet();

  /** A new domain. */
  public Domain() {}
}
