package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Addresses, routes and datagrams for tests of links. */
public final class Endpoint {
  private static final int FIRST_BLOCK = 77;
  private static final int HOSTS = 254;
  private static final int MOST = 3 * HOSTS;

  private static final AtomicInteger NEXT = new AtomicInteger();

  private Endpoint() {}

  /** A loopback address that no other test uses, and most likely no other process. */
  public static Gid unused() {
    return Gid.parse("127." + next());
  }

  /** A multicast group that no other test uses, and most likely no other process. */
  public static Gid unusedGroup() {
    return Gid.parse("239." + next());
  }

  private static String next() {
    int number = NEXT.getAndIncrement();
    assertThat(number).as("addresses used by the tests of one process").isLessThan(MOST);
    int ofProcess = (int) (ProcessHandle.current().pid() & 0xFF);
    return (FIRST_BLOCK + number / HOSTS) + "." + ofProcess + "." + (1 + number % HOSTS);
  }

  public static Route routeTo(Link link) {
    return new Route(link.address(), 0, 64, 0);
  }

  public static Route routeTo(Gid gid) {
    return new Route(Gids.address(gid), 0, 64, 0);
  }

  /** Native memory with bytes that the seed decides. */
  public static MemorySegment datagram(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, bytes);
  }

  public static byte[] bytes(MemorySegment datagram) {
    return datagram.toArray(ValueLayout.JAVA_BYTE);
  }

  public static void join(Link link, Gid group) {
    link.join(Gids.address(group));
  }

  public static void leave(Link link, Gid group) {
    link.leave(Gids.address(group));
  }

  public static boolean send(Link from, Gid to, MemorySegment datagram) {
    return from.send(datagram, datagram.byteSize(), routeTo(to), System.nanoTime());
  }

  public static boolean send(Link from, Link to, MemorySegment datagram) {
    return from.send(datagram, datagram.byteSize(), routeTo(to), System.nanoTime());
  }
}
