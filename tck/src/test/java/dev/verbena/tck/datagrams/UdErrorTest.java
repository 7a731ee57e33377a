package dev.verbena.tck.datagrams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.WireFrame;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Datagrams that do not arrive, and requests that are refused or fail (S3.2, S3.3, S1.3.5). */
final class UdErrorTest {
  private static final int GRH = Grh.LENGTH;

  @OnEveryLinkAndApi
  @Proves({"S3.3.6", "S1.6.5"})
  void aWrongQkeyIsDroppedAndCounted(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd right = pair.right();
      right.postRecv(7, right.sge(0, 100));
      AddressHandle ah = pair.left().ahTo(right);
      int before = right.context().queryPort(1).qkeyViolCntr();
      SendWr wrong =
          pair.left().to(right, ah, SendWrs.send(1, pair.left().sge(0, 8))).remoteQkey(1);
      Await.until(
          "a datagram with a wrong Q_Key",
          () -> {
            pair.post(api, wrong);
            right.assertNothingReceived();
            return right.context().queryPort(1).qkeyViolCntr() > before;
          });
      SendWr good = pair.left().to(right, ah, SendWrs.sendImm(2, 3));
      assertThat(pair.deliver(link, api, good).immData()).isEqualTo(3);
      assertThat(right.queryState()).isEqualTo(QpState.RTS);
    }
  }

  @Test
  @Proves("S3.3.6")
  void theCounterOfWrongQkeysStopsAtItsEnd() {
    try (QpPair pair = QpPair.open(TckLink.selected().getFirst(), QpType.UD)) {
      QpEnd left = pair.left();
      AddressHandle ah = left.ahTo(pair.right());
      SendWr wrong = left.to(pair.right(), ah, SendWrs.send(1)).remoteQkey(1);
      while (pair.right().context().counters().get(Counter.DROPPED_QKEY) < 0x1_0010) {
        pair.post(PostingApi.POST_SEND, wrong);
      }
      assertThat(pair.right().context().queryPort(1).qkeyViolCntr()).isEqualTo(0xffff);
    }
  }

  @Test
  @Proves({"S3.3.7", "S3.3.6", "S3.3.9"})
  void foreignPartitionsAreDroppedAndCountedAndPsnsAreNotLookedAt() throws IOException {
    assumeThat(TckLink.selected()).as("links that are tested").contains(TckLink.UDP);
    String device = Addresses.next();
    try (Context context = Devices.open(DeviceSpec.soft(device).link(LinkKind.UDP).icrc(false));
        DatagramSocket stranger = new DatagramSocket(0, InetAddress.getByName(Addresses.next()))) {
      PairSetup setup = PairSetup.on(TckLink.UDP).type(QpType.UD);
      QpEnd end = setup.end(context, context.allocPd());
      setup.connect(end.qp(), end.qp().endpoint());
      end.postRecv(7, end.sge(0, 64));
      end.postRecv(8, end.sge(0, 64));
      InetSocketAddress address = new InetSocketAddress(device, 4791);
      stranger.send(datagram(end, 0x8001, PairSetup.QKEY, 5, address));
      stranger.send(datagram(end, 0xffff, PairSetup.QKEY + 1, 5, address));
      stranger.send(datagram(end, 0xffff, PairSetup.QKEY, 5, address));
      stranger.send(datagram(end, 0x7fff, PairSetup.QKEY, 3, address));
      WorkCompletion received = end.received(7);
      assertThat(received.srcQp()).isEqualTo(0x77);
      assertThat(received.byteLen()).isEqualTo(GRH);
      end.received(8);
      assertThat(context.queryPort(1).badPkeyCntr()).isEqualTo(1);
      assertThat(context.queryPort(1).qkeyViolCntr()).isEqualTo(1);
      assertThat(end.queryState()).isEqualTo(QpState.RTS);
    }
  }

  private static DatagramPacket datagram(
      QpEnd to, int pkey, int qkey, int psn, InetSocketAddress address) {
    byte[] deth = ByteBuffer.allocate(8).putInt(qkey).putInt(0x77).array();
    byte[] bytes = WireFrame.request(0x64, to.qp().qpNum(), psn, deth).toBytes();
    ByteBuffer.wrap(bytes).putShort(2, (short) pkey);
    return new DatagramPacket(bytes, bytes.length, address);
  }

  @OnEveryLinkAndApi
  @Proves({"S1.7.11", "S3.3.8"})
  void aPrivilegedQkeyStandsForThatOfTheSender(TckLink link, PostingApi api) {
    try (QpPair pair = PairSetup.on(link).type(QpType.UD).qkey(0x8000_4711).open()) {
      QpEnd right = pair.right();
      assertThat(right.qp().query(QpAttrMask.QKEY).qkey()).isEqualTo(0x8000_4711);
      right.postRecv(7, right.sge(0, 100));
      AddressHandle ah = pair.left().ahTo(right);
      SendWr wr = pair.left().to(right, ah, SendWrs.sendImm(1, 5)).remoteQkey(0x8000_0000);
      assertThat(pair.deliver(link, api, wr).immData()).isEqualTo(5);

      // The sender's own Q_Key no longer matches, whatever the request names.
      pair.left().qp().modify(new QpAttr().qkey(0x11));
      right.postRecv(8, right.sge(0, 100));
      pair.post(api, wr.remoteQkey(0x8000_4711));
      pair.left().qp().modify(new QpAttr().qkey(0x8000_4711));
      int arrived = pair.deliver(link, api, wr.immData(6)).immData();
      // A bad network also repeats what it has delivered.
      assertThat(arrived).isIn(6, link.isFaulty() ? 5 : 6);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S3.2.2", "S1.6.5"})
  void withoutAReceiveADatagramIsDropped(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      AddressHandle ah = pair.left().ahTo(pair.right());
      SendWr early = pair.left().to(pair.right(), ah, SendWrs.sendImm(1, 1));
      pair.post(api, early);
      Await.until(
          "a datagram that found no receive",
          () -> {
            if (link.isFaulty()) {
              pair.post(api, early);
            }
            pair.right().assertNothingReceived();
            return pair.right().context().counters().get(Counter.DROPPED_NO_RECEIVE) > 0;
          });
      if (!link.isFaulty()) {
        assertGoesOn(link, pair, api, ah);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S3.2.5", "S1.6.5"})
  void aDatagramThatDoesNotFitWithItsHeaderIsDropped(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      left.fill(0, 100, 1);
      AddressHandle ah = left.ahTo(right);
      right.postRecv(7, right.sge(0, GRH + 60));
      pair.post(api, left.to(right, ah, SendWrs.send(1, left.sge(0, 61))));
      SendWr fits = left.to(right, ah, SendWrs.send(2, left.sge(0, 60)));
      assertThat(pair.deliver(link, api, fits).byteLen()).isEqualTo(GRH + 60);
      assertThat(right.bytes(GRH + 60, 100)).containsOnly(0);
      assertThat(right.queryState()).isEqualTo(QpState.RTS);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.7.10")
  void aDatagramBeyondTheMtuOfThePortIsNotSent(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      int mtu = left.context().queryPort(1).activeMtu().bytes();
      AddressHandle ah = left.ahTo(right);
      right.postRecv(7, right.sge(0, 8192));
      SendWr tooLong = left.to(right, ah, SendWrs.send(1, left.sge(0, mtu), left.sge(0, 1)));
      WorkRequestException refusal =
          catchThrowableOfType(WorkRequestException.class, () -> api.post(left.qp(), tooLong));
      if (refusal == null) {
        left.awaitSend(1);
        left.qp().modify(new QpAttr().qpState(QpState.RTS));
      } else {
        assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
        assertThat(refusal).hasMessageContaining("" + (mtu + 1)).hasMessageContaining("" + mtu);
      }
      SendWr fits = left.to(right, ah, SendWrs.send(2, left.sge(0, mtu)));
      assertThat(pair.deliver(link, api, fits).byteLen()).isEqualTo(GRH + mtu);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.3.5", "WR-109", "S2.11"})
  void aRequestWithoutAUsableAddressIsRefused(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd left = pair.left();
      AddressHandle ah = left.ahTo(pair.right());
      AddressHandle closed = left.ahTo(pair.right());
      closed.destroy();
      AddressHandle foreign = left.context().allocPd().createAh(ah.attr());
      List<UnaryOperator<SendWr>> faults =
          List.of(
              wr -> wr.ah(null),
              wr -> wr.ah(closed),
              wr -> wr.ah(foreign),
              wr -> wr.ah(pair.right().ahTo(left)),
              wr -> wr.remoteQpn(0x100_0000));
      for (UnaryOperator<SendWr> fault : faults) {
        SendWr wr = fault.apply(left.to(pair.right(), ah, SendWrs.send(1)));
        Refused.of(() -> api.post(left.qp(), wr), Errno.EINVAL);
      }
      assertGoesOn(link, pair, api, ah);
      left.assertNothingSent();
    }
  }

  @OnEveryLink
  @Proves({"WR-018", "S2.12"})
  void anAddressIsSetOnceAndForARequest(TckLink link) {
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd left = pair.left();
      int qpn = pair.right().qp().qpNum();
      AddressHandle ah = left.ahTo(pair.right());
      left.qp().wrStart();
      left.qp().wrSetUdAddr(ah, qpn, PairSetup.QKEY);
      Refused.of(left.qp()::wrComplete, Errno.EINVAL);
      left.qp().wrStart();
      left.qp().wrSend();
      left.qp().wrSetUdAddr(ah, qpn, PairSetup.QKEY);
      left.qp().wrSetUdAddr(ah, qpn, PairSetup.QKEY);
      left.qp().wrSetSge(0, 0, 0);
      Refused.of(left.qp()::wrComplete, Errno.EINVAL);
      // After the data as well as before it.
      left.qp().wrStart();
      left.qp().wrId(3).wrFlags(SendFlags.SIGNALED);
      left.qp().wrSend();
      left.qp().wrSetSge(0, 0, 0);
      left.qp().wrSetUdAddr(ah, qpn, PairSetup.QKEY);
      left.qp().wrComplete();
      left.sent(3);
      left.assertNothingSent();
    }
  }

  @OnEveryLinkAndApi
  @Proves({"PS-095", "S1.7.9"})
  void destroyingTheHandleOfAWaitingRequestDoesNoHarm(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd left = pair.left();
      AddressHandle ah = left.ahTo(pair.right());
      left.qp().modify(new QpAttr().qpState(QpState.SQD));
      left.setLong(0, 1);
      api.post(left.qp(), left.to(pair.right(), ah, SendWrs.send(1, left.sge(0, 8))));
      ah.destroy();
      // The data is read when it is sent.
      left.setLong(0, 0x1122_3344_5566_7788L);
      pair.right().postRecv(7, pair.right().sge(0, GRH + 8));
      left.awaitDrained();
      left.qp().modify(new QpAttr().qpState(QpState.RTS));
      left.sent(1);
      if (!link.isFaulty()) {
        pair.right().received(7);
        assertThat(pair.right().getLong(GRH)).isEqualTo(0x1122_3344_5566_7788L);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.6.2", "S1.6/01", "S4.3/SQE-RTS", "S4.5/SQE"})
  void aSendThatFailsStopsTheSendQueueUntilItIsRestarted(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd left = pair.left();
      AddressHandle ah = left.ahTo(pair.right());
      Sge bad = left.context().allocPd().allocMr(4096, Access.LOCAL_WRITE).sge(16, 0);
      api.post(left.qp(), left.to(pair.right(), ah, SendWrs.send(1, bad)).sendFlags(0));
      left.awaitSend(1, WcStatus.LOC_PROT_ERR);
      assertThat(left.queryState()).isEqualTo(QpState.SQE);
      api.post(left.qp(), left.to(pair.right(), ah, SendWrs.send(2)));
      left.awaitSend(2, WcStatus.WR_FLUSH_ERR);
      left.qp().modify(new QpAttr().qpState(QpState.RTS).qkey(PairSetup.QKEY));
      assertGoesOn(link, pair, api, ah);
    }
  }

  private static void assertGoesOn(TckLink link, QpPair pair, PostingApi api, AddressHandle ah) {
    QpEnd right = pair.right();
    right.postRecv(99, right.sge(4096, 64));
    SendWr good = pair.left().to(right, ah, SendWrs.sendImm(98, 12345));
    assertThat(pair.deliver(link, api, good).immData()).isEqualTo(12345);
    right.assertNothingReceived();
  }
}
