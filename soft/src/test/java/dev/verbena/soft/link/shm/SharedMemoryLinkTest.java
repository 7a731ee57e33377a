package dev.verbena.soft.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkContract;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "makes system calls of Linux")
class SharedMemoryLinkTest extends LinkContract {

  @Override
  protected Link open(Gid address, LinkCounters counters) {
    return SharedMemoryLink.open(Gids.address(address), counters, false);
  }

  @Test
  void anAddressThatIsInUseIsRefused() {
    assertThatThrownBy(() -> open(Gids.gid(a.address()), inboxA))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE))
        .hasMessageContaining(a.address().toString());
  }

  @Test
  void ipHeaderFieldsArrive() {
    MemorySegment datagram = Endpoint.datagram(32, 1);
    Route route = new Route(b.address(), 0x68, 7, 0x12345);
    assertThat(a.send(datagram, 32, route, 0)).isTrue();
    Receiver receiver =
        (arrival, now) -> {
          assertThat(arrival.flowLabel).isEqualTo(0x12345);
          assertThat(arrival.hasIcrc).isFalse();
          inboxB.datagram(arrival, now);
        };
    assertThat(b.receive(receiver, 8, 0)).isEqualTo(1);
    assertThat(inboxB.mails.getFirst().ttl()).isEqualTo(7);
    assertThat(inboxB.mails.getFirst().tos()).isEqualTo(0x68);
  }

  @Test
  void aLongPacketArrivesWholeWhereverInTheRingItBegins() {
    int longest = a.longPayload() + Link.MAX_OVERHEAD;
    int[] lengths = {a.maxDatagram() + 1, longest, 1, 2 * a.maxDatagram(), 3 * a.maxDatagram() + 8};
    for (int i = 0; i < 300; i++) {
      int length = lengths[i % lengths.length];
      MemorySegment datagram = Endpoint.datagram(length, i);
      assertThat(a.send(datagram, length, Endpoint.routeTo(b), 0)).as("datagram %d", i).isTrue();
      inboxB.mails.clear();
      inboxB.expect(b, 1);
      assertThat(inboxB.mails.getFirst().bytes())
          .as("datagram %d", i)
          .isEqualTo(Endpoint.bytes(datagram));
    }
  }

  @Test
  void aRingTakesNoLongPacketForWhichItHasNoRoom() {
    MemorySegment small = Endpoint.datagram(64, 1);
    int longest = a.longPayload() + Link.MAX_OVERHEAD;
    MemorySegment large = Endpoint.datagram(longest, 2);
    int sent = 0;
    while (a.send(large, longest, Endpoint.routeTo(b), 0)) {
      sent++;
    }
    assertThat(sent * a.longPayload()).isGreaterThanOrEqualTo(a.mostInFlight(4096) * 4096);
    while (a.send(small, 64, Endpoint.routeTo(b), 0)) {
      sent++;
    }
    b.receive(inboxB, 1, 0);
    assertThat(inboxB.mails).hasSize(1);
    assertThat(a.send(large, longest, Endpoint.routeTo(b), 0)).isTrue();
    inboxB.expect(b, sent + 1);
    assertThat(inboxB.mails.getFirst().bytes()).isEqualTo(Endpoint.bytes(large));
    assertThat(inboxB.mails.getLast().bytes()).isEqualTo(Endpoint.bytes(large));
  }

  @Test
  void onlyALinkWithoutIcrcCarriesLongPackets() {
    try (Link checked = SharedMemoryLink.open(Gids.address(Endpoint.unused()), inboxA, true)) {
      assertThat(checked.longPayload()).isZero();
    }
    assertThat(a.longPayload()).isGreaterThan(4096);
  }

  @Test
  void aFullRingRefusesAndTakesAgainOnceThereIsRoom() {
    MemorySegment datagram = Endpoint.datagram(64, 1);
    int sent = 0;
    while (a.send(datagram, 64, Endpoint.routeTo(b), 0)) {
      sent++;
    }
    assertThat(sent).isGreaterThanOrEqualTo(a.mostInFlight(4096));
    assertThat(b.receive(inboxB, 3, 0)).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      assertThat(a.send(datagram, 64, Endpoint.routeTo(b), 0)).isTrue();
    }
    assertThat(a.send(datagram, 64, Endpoint.routeTo(b), 0)).isFalse();
    inboxB.expect(b, sent + 3);
  }

  @Test
  void whoTakesNothingForAWhileLosesWhatIsSentAndHoldsUpNobody() {
    MemorySegment datagram = Endpoint.datagram(64, 1);
    while (a.send(datagram, 64, Endpoint.routeTo(b), 0)) {
      // Until the ring is full.
    }
    long later = 1_000_000_000;
    assertThat(inboxA.count(Counter.SEND_LOST)).isZero();
    assertThat(a.send(datagram, 64, Endpoint.routeTo(b), later)).isTrue();
    assertThat(inboxA.count(Counter.SEND_LOST)).isEqualTo(1);
    assertThat(a.send(datagram, 64, Endpoint.routeTo(a), later)).isTrue();
    inboxA.expect(a, 1);
  }

  @Test
  void whatIsSentToNobodyIsCounted() {
    for (int i = 0; i < 3; i++) {
      Endpoint.send(a, Endpoint.unused(), Endpoint.datagram(64, 1));
    }
    assertThat(inboxA.count(Counter.SEND_LOST)).isEqualTo(3);
  }
}
