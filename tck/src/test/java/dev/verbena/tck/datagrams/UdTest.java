package dev.verbena.tck.datagrams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * UD: datagrams to the destination in the request, after the 40 bytes of the GRH area (S3.3). On a
 * lossy link a datagram is sent again until one arrives; on others the first must.
 */
final class UdTest {
  private static final int GRH = Grh.LENGTH;
  private static final int IPV4 = 20;
  private static final int IPV6 = 40;

  /** UDP, BTH, DETH and ICRC. */
  private static final int HEADERS = 8 + 12 + 8 + 4;

  private static final int HOPS = 33;
  private static final int TRAFFIC_CLASS = 0x68;

  @OnEveryLinkAndApi(of = LinkLayer.ETHERNET)
  @Proves({
    "S3.3.1", "S3.3.3", "S3.1.8", "S1.7.1", "S1.5.8", "PR-013", "PR-014", "WR-018", "WR-077",
    "PS-017", "PS-018", "PS-019", "PS-034", "PS-099"
  })
  void aDatagramArrivesBehindTheHeaderThatItCameWith(TckLink link, PostingApi api) {
    link.assumeReceivedIpHeaders();
    for (int length : new int[] {0, 1, 1000, -1}) {
      // One pair for each: a bad network repeats what it has delivered.
      try (QpPair pair = QpPair.open(link, QpType.UD)) {
        int mtu = pair.left().context().queryPort(1).activeMtu().bytes();
        deliverWithHeader(link, api, pair, length < 0 ? mtu : length);
      }
    }
  }

  private static void deliverWithHeader(TckLink link, PostingApi api, QpPair pair, int length) {
    AhAttr address =
        AhAttr.to(pair.right().qp().endpoint()).withHopLimit(HOPS).withTrafficClass(TRAFFIC_CLASS);
    AddressHandle ah = pair.left().pd().createAh(address);
    byte[] data = pair.left().fill(0, length, length + 1);
    pair.right().fill(8192, GRH + length, 99);
    pair.right().postRecv(7, pair.right().sge(8192, GRH + length));
    SendWr wr = SendWrs.send(1, pair.left().sge(0, length));
    WorkCompletion received = pair.deliver(link, api, pair.left().to(pair.right(), ah, wr));
    assertThat(received.status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
    assertThat(received.byteLen()).isEqualTo(GRH + length);
    assertThat(received.wcFlags()).isEqualTo(WcFlags.GRH);
    assertThat(received.srcQp()).isEqualTo(pair.left().qp().qpNum());
    assertThat(received.qpNum()).isEqualTo(pair.right().qp().qpNum());
    assertThat(pair.right().bytes(8192 + GRH, length)).isEqualTo(data);
    assertHeader(pair.right().bytes(8192, GRH), pair, length);
  }

  private static void assertHeader(byte[] area, QpPair pair, int length) {
    if (pair.left().gid().isIpv4Mapped()) {
      assertIpv4Header(area, pair, length);
    } else {
      assertIpv6Header(area, pair, length);
    }
  }

  private static void assertIpv4Header(byte[] area, QpPair pair, int length) {
    assertThat(Arrays.copyOf(area, GRH - IPV4)).containsOnly(0);
    ByteBuffer ip = ByteBuffer.wrap(area, GRH - IPV4, IPV4).slice();
    assertThat(ip.get(0)).isEqualTo((byte) 0x45);
    assertThat(ip.get(1)).isEqualTo((byte) TRAFFIC_CLASS);
    assertThat(ip.getShort(2)).isEqualTo((short) (IPV4 + HEADERS + length + (-length & 3)));
    assertThat(ip.getInt(4)).as("ID and don't-fragment").isEqualTo(0x4000);
    assertThat(ip.get(8)).isEqualTo((byte) HOPS);
    assertThat(ip.get(9)).isEqualTo((byte) 17);
    int sum = 0;
    for (int i = 0; i < IPV4; i += 2) {
      sum += ip.getShort(i) & 0xffff;
    }
    assertThat((sum & 0xffff) + (sum >>> 16)).as("checksum").isEqualTo(0xffff);
    assertThat(ip.getInt(12)).isEqualTo((int) pair.left().gid().interfaceId());
    assertThat(ip.getInt(16)).isEqualTo((int) pair.right().gid().interfaceId());
  }

  @Test
  @Proves({"S3.3.2", "S3.3.1", "S3.3.5", "PR-013"})
  void overIpv6TheHeaderIsTheWholeArea() {
    try (Context left = ipv6("a");
        Context right = ipv6("b")) {
      assertIpv6HeaderIsTheWholeArea(left, right);
    }
  }

  /** The computer has one IPv6 loopback address, so one device, which sends to itself. */
  @Test
  @ResourceLock("[::1]:4791")
  @Proves({"S3.3.2", "S3.3.1"})
  void overIpv6AndUdpTheHeaderIsTheWholeArea() {
    assumeTrue(TckLink.selected().contains(TckLink.UDP), "UDP is not tested");
    TckLink.UDP.assumeReceivedIpHeaders();
    try (Context left = overUdp("::1");
        Context right = Devices.open(left.device().spec())) {
      assertIpv6HeaderIsTheWholeArea(left, right);
      assertThat(right.counters().get(Counter.PACKETS_RECEIVED)).as("over UDP").isPositive();
    }
  }

  private static void assertIpv6HeaderIsTheWholeArea(Context left, Context right) {
    PairSetup setup = PairSetup.on(TckLink.PACKET).type(QpType.UD);
    QpPair pair = new QpPair(setup.end(left, left.allocPd()), setup.end(right, right.allocPd()));
    setup.connect(pair);
    AhAttr address =
        AhAttr.to(pair.right().qp().endpoint()).withHopLimit(HOPS).withTrafficClass(TRAFFIC_CLASS);
    AddressHandle ah = pair.left().pd().createAh(address);
    byte[] data = pair.left().fill(0, 5, 1);
    pair.right().postRecv(7, pair.right().sge(0, 100));
    SendWr wr = SendWrs.sendImm(1, 2, pair.left().sge(0, 5));
    pair.left().qp().postSend(pair.left().to(pair.right(), ah, wr));
    WorkCompletion received = pair.right().received(7);
    assertThat(received.wcFlags()).isEqualTo(WcFlags.GRH | WcFlags.WITH_IMM);
    assertThat(pair.right().bytes(GRH, 5)).isEqualTo(data);
    assertIpv6Header(pair.right().bytes(0, IPV6), pair, 4 + 5);
    AhAttr reply = right.initAhFromWc(1, received, pair.right().mr().memory().asSlice(0, GRH));
    assertThat(reply)
        .isEqualTo(
            AhAttr.to(pair.left().qp().endpoint())
                .withHopLimit(HOPS)
                .withTrafficClass(TRAFFIC_CLASS)
                .withSl(received.sl()));
  }

  private static void assertIpv6Header(byte[] area, QpPair pair, int length) {
    ByteBuffer ip = ByteBuffer.wrap(area);
    assertThat(ip.getInt(0)).isEqualTo(0x6000_0000 | TRAFFIC_CLASS << 20);
    assertThat(ip.getShort(4)).isEqualTo((short) (HEADERS + length + (-length & 3)));
    assertThat(ip.get(6)).isEqualTo((byte) 17);
    assertThat((int) ip.get(7)).isEqualTo(hops(ip.get(7)));
    assertThat(ip.getLong(8)).isEqualTo(pair.left().gid().subnetPrefix());
    assertThat(ip.getLong(16)).isEqualTo(pair.left().gid().interfaceId());
    assertThat(ip.getLong(24)).isEqualTo(pair.right().gid().subnetPrefix());
    assertThat(ip.getLong(32)).isEqualTo(pair.right().gid().interfaceId());
  }

  /**
   * The hop limit that has to arrive where this one has: that of the address, but on devices of
   * others the kernel puts that of its route into each address.
   */
  private static int hops(int arrived) {
    return TckLink.areDevicesOfOthers() ? arrived : HOPS;
  }

  /** Another process may be using the address for a while. */
  private static Context overUdp(String address) {
    AtomicReference<@Nullable Context> opened = new AtomicReference<>();
    Await.until(
        "a device on " + address,
        () -> {
          try {
            opened.set(Devices.open(DeviceSpec.soft(address).link(LinkKind.UDP)));
          } catch (VerbsException e) {
            assumeFalse(
                e.errno() == Errno.EADDRNOTAVAIL || e.errno() == Errno.EAFNOSUPPORT,
                "this computer has no such address");
            if (e.errno() != Errno.EADDRINUSE) {
              throw e;
            }
          }
          return opened.get() != null;
        });
    return Objects.requireNonNull(opened.get());
  }

  private static Context ipv6(String host) {
    String address = "fd00:" + Long.toHexString(ProcessHandle.current().pid() & 0xffff) + "::";
    return Devices.open(DeviceSpec.soft(address + host).link(LinkKind.PACKET));
  }

  @OnEveryLinkAndApi(of = LinkLayer.ETHERNET)
  @Proves({"S3.3.1", "S1.7.6", "S1.7.3", "WR-082", "PS-039"})
  void theAreaMayBeScatteredOverElements(TckLink link, PostingApi api) {
    link.assumeReceivedIpHeaders();
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd right = pair.right();
      byte[] before = right.fill(0, 2048, 99);
      byte[] data = pair.left().fill(0, 300, 3);
      right
          .qp()
          .postRecv(
              new RecvWr()
                  .wrId(7)
                  .sgList(
                      right.sge(100, 10),
                      right.sge(200, 25),
                      right.sge(300, 30),
                      right.sge(1000, 275)));
      AhAttr address =
          AhAttr.to(right.qp().endpoint()).withHopLimit(HOPS).withTrafficClass(TRAFFIC_CLASS);
      AddressHandle ah = pair.left().pd().createAh(address);
      SendWr wr = SendWrs.sendImm(1, -3, pair.left().sge(0, 300));
      WorkCompletion received = pair.deliver(link, api, pair.left().to(right, ah, wr));
      assertThat(received.byteLen()).isEqualTo(GRH + 300);
      assertThat(received.immData()).isEqualTo(-3);
      assertThat(received.wcFlags()).isEqualTo(WcFlags.GRH | WcFlags.WITH_IMM);
      ByteBuffer area = ByteBuffer.allocate(GRH);
      area.put(right.bytes(100, 10)).put(right.bytes(200, 25)).put(right.bytes(300, 5));
      assertHeader(area.array(), pair, 4 + 300);

      // And nothing around the elements has changed.
      byte[] expected = before.clone();
      area.get(0, expected, 100, 10).get(10, expected, 200, 25).get(35, expected, 300, 5);
      System.arraycopy(data, 0, expected, 305, 25);
      System.arraycopy(data, 25, expected, 1000, 275);
      assertThat(right.bytes(0, 2048)).isEqualTo(expected);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"WR-110", "WR-018", "S1.7.13", "S2.11"})
  void eachRequestOfABatchHasItsOwnDestinationAndMayNameItsOwnQueuePair(
      TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      left.setLong(0, 1);
      left.setLong(8, 2);
      left.postRecv(20, left.sge(100, 48));
      right.postRecv(30, right.sge(100, 48));
      AddressHandle toRight = left.ahTo(right);
      AddressHandle toSelf = left.ahTo(left);
      WorkCompletion there = new WorkCompletion();
      WorkCompletion here = new WorkCompletion();
      boolean[] arrived = new boolean[2];
      Runnable batch =
          () -> {
            SendWr one = left.to(right, toRight, SendWrs.send(1, left.sge(0, 8)));
            SendWr two = left.to(left, toSelf, SendWrs.send(2, left.sge(8, 8)));
            api.post(left.qp(), SendWrs.list(one, two));
            left.sent(1);
            left.sent(2);
          };
      batch.run();
      Await.until(
          "both datagrams",
          () -> {
            arrived[0] |= right.recvCq().poll(there);
            arrived[1] |= left.recvCq().poll(here);
            boolean done = arrived[0] && arrived[1];
            if (!done && link.isFaulty()) {
              batch.run();
            }
            return done;
          });
      assertThat(there.wrId()).isEqualTo(30);
      assertThat(here.wrId()).isEqualTo(20);
      assertThat(here.srcQp()).isEqualTo(left.qp().qpNum());
      assertThat(right.bytes(100 + GRH, 8)).isEqualTo(left.bytes(0, 8));
      assertThat(left.bytes(100 + GRH, 8)).isEqualTo(left.bytes(8, 8));
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S3.3.10", "S3.3.5", "S3.3.4"})
  void aReplyFindsItsWayFromTheCompletion(TckLink link, PostingApi api) {
    link.assumeReceivedIpHeaders();
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      right.postRecv(7, right.sge(0, 100));
      AddressHandle ah =
          left.pd()
              .createAh(
                  AhAttr.to(right.qp().endpoint())
                      .withHopLimit(HOPS)
                      .withTrafficClass(TRAFFIC_CLASS));
      WorkCompletion question =
          pair.deliver(link, api, left.to(right, ah, SendWrs.send(1, left.sge(0, 8))));
      AddressHandle back =
          right.pd().createAhFromWc(question, right.mr().memory().asSlice(0, GRH), 1);
      assertThat(back.attr())
          .isEqualTo(
              AhAttr.to(left.qp().endpoint())
                  .withHopLimit(hops(back.attr().hopLimit()))
                  .withTrafficClass(TRAFFIC_CLASS)
                  .withSl(question.sl()));
      left.postRecv(8, left.sge(200, 100));
      SendWr answer =
          SendWrs.send(2, right.sge(GRH, 8))
              .ah(back)
              .remoteQpn(question.srcQp())
              .remoteQkey(PairSetup.QKEY);
      WorkCompletion received = pair.reversed().deliver(link, api, answer);
      assertThat(received.wrId()).isEqualTo(8);
      assertThat(received.srcQp()).isEqualTo(right.qp().qpNum());
      assertThat(left.bytes(200 + GRH, 8)).isEqualTo(left.bytes(0, 8));
    }
  }

  @OnEveryLinkAndApi
  @Proves("S3.3.9")
  void datagramsOfOneSenderStayInOrder(TckLink link, PostingApi api) {
    int messages = 100;
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd right = pair.right();
      for (int i = 0; i < messages; i++) {
        right.postRecv(i, right.sge(i * 64L, 64));
      }
      AddressHandle ah = pair.left().ahTo(right);
      for (int i = 0; i < messages; i++) {
        pair.post(api, pair.left().to(right, ah, SendWrs.sendImm(i, i)));
      }
      if (link.isFaulty()) {
        // The network may reorder datagrams, so this waits for the end of the queue only.
        right.postRecv(messages, right.sge(0, 64));
        SendWr more = pair.left().to(right, ah, SendWrs.sendImm(messages, messages));
        assertThat(pair.deliver(link, api, more).status()).isEqualTo(WcStatus.SUCCESS);
        return;
      }
      for (int i = 0; i < messages; i++) {
        assertThat(right.received(i).immData()).isEqualTo(i);
      }
    }
  }
}
