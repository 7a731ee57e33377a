package dev.verbena.soft.link.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Inbox;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkContract;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.Route;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ChannelUdpLinkTest extends LinkContract {

  @Override
  protected Link open(Gid address, LinkCounters counters) {
    return ChannelUdpLink.open(Gids.address(address), counters);
  }

  @Test
  void ttlAndTosAreUnknown() {
    assertThat(Endpoint.send(a, b, Endpoint.datagram(8, 1))).isTrue();
    inboxB.expect(b, 1);
    assertThat(inboxB.mails.getFirst().ttl()).isEqualTo(-1);
    assertThat(inboxB.mails.getFirst().tos()).isEqualTo(-1);
  }

  @Test
  void theTrafficClassIsSent() {
    Gid address = Endpoint.unused();
    Inbox inbox = new Inbox();
    try (Link other = FfmUdpLink.open(Gids.address(address), inbox)) {
      for (int trafficClass : new int[] {0x20, 0, 0x68}) {
        Route route = new Route(other.address(), trafficClass, 64, 0);
        assertThat(a.send(Endpoint.datagram(8, 1), 8, route, 0)).isTrue();
        inbox.mails.clear();
        inbox.expect(other, 1);
        assertThat(inbox.mails.getFirst().tos()).isEqualTo(trafficClass);
      }
    }
  }

  @Test
  @Proves("S8.8")
  void theHopLimitToAGroupIsSent() {
    Gid group = Endpoint.unusedGroup();
    Gid address = Endpoint.unused();
    Inbox inbox = new Inbox();
    try (Link other = FfmUdpLink.open(Gids.address(address), inbox)) {
      Endpoint.join(other, group);
      for (int[] hops : new int[][] {{0, 1}, {64, 64}, {7, 7}, {1, 1}}) {
        Route route = new Route(Gids.address(group), 0, hops[0], 0);
        assertThat(a.send(Endpoint.datagram(8, 1), 8, route, 0)).isTrue();
        inbox.mails.clear();
        inbox.expect(other, 1);
        assertThat(inbox.mails.getFirst().ttl()).isEqualTo(hops[1]);
      }
    }
  }

  @Test
  void anInterruptedThreadClosesNothing() {
    Thread.currentThread().interrupt();
    assertThat(Endpoint.send(a, b, Endpoint.datagram(8, 1))).isTrue();
    a.receive(inboxA, 1, 0);
    a.await(1);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(Endpoint.send(a, b, Endpoint.datagram(8, 2))).isTrue();
    inboxB.expect(b, 2);
  }

  @Test
  void anotherFamilyIsLost() {
    MemorySegment datagram = Endpoint.datagram(8, 1);
    assertThat(a.send(datagram, 8, Endpoint.routeTo(Gid.parse("::1")), 0)).isTrue();
    assertThat(Endpoint.send(a, b, datagram)).isTrue();
    inboxB.expect(b, 1);
  }

  @Test
  void takenAndForeignAddressesAreExplained() {
    assertThatThrownBy(() -> open(Gids.gid(a.address()), inboxA))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE))
        .hasMessageContaining("is taken by ");
    assertThatThrownBy(() -> open(Gid.parse("192.0.2.1"), inboxA))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRNOTAVAIL))
        .hasMessageContaining("192.0.2.1 is not an address of this computer");
  }
}
