package dev.verbena.tck.datagrams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
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
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCreateFlags;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Multicast: joining groups, and the recipients of datagrams to a group (S8). */
final class MulticastTest {
  private static final int GRH = Grh.LENGTH;
  private static final int QPN = 0xFFFFFF;
  private static final int RECEIVES = 100;

  @OnEveryLink(of = LinkLayer.ETHERNET)
  @Proves({"S8.5", "S8.6", "S8.7"})
  void eachMemberGetsACopyThatShowsTheGroupAndNobodyElseGetsOne(TckLink link) {
    Gid group = Addresses.nextGroup();
    try (Members ends = Members.open(link)) {
      QpEnd sender = ends.left();
      QpEnd besideTheSender = ends.more(ends.left());
      QpEnd there = ends.right();
      QpEnd alsoThere = ends.more(ends.right());
      QpEnd stranger = ends.more(ends.right());
      List<QpEnd> members = List.of(besideTheSender, there, alsoThere);
      members.forEach(member -> member.qp().attachMcast(group, 0));
      byte[] data = sender.fill(0, 100, 5);
      Gid from = sender.context().queryGid(1, Members.to(sender, group).sgidIndex());

      List<WorkCompletion> copies = ends.sendToAll(link, sender, group, 100, members);

      for (int i = 0; i < members.size(); i++) {
        WorkCompletion wc = copies.get(i);
        QpEnd member = members.get(i);
        assertThat(wc.byteLen()).isEqualTo(GRH + 100);
        assertThat(wc.wcFlags()).isEqualTo(WcFlags.GRH | WcFlags.WITH_IMM);
        assertThat(wc.srcQp()).isEqualTo(sender.qp().qpNum());
        assertThat(wc.qpNum()).isEqualTo(member.qp().qpNum());
        assertThat(member.bytes(GRH, 100)).isEqualTo(data);
        ByteBuffer ip = ByteBuffer.wrap(member.bytes(GRH - 20, 20));
        assertThat(ip.getInt(12)).isEqualTo((int) from.interfaceId());
        assertThat(ip.getInt(16)).as("the group").isEqualTo((int) group.interfaceId());
      }
      stranger.assertNothingReceived();
      sender.assertNothingReceived();
      if (!link.isFaulty()) {
        members.forEach(QpEnd::assertNothingReceived);
        assertThat(
                there.qp().counters().get(Counter.PACKETS_RECEIVED)
                    + there.qp().counters().get(Counter.LOOPBACK_RECEIVED))
            .as("one copy counted")
            .isEqualTo(1);
      }
    }
  }

  @OnEveryLink(of = LinkLayer.ETHERNET)
  @Proves({"S8.6"})
  void aSenderGetsItsOwnCopyUnlessItWantsNone(TckLink link) {
    Gid group = Addresses.nextGroup();
    try (Members ends = Members.open(link)) {
      QpEnd hears = ends.left();
      QpEnd deaf = ends.more(ends.left(), QpCreateFlags.BLOCK_SELF_MCAST_LB);
      assertThat(deaf.qp().queryInit().createFlags()).isEqualTo(QpCreateFlags.BLOCK_SELF_MCAST_LB);
      hears.qp().attachMcast(group, 0);
      deaf.qp().attachMcast(group, 0);

      ends.sendToAll(link, deaf, group, 8, List.of(hears));
      ends.sendToAll(link, deaf, group, 8, List.of(hears));
      deaf.assertNothingReceived();

      ends.sendToAll(link, hears, group, 8, List.of(hears, deaf));
    }
  }

  @OnEveryLink(of = LinkLayer.ETHERNET)
  @Proves({"S8.6"})
  void aMemberDropsWhatItWouldDropOtherwise(TckLink link) {
    Gid group = Addresses.nextGroup();
    try (Members ends = Members.open(link)) {
      QpEnd good = ends.right();
      QpEnd otherKey = ends.more(ends.right());
      otherKey.qp().modify(new QpAttr().qkey(77));
      QpEnd early = ends.inInit(ends.right());
      List<QpEnd> all = List.of(good, otherKey, early);
      all.forEach(member -> member.qp().attachMcast(group, 0));

      for (int i = 0; i < 3; i++) {
        ends.sendToAll(link, ends.left(), group, 8, List.of(good));
      }

      otherKey.assertNothingReceived();
      early.assertNothingReceived();
      assertThat(otherKey.qp().counters().get(Counter.DROPPED_QKEY)).isGreaterThanOrEqualTo(2);
      assertThat(early.qp().counters().get(Counter.DROPPED_QP_STATE)).isGreaterThanOrEqualTo(2);
      assertThat(good.qp().counters().get(Counter.DROPPED_QKEY)).isZero();
    }
  }

  @OnEveryLink(of = LinkLayer.ETHERNET)
  @Proves({"S8.2", "S8.7"})
  void joiningTwiceIsJoiningOnceInEitherSpellingOfTheGroup(TckLink link) {
    Gid group = Addresses.nextGroup();
    Gid roceV1 = Gid.parse("ff0e::" + group.toString().substring("::".length()));
    try (Members ends = Members.open(link)) {
      QpEnd member = ends.right();
      QpEnd witness = ends.more(ends.right());
      member.qp().attachMcast(group, 0);
      member.qp().attachMcast(roceV1, 3);
      member.qp().attachMcast(group, 0);
      witness.qp().attachMcast(roceV1, 0);
      ends.sendToAll(link, ends.left(), group, 8, List.of(member, witness));
      ends.sendToAll(link, ends.left(), roceV1, 8, List.of(member, witness));
      if (!link.isFaulty()) {
        member.assertNothingReceived();
      }

      member.qp().detachMcast(group, 0);
      Refused.of(() -> member.qp().detachMcast(roceV1, 0), Errno.EINVAL).from("detachMcast");
      ends.drain(member);
      ends.sendToAll(link, ends.left(), group, 8, List.of(witness));
      ends.sendToAll(link, ends.left(), group, 8, List.of(witness));
      member.assertNothingReceived();

      member.qp().attachMcast(roceV1, 0);
      ends.sendToAll(link, ends.left(), group, 8, List.of(member, witness));
    }
  }

  @OnEveryLink(of = LinkLayer.ETHERNET)
  @Proves({"S8.1", "S8.2"})
  void onlyUdJoinsAndOnlyMulticastGroupsThatTheDeviceCanReach(TckLink link) {
    Gid group = Addresses.nextGroup();
    try (Members ends = Members.open(link)) {
      QueuePair ud = ends.left().qp();
      for (Gid bad :
          List.of(Gid.parse("10.0.0.1"), Gid.parse("240.0.0.1"), Gid.parse("fe80::1"), Gid.ZERO)) {
        Refused.of(() -> ud.attachMcast(bad, 0), Errno.EINVAL)
            .from("attachMcast")
            .naming(bad.toString());
        Refused.of(() -> ud.detachMcast(bad, 0), Errno.EINVAL).from("detachMcast");
      }
      Refused.of(() -> ud.detachMcast(group, 0), Errno.EINVAL)
          .from("detachMcast")
          .naming(group.toString());
      QpEnd rc = ends.setup().type(QpType.RC).end(ends.left().context(), ends.left().pd());
      Refused.of(() -> rc.qp().attachMcast(group, 0), Errno.EINVAL).naming("RC", "UD");
      QpEnd inReset = ends.setup().type(QpType.UD).end(ends.left().context(), ends.left().pd());
      inReset.qp().attachMcast(group, 0);
      assertThat(inReset.queryState()).isEqualTo(QpState.RESET);
      QpInitAttr flagged =
          QpInitAttr.rc(rc.sendCq()).createFlags(QpCreateFlags.BLOCK_SELF_MCAST_LB);
      Refused.of(() -> rc.pd().createQp(flagged), Errno.EINVAL);
      QpInitAttr unknown = QpInitAttr.ud(rc.sendCq()).createFlags(1 << 30);
      Refused.of(() -> rc.pd().createQp(unknown), Errno.EINVAL).naming("40000000");
    }
  }

  @OnEveryLink(of = LinkLayer.ETHERNET)
  @Proves("S8.1")
  void anIpv6GroupIsReachedFromIpv4AddressesAndIsNoOther(TckLink link) {
    Gid group = Gid.parse("ff01:0:2:c985::1");
    Gid other = Gid.parse("ff01:0:2:c985::2");
    try (Members ends = Members.open(link)) {
      QpEnd member = ends.right();
      member.qp().attachMcast(group, 0);
      QpEnd stranger = ends.more(ends.right());
      stranger.qp().attachMcast(other, 0);
      ends.sendToAll(link, ends.left(), group, 8, List.of(member));
      stranger.assertNothingReceived();
      member.qp().detachMcast(group, 0);
      Refused.of(() -> member.qp().detachMcast(group, 0), Errno.EINVAL).naming(group.toString());
    }
  }

  @OnEveryLink(of = LinkLayer.ETHERNET)
  @Proves({"S8.3", "S8.4"})
  void aMemberCannotBeDestroyedButClosingItLeavesItsGroups(TckLink link) {
    Gid first = Addresses.nextGroup();
    Gid second = Addresses.nextGroup();
    try (Members ends = Members.open(link)) {
      QueuePair qp = ends.more(ends.right()).qp();
      qp.attachMcast(first, 0);
      qp.attachMcast(first, 0);
      qp.attachMcast(second, 0);
      Refused.of(qp::destroy, Errno.EBUSY).from("destroyQp");
      qp.detachMcast(first, 0);
      Refused.of(qp::destroy, Errno.EBUSY).naming(second.toString());
      qp.detachMcast(second, 0);
      qp.destroy();

      QueuePair closed = ends.more(ends.right()).qp();
      closed.attachMcast(first, 0);
      closed.attachMcast(first, 0);
      closed.attachMcast(second, 0);
      closed.close();
      assertThat(closed.isClosed()).isTrue();
      ends.right().qp().attachMcast(second, 0);
      ends.sendToAll(link, ends.left(), second, 8, List.of(ends.right()));
    }
  }

  @OnEveryLink(of = LinkLayer.ETHERNET)
  @Proves("S8.5")
  void onlyTheMulticastQueuePairNumberReachesAGroup(TckLink link) {
    Gid group = Addresses.nextGroup();
    try (Members ends = Members.open(link)) {
      QpEnd member = ends.right();
      member.qp().attachMcast(group, 0);
      AddressHandle ah = ends.left().pd().createAh(Members.to(ends.left(), group));
      for (int i = 0; i < 3; i++) {
        ends.send(PostingApi.POST_SEND, ends.left(), 8, ah, member.qp().qpNum());
      }
      // The first copy of each is of the last datagram.
      List<WorkCompletion> copies = ends.sendToAll(link, ends.left(), group, 16, List.of(member));
      assertThat(copies.getFirst().byteLen()).isEqualTo(GRH + 16);
      if (!link.isFaulty()) {
        member.assertNothingReceived();
      }
    }
  }

  @OnEveryLinkAndApi(of = LinkLayer.ETHERNET)
  @Proves("S1.7.12")
  void multicastIsNumberAndAddressTogetherAndSpecialNumbersAreNobodys(
      TckLink link, PostingApi api) {
    Gid group = Addresses.nextGroup();
    try (Members ends = Members.open(link)) {
      QpEnd sender = ends.left();
      QpEnd member = ends.right();
      member.qp().attachMcast(group, 0);
      AddressHandle toGroup = sender.pd().createAh(Members.to(sender, group));
      AddressHandle toDevice = sender.ahTo(member);
      long dropped = member.context().counters().get(Counter.DROPPED_NO_QP);
      for (int number : new int[] {0, 1, QPN}) {
        ends.send(api, sender, 8, toDevice, number);
      }
      if (!link.isFaulty()) {
        Await.until(
            "the three to be dropped",
            () -> member.context().counters().get(Counter.DROPPED_NO_QP) >= dropped + 3);
      }
      for (int number : new int[] {0, 1, member.qp().qpNum()}) {
        ends.send(api, sender, 8, toGroup, number);
      }

      WorkCompletion received = new WorkCompletion();
      ends.send(api, sender, 16, toGroup, QPN);
      Await.until(
          "a datagram to the group",
          () -> {
            boolean arrived = member.recvCq().poll(received);
            if (!arrived && link.isFaulty()) {
              ends.send(api, sender, 16, toGroup, QPN);
            }
            return arrived;
          });

      do {
        assertThat(received.byteLen()).as("bytes of %s", received).isEqualTo(GRH + 16);
      } while (member.recvCq().poll(received));
    }
  }

  @OnEveryLink(of = LinkLayer.ETHERNET)
  @Proves("S8.8")
  void theHopLimitIsTheHandlesOrElseOne(TckLink link) {
    link.assumeReceivedIpHeaders();
    assertThat(hopLimitTo(link, address -> address)).isEqualTo(1);
    int[][] cases = {{0, 1}, {1, 1}, {7, 7}, {64, 64}};
    for (int[] hops : cases) {
      assertThat(hopLimitTo(link, address -> address.withHopLimit(hops[0])))
          .as("hop limit")
          .isEqualTo(hops[1]);
    }
  }

  /**
   * The hop limit that arrives. The group and the ends are new, so no late copy of another message
   * interferes.
   */
  private static int hopLimitTo(TckLink link, UnaryOperator<AhAttr> handle) {
    Gid group = Addresses.nextGroup();
    try (Members ends = Members.open(link)) {
      ends.right().qp().attachMcast(group, 0);
      ends.sendToAll(
          link,
          ends.left(),
          handle.apply(Members.to(ends.left(), group)),
          8,
          List.of(ends.right()));
      return ends.right().bytes(GRH - 20 + 8, 1)[0];
    }
  }

  @Test
  @Proves("S8.8")
  void aDeviceIsInSoManyGroupsAndAGroupHasSoManyMembers() {
    try (Members ends = Members.open(TckLink.PACKET)) {
      Context context = ends.left().context();
      DeviceAttr limits = context.queryDevice();
      assertThat(limits.maxTotalMcastQpAttach())
          .isGreaterThanOrEqualTo(Math.max(limits.maxMcastGrp(), limits.maxMcastQpAttach()));
      QueuePair qp = ends.left().qp();
      Gid shared = Addresses.nextGroup();
      qp.attachMcast(shared, 0);
      for (int i = 1; i < limits.maxMcastGrp(); i++) {
        qp.attachMcast(Addresses.nextGroup(), 0);
      }
      Gid tooMany = Addresses.nextGroup();
      Refused.of(() -> qp.attachMcast(tooMany, 0), Errno.ENOMEM)
          .from("attachMcast")
          .naming(tooMany.toString(), "max_mcast_grp=" + limits.maxMcastGrp());

      ProtectionDomain pd = ends.left().pd();
      QpInitAttr small = QpInitAttr.ud(ends.left().sendCq()).maxSendWr(1).maxRecvWr(1);
      for (int i = 1; i < limits.maxMcastQpAttach(); i++) {
        pd.createQp(small).attachMcast(shared, 0);
      }
      QueuePair last = pd.createQp(small);
      Refused.of(() -> last.attachMcast(shared, 0), Errno.ENOMEM)
          .naming("max_mcast_qp_attach=" + limits.maxMcastQpAttach());
      qp.detachMcast(shared, 0);
      last.attachMcast(shared, 0);
      Refused.of(() -> qp.attachMcast(shared, 0), Errno.ENOMEM);
      Gid free = Addresses.nextGroup();
      Refused.of(() -> qp.attachMcast(free, 0), Errno.ENOMEM).naming("max_mcast_grp");
    }
  }

  @Test
  @Proves("S8.8")
  void aDeviceHasSoManyMembershipsInAll() {
    try (Members ends = Members.open(TckLink.PACKET)) {
      DeviceAttr limits = ends.left().context().queryDevice();
      ProtectionDomain pd = ends.left().pd();
      QpInitAttr small = QpInitAttr.ud(ends.left().sendCq()).maxSendWr(1).maxRecvWr(1);
      Gid[] groups = new Gid[limits.maxMcastGrp() - 1];
      Arrays.setAll(groups, i -> Addresses.nextGroup());
      int total = 0;
      QueuePair qp = pd.createQp(small);
      while (total < limits.maxTotalMcastQpAttach()) {
        if (total % groups.length == 0) {
          qp = pd.createQp(small);
        }
        qp.attachMcast(groups[total % groups.length], 0);
        total++;
      }
      QueuePair last = pd.createQp(small);
      Refused.of(() -> last.attachMcast(groups[0], 0), Errno.ENOMEM)
          .from("attachMcast")
          .naming(Integer.toString(limits.maxTotalMcastQpAttach()));
      qp.close();
      last.attachMcast(groups[0], 0);
    }
  }

  /** UD queue pairs on two devices, all in RTS, with receives of 40 + 512 bytes at offset 0. */
  private record Members(PairSetup setup, QpPair pair) implements AutoCloseable {
    static Members open(TckLink link) {
      PairSetup setup = PairSetup.on(link).type(QpType.UD);
      Members members = new Members(setup, setup.open());
      members.pair.ends().forEach(Members::post);
      return members;
    }

    QpEnd left() {
      return pair.left();
    }

    QpEnd right() {
      return pair.right();
    }

    /** One more beside another one. */
    QpEnd more(QpEnd beside, int... createFlags) {
      QpEnd end = inInit(beside, createFlags);
      setup.toRtr(end.qp(), end.qp().endpoint());
      setup.toRts(end.qp());
      return end;
    }

    QpEnd inInit(QpEnd beside, int... createFlags) {
      QpEnd end = setup.createFlags(createFlags).end(beside.context(), beside.pd());
      setup.createFlags();
      setup.toInit(end.qp());
      post(end);
      return end;
    }

    private static void post(QpEnd end) {
      for (int i = 0; i < RECEIVES; i++) {
        end.qp().postRecv(new RecvWr().wrId(i).sgList(end.sge(0, GRH + 512)));
      }
    }

    /** Sends, on a lossy link until each has got a copy, and returns their first completions. */
    List<WorkCompletion> sendToAll(
        TckLink link, QpEnd from, Gid group, int length, List<QpEnd> to) {
      return sendToAll(link, from, to(from, group), length, to);
    }

    /** A group's address from a GID of its IP version, if the device has one. */
    static AhAttr to(QpEnd from, Gid group) {
      int index =
          from.context().queryGidTable().stream()
              .filter(entry -> entry.gidType() == GidType.ROCE_V2)
              .filter(entry -> entry.gid().isIpv4Mapped() == group.isIpv4Mapped())
              .mapToInt(GidEntry::gidIndex)
              .findFirst()
              .orElse(0);
      return AhAttr.to(group).withSgidIndex(index);
    }

    /**
     * Joins with the network interface, too, until the socket is closed: for devices of others that
     * is the connection manager's part.
     */
    private static @Nullable MulticastSocket join(QpEnd end, Gid group) {
      if (!TckLink.areDevicesOfOthers()) {
        return null;
      }
      int index = end.context().queryGidEx(1, 0).ndevIfindex();
      try {
        MulticastSocket socket = new MulticastSocket();
        try {
          socket.joinGroup(
              new InetSocketAddress(group.toInetAddress(), 0), NetworkInterface.getByIndex(index));
        } catch (IOException e) {
          socket.close();
          throw e;
        }
        return socket;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    List<WorkCompletion> sendToAll(
        TckLink link, QpEnd from, AhAttr address, int length, List<QpEnd> to) {
      AddressHandle ah = from.pd().createAh(address);
      WorkCompletion[] copies = new WorkCompletion[to.size()];
      Runnable send =
          () -> {
            from.qp()
                .postSend(
                    SendWrs.sendImm(1, 2, from.sge(0, length))
                        .ah(ah)
                        .remoteQpn(QPN)
                        .remoteQkey(PairSetup.QKEY));
            from.sent(1);
          };
      try (MulticastSocket _ = join(from, address.dgid())) {
        send.run();
        Await.until(
            "a copy at each of " + to,
            () -> {
              boolean all = true;
              for (int i = 0; i < copies.length; i++) {
                WorkCompletion wc = new WorkCompletion();
                if (to.get(i).recvCq().poll(wc)) {
                  if (copies[i] == null) {
                    copies[i] = wc;
                  }
                  to.get(i).qp().postRecv(new RecvWr().wrId(1).sgList(to.get(i).sge(0, GRH + 512)));
                }
                all &= copies[i] != null;
              }
              if (!all && link.isFaulty()) {
                send.run();
              }
              return all;
            });
      }
      ah.destroy();
      return List.of(copies);
    }

    /** Sends to a queue pair number at an address, and waits until that is done. */
    void send(PostingApi api, QpEnd from, int length, AddressHandle ah, int number) {
      api.post(
          from.qp(),
          SendWrs.send(9, from.sge(0, length)).ah(ah).remoteQpn(number).remoteQkey(PairSetup.QKEY));
      from.sent(9);
    }

    /** Takes the copies that faults have duplicated. */
    void drain(QpEnd end) {
      WorkCompletion wc = new WorkCompletion();
      while (end.recvCq().poll(wc)) {
        end.qp().postRecv(new RecvWr().wrId(1).sgList(end.sge(0, GRH + 512)));
      }
    }

    @Override
    public void close() {
      pair.close();
    }
  }
}
