package dev.verbena.tools;

import java.util.concurrent.atomic.AtomicInteger;

/** Loopback addresses that no other test, and no other run of the tests, is likely to use. */
public final class TestAddresses {
  private static final AtomicInteger LAST = new AtomicInteger();

  /** A new address. */
  public static String next() {
    long pid = ProcessHandle.current().pid();
    return "127.%d.%d.%d".formatted(100 + (pid >>> 8) % 100, pid & 0xff, LAST.incrementAndGet());
  }

  private TestAddresses() {}
}
