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
import dev.verbena.soft.link.SendBatch;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "makes system calls of Linux")
class FfmUdpLinkTest extends LinkContract {

  @Override
  protected Link open(Gid address, LinkCounters counters) {
    return FfmUdpLink.open(Gids.address(address), counters);
  }

  @Test
  @Proves("S12.1.2")
  void hopLimitAndTrafficClassArriveWhetherUsualOrNot() {
    int[][] cases = {{64, 0}, {1, 0}, {255, 0x68}, {64, 0xFE}, {64, 0}, {7, 0x20}};
    MemorySegment datagram = Endpoint.datagram(32, 1);
    for (int[] fields : cases) {
      Route route = new Route(b.address(), fields[1], fields[0], 0);
      assertThat(a.send(datagram, 32, route, 0)).isTrue();
      inboxB.mails.clear();
      inboxB.expect(b, 1);
      assertThat(inboxB.mails.getFirst().ttl()).isEqualTo(fields[0]);
      assertThat(inboxB.mails.getFirst().tos()).isEqualTo(fields[1]);
    }
  }

  @Test
  void equalDatagramsOfABatchTravelAsOne() {
    SendBatch batch = new SendBatch(a.mostSegments(), 8192);
    Route route = new Route(b.address(), 0x20, 7, 0);
    for (int i = 0; i < 20; i++) {
      MemorySegment.copy(Endpoint.datagram(4112, i), 0, batch.next(), 0, 4112);
      assertThat(batch.add(4112, route)).isEqualTo(i % 15);
    }
    assertThat(a.send(batch, 0)).isTrue();
    // What came as one is handed over whole, though only one datagram is asked for.
    await(b);
    assertThat(b.receive(inboxB, 1, 0)).isEqualTo(15);
    assertThat(b.receive(inboxB, 1, 0)).isEqualTo(5);
    for (int i = 0; i < 20; i++) {
      Inbox.Mail mail = inboxB.mails.get(i);
      assertThat(mail.place()).isEqualTo(i % 15);
      assertThat(mail.bytes()).isEqualTo(Endpoint.bytes(Endpoint.datagram(4112, i)));
      assertThat(mail.ttl()).isEqualTo(7);
      assertThat(mail.tos()).isEqualTo(0x20);
      assertThat(mail.srcPort()).isEqualTo(4791);
    }
  }

  @Test
  void anAnswerThatSharesARunWithARequestComesFirst() {
    SendBatch batch = new SendBatch(a.mostSegments(), 8192);
    MemorySegment answer = Endpoint.datagram(20, 1);
    answer.set(ValueLayout.JAVA_BYTE, 0, (byte) Opcode.RC_ACKNOWLEDGE);
    MemorySegment request = Endpoint.datagram(24, 2);
    request.set(ValueLayout.JAVA_BYTE, 0, (byte) Opcode.RC_SEND_ONLY);
    add(batch, answer, b);
    MemorySegment.copy(request, 0, batch.next(), 0, 24);
    assertThat(batch.addBeforeLast(24, Endpoint.routeTo(b))).isTrue();
    assertThat(a.send(batch, 0)).isTrue();
    await(b);
    assertThat(b.receive(inboxB, 32, 0)).isEqualTo(2);
    assertThat(inboxB.mails)
        .extracting(Inbox.Mail::bytes)
        .containsExactly(Endpoint.bytes(answer), Endpoint.bytes(request));
    assertThat(inboxB.mails).extracting(Inbox.Mail::place).containsExactly(1, 0);
  }

  /** A responder sends both, and the requester awaits them in this order. */
  @Test
  void anAcknowledgementBehindAnotherAnswerStaysThere() {
    for (int opcode : new int[] {Opcode.RC_READ_RESPONSE_ONLY, Opcode.RC_ATOMIC_ACKNOWLEDGE}) {
      SendBatch batch = new SendBatch(a.mostSegments(), 8192);
      inboxB.mails.clear();
      for (int[] packet : new int[][] {{opcode, 32}, {Opcode.RC_ACKNOWLEDGE, 20}}) {
        MemorySegment datagram = Endpoint.datagram(packet[1], 1);
        datagram.set(ValueLayout.JAVA_BYTE, 0, (byte) packet[0]);
        add(batch, datagram, b);
      }
      assertThat(a.send(batch, 0)).isTrue();
      await(b);
      assertThat(b.receive(inboxB, 32, 0)).isEqualTo(2);
      assertThat(inboxB.mails).extracting(Inbox.Mail::place).containsExactly(0, 1);
    }
  }

  private static void await(Link link) {
    link.await(Long.MAX_VALUE);
  }

  @Test
  void aBatchForNobodyIsLostAndNothingElse() {
    SendBatch batch = new SendBatch(a.mostSegments(), 8192);
    for (String address : new String[] {"::1", "192.0.2.1", "255.255.255.255"}) {
      for (int i = 0; i < 3; i++) {
        batch.add(300, Endpoint.routeTo(Gid.parse(address)));
      }
    }
    add(batch, Endpoint.datagram(64, 1), b);
    add(batch, Endpoint.datagram(64, 2), b);
    assertThat(a.send(batch, 0)).isTrue();
    assertThat(batch.isEmpty()).isTrue();
    inboxB.expect(b, 2);
    assertThat(inboxB.mails.get(1).place()).as("runs are still sent as one").isEqualTo(1);
  }

  @Test
  void aHopLimitOfZeroLeavesWithTheUsualOne() {
    Route route = new Route(b.address(), 0, 0, 0);
    assertThat(a.send(Endpoint.datagram(8, 1), 8, route, 0)).isTrue();
    inboxB.expect(b, 1);
    assertThat(inboxB.mails.getFirst().ttl()).isEqualTo(Route.DEFAULT_HOP_LIMIT);
  }

  @Test
  @Proves("S8.8")
  void theHopLimitToAGroupIsTheGivenOneOrElseOne() {
    Gid group = Endpoint.unusedGroup();
    Endpoint.join(b, group);
    int[][] cases = {{0, 1}, {1, 1}, {64, 64}, {7, 7}};
    for (int[] hops : cases) {
      Route route = new Route(Gids.address(group), 0x20, hops[0], 0);
      assertThat(a.send(Endpoint.datagram(32, 1), 32, route, 0)).isTrue();
      inboxB.mails.clear();
      inboxB.expect(b, 1);
      assertThat(inboxB.mails.getFirst().ttl()).isEqualTo(hops[1]);
      assertThat(inboxB.mails.getFirst().tos()).isEqualTo(0x20);
    }
  }

  @Test
  void aGroupOfTheOtherFamilyIsRefused() {
    assertThatThrownBy(() -> Endpoint.join(a, Gid.parse("ff0e::1")))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EAFNOSUPPORT))
        .hasMessageContaining("ff0e::1");
  }

  @Test
  @Proves("S12.1.1")
  void anySourcePortIsAccepted() throws Exception {
    InetSocketAddress to = new InetSocketAddress(Gids.gid(b.address()).toInetAddress(), 4791);
    try (DatagramSocket stranger =
        new DatagramSocket(new InetSocketAddress(Endpoint.unused().toInetAddress(), 0))) {
      stranger.send(new DatagramPacket(new byte[60_000], 60_000, to));
      stranger.send(new DatagramPacket(new byte[0], 0, to));
      inboxB.expect(b, 2);
      assertThat(inboxB.mails.getFirst().srcPort()).isEqualTo(stranger.getLocalPort());
      assertThat(inboxB.mails.getFirst().bytes()).hasSize(60_000);
      assertThat(inboxB.mails.getLast().bytes()).isEmpty();
    }
  }

  @Test
  void datagramsInHeapMemoryAreSentToo() {
    byte[] bytes = Endpoint.bytes(Endpoint.datagram(100, 1));
    assertThat(Endpoint.send(a, b, MemorySegment.ofArray(bytes))).isTrue();
    inboxB.expect(b, 1);
    assertThat(inboxB.mails.getFirst().bytes()).isEqualTo(bytes);
  }

  @Test
  void whatTheNetworkRefusesIsLostAndNothingElse() {
    MemorySegment datagram = Endpoint.datagram(64, 1);
    Gid otherFamily = Gid.parse("::1");
    Gid fromLoopbackUnreachable = Gid.parse("192.0.2.1");
    Gid broadcast = Gid.parse("255.255.255.255");
    for (Gid gid : Arrays.asList(otherFamily, fromLoopbackUnreachable, broadcast)) {
      assertThat(a.send(datagram, 64, Endpoint.routeTo(gid), 0)).isTrue();
    }
    assertThat(Endpoint.send(a, b, datagram)).isTrue();
    inboxB.expect(b, 1);
  }

  @Test
  void aTakenPortIsExplained() throws SocketException {
    Gid address = Endpoint.unused();
    try (DatagramSocket holder =
        new DatagramSocket(new InetSocketAddress(address.toInetAddress(), 4791))) {
      assertThat(holder.isBound()).isTrue();
      assertThatThrownBy(() -> open(address, inboxA))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE))
          .hasMessageContaining(address.toInetAddress().getHostAddress())
          .hasMessageContaining("is taken by ")
          .hasMessageContaining("soft:ADDRESS");
    }
  }

  @Test
  void anAddressOfAnotherMachineIsRefused() {
    assertThatThrownBy(() -> open(Gid.parse("192.0.2.1"), inboxA))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRNOTAVAIL))
        .hasMessageContaining("address 192.0.2.1 is not an address of this computer");
  }

  @Test
  void overflowsOfTheSocketBufferAreCounted() {
    MemorySegment datagram = Endpoint.datagram(4096, 1);
    int sent = 0;
    // The kernel tells with the first datagram that arrives after the loss.
    while (inboxB.count(Counter.SOCKET_OVERFLOWS) == 0 && sent < 40_000) {
      for (int i = 0; i < 4_000; i++) {
        sent += Endpoint.send(a, b, datagram) ? 1 : 0;
      }
      drain();
      sent += Endpoint.send(a, b, datagram) ? 1 : 0;
      drain();
    }
    assertThat(inboxB.count(Counter.SOCKET_OVERFLOWS)).isPositive();
    assertThat(inboxB.mails.size() + inboxB.count(Counter.SOCKET_OVERFLOWS)).isEqualTo(sent);
  }

  private void drain() {
    while (b.receive(inboxB, 64, 0) > 0) {
      Thread.onSpinWait();
    }
  }
}
