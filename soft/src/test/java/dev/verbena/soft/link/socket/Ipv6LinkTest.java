package dev.verbena.soft.link.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Inbox;
import dev.verbena.soft.link.LibcNative;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkOpener;
import dev.verbena.soft.link.LinkState;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.SendBatch;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The computer has one IPv6 loopback address, so one link at a time, which sends to itself. */
@ResourceLock("[::1]:4791")
class Ipv6LinkTest {
  private static final Gid LOOPBACK = Gid.parse("::1");
  private static final int SOL_UDP = 17;
  private static final int UDP_NO_CHECK6_TX = 101;
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private final Inbox inbox = new Inbox();

  /** Another process may be using the address for a while. */
  private Link open(LinkOpener opener) {
    long start = System.nanoTime();
    while (true) {
      try {
        return opener.open(Gids.address(LOOPBACK), inbox);
      } catch (VerbsException e) {
        if (e.errno() == Errno.EADDRNOTAVAIL || e.errno() == Errno.EAFNOSUPPORT) {
          abort("this computer has no IPv6 loopback address");
        }
        if (e.errno() != Errno.EADDRINUSE || System.nanoTime() - start > PATIENCE_NANOS) {
          throw e;
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "makes system calls of Linux")
  void datagramsArriveWithHopLimitAndTrafficClass() {
    try (Link link = open(FfmUdpLink::open)) {
      int count = 0;
      for (int[] fields : new int[][] {{64, 0}, {1, 0x68}, {255, 0}, {64, 0xFF}}) {
        MemorySegment datagram = Endpoint.datagram(4112, fields[0]);
        Route route = new Route(link.address(), fields[1], fields[0], 5);
        assertThat(link.send(datagram, 4112, route, 0)).isTrue();
        inbox.expect(link, ++count);
        Inbox.Mail mail = inbox.mails.getLast();
        assertThat(mail.bytes()).isEqualTo(Endpoint.bytes(datagram));
        assertThat(Gids.gid(mail.source())).isEqualTo(LOOPBACK);
        assertThat(Gids.gid(mail.destination())).isEqualTo(LOOPBACK);
        assertThat(mail.srcPort()).isEqualTo(4791);
        assertThat(mail.ttl()).isEqualTo(fields[0]);
        assertThat(mail.tos()).isEqualTo(fields[1]);
      }
      assertThat(link.state()).isEqualTo(LinkState.UP);
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "makes system calls of Linux")
  void equalDatagramsOfABatchTravelAsOne() {
    try (Link link = open(FfmUdpLink::open)) {
      SendBatch batch = new SendBatch(link.mostSegments(), 8192);
      Route route = new Route(link.address(), 0x68, 7, 0);
      for (int i = 0; i < 20; i++) {
        MemorySegment.copy(Endpoint.datagram(4112, i), 0, batch.next(), 0, 4112);
        batch.add(4112, route);
      }
      assertThat(link.send(batch, 0)).isTrue();
      inbox.expect(link, 20);
      for (int i = 0; i < 20; i++) {
        Inbox.Mail mail = inbox.mails.get(i);
        assertThat(mail.place()).as("of a run of 15, and one of 5").isEqualTo(i % 15);
        assertThat(mail.bytes()).isEqualTo(Endpoint.bytes(Endpoint.datagram(4112, i)));
        assertThat(mail.ttl()).isEqualTo(7);
        assertThat(mail.tos()).isEqualTo(0x68);
      }
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "makes system calls of Linux")
  void packetsWithoutChecksumArrive() {
    try (Link link = open(FfmUdpLink::open);
        Arena arena = Arena.ofConfined()) {
      MemorySegment error = LibcNative.errorBuffer(arena);
      int stranger = UdpNative.socket(error, LinuxSocket.AF_INET6, 2, 0);
      assertThat(stranger).isPositive();
      MemorySegment on = arena.allocateFrom(ValueLayout.JAVA_INT, 1);
      assertThat(UdpNative.setsockopt(error, stranger, SOL_UDP, UDP_NO_CHECK6_TX, on)).isZero();
      LocalAddress here = LocalAddress.of(Gids.address(LOOPBACK));
      SendMessage message = new SendMessage(arena, here);
      MemorySegment datagram = Endpoint.datagram(64, 6);
      assertThat(message.describe(datagram, 64, Endpoint.routeTo(LOOPBACK), false)).isTrue();
      assertThat(message.send(error, stranger, datagram)).isEqualTo(64);
      UdpNative.close(error, stranger);
      inbox.expect(link, 1);
      assertThat(inbox.mails.getFirst().bytes()).isEqualTo(Endpoint.bytes(datagram));
    }
  }

  @Test
  void theChannelCarriesIpv6Too() {
    try (Link link = open(ChannelUdpLink::open)) {
      MemorySegment datagram = Endpoint.datagram(100, 1);
      assertThat(Endpoint.send(link, link, datagram)).isTrue();
      inbox.expect(link, 1);
      assertThat(inbox.mails.getFirst().bytes()).isEqualTo(Endpoint.bytes(datagram));
      assertThat(Gids.gid(inbox.mails.getFirst().source())).isEqualTo(LOOPBACK);
    }
  }
}
