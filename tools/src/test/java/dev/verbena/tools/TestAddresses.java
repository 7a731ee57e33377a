package dev.verbena.tools;

import java.util.concurrent.atomic.AtomicInteger;

/** Loopback addresses that no other test, and no other run of the tests, is likely to use. */
public final class TestAddresses {
  /** Hosts that a process takes of a network; it has three of them, 50 apart. */
  private static final int HOSTS = 254;

  private static final AtomicInteger NEXT = new AtomicInteger();

  /** A new address. */
  public static String next() {
    long pid = ProcessHandle.current().pid();
    int number = NEXT.getAndIncrement();
    long network = 100 + (pid >>> 8) % 50 + 50L * (number / HOSTS);
    return "127.%d.%d.%d".formatted(network, pid & 0xff, 1 + number % HOSTS);
  }

  private TestAddresses() {}
}
