package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Addresses, routes and datagrams for tests of links. */
final class Endpoint {
  private static final AtomicInteger NEXT = new AtomicInteger();

  private Endpoint() {}

  /** A loopback address that no other test uses, nor most likely another process's. */
  static Gid unused() {
    return Gid.parse("127.77." + (ProcessHandle.current().pid() & 0xFF) + "." + nextHost());
  }

  /** A multicast group that no other test uses, nor most likely another process's. */
  static Gid unusedGroup() {
    return Gid.parse("239.77." + (ProcessHandle.current().pid() & 0xFF) + "." + nextHost());
  }

  private static int nextHost() {
    int host = NEXT.incrementAndGet();
    assertThat(host).as("loopback addresses used by the tests of one process").isLessThan(255);
    return host;
  }

  static Route routeTo(Link link) {
    return new Route(link.address(), 0, 64, 0);
  }

  static Route routeTo(Gid gid) {
    return new Route(Gids.address(gid), 0, 64, 0);
  }

  /** Native memory with bytes that the seed decides. */
  static MemorySegment datagram(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, bytes);
  }

  static byte[] bytes(MemorySegment datagram) {
    return datagram.toArray(ValueLayout.JAVA_BYTE);
  }

  static void join(Link link, Gid group) {
    link.join(Gids.address(group));
  }

  static void leave(Link link, Gid group) {
    link.leave(Gids.address(group));
  }

  static boolean send(Link from, Gid to, MemorySegment datagram) {
    return from.send(datagram, datagram.byteSize(), routeTo(to), System.nanoTime());
  }

  static boolean send(Link from, Link to, MemorySegment datagram) {
    return from.send(datagram, datagram.byteSize(), routeTo(to), System.nanoTime());
  }
}
