package dev.verbena.tck.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.spi.Subnet;
import java.util.concurrent.atomic.AtomicInteger;

/** Multicast groups on an InfiniBand subnet: the port joins, queue pairs attach. */
final class SubnetGroupTest {
  private static final int MULTICAST_QPN = 0xffffff;
  private static final AtomicInteger GROUPS = new AtomicInteger();

  private final int number = GROUPS.incrementAndGet();
  private final Gid mgid = new Gid(0xff12_601bL << 32, 0x1000_0000L + number);
  private final int mlid = 0xc000 + number;
  private final AhAttr toGroup = AhAttr.to(mgid).withDlid(mlid);

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void whoIsAttachedAtAPortThatHasJoinedGetsACopy(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      QpEnd sender = nodes.open(0);
      QpEnd member = nodes.open(0);
      QpEnd beside = nodes.another(member.context(), 0);
      QpEnd unattached = nodes.another(member.context(), 0);
      QpEnd notJoined = nodes.open(0);
      Subnet.of(member.context()).join(guid(member), mgid, mlid);
      for (QpEnd end : new QpEnd[] {member, beside, unattached, notJoined}) {
        Nodes.postReceive(end);
      }
      member.qp().attachMcast(mgid, mlid);
      beside.qp().attachMcast(mgid, mlid);
      notJoined.qp().attachMcast(mgid, mlid);

      WorkCompletion wc = sendUntilReceived(link, sender, member, toGroup);
      awaitCopy(link, sender, beside, toGroup);

      assertThat(wc.wcFlags()).isEqualTo(WcFlags.GRH);
      assertThat(wc.slid()).isEqualTo(Nodes.lidOf(sender));
      assertThat(wc.dlidPathBits()).isZero();
      Grh grh = Grh.of(member.mr().memory().asSlice(Nodes.RECEIVE));
      assertThat(grh.dgid()).isEqualTo(mgid);
      assertThat(grh.sgid()).isEqualTo(sender.gid());
      unattached.assertNothingReceived();
      notJoined.assertNothingReceived();
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void aPortThatLeavesGetsNothingMoreAndJoiningWorksAfterAttaching(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      QpEnd sender = nodes.open(0);
      QpEnd leaves = nodes.open(0);
      QpEnd stays = nodes.open(0);
      Subnet subnet = Subnet.of(sender.context());
      for (QpEnd end : new QpEnd[] {leaves, stays}) {
        end.qp().attachMcast(mgid, mlid);
        subnet.join(guid(end), mgid, mlid);
        Nodes.postReceive(end);
      }
      sendUntilReceived(link, sender, leaves, toGroup);
      awaitCopy(link, sender, stays, toGroup);
      subnet.leave(guid(leaves), mgid);
      Nodes.postReceive(leaves);
      for (int i = 0; i < 3; i++) {
        Nodes.postReceive(stays);
        sendUntilReceived(link, sender, stays, toGroup);
      }
      if (!link.isFaulty()) {
        leaves.assertNothingReceived();
      }
      subnet.leave(guid(leaves), mgid);
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void whatIsSentToAnotherLidIsNotForTheGroup(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      QpEnd sender = nodes.open(0);
      QpEnd member = nodes.open(0);
      Subnet.of(member.context()).join(guid(member), mgid, mlid);
      member.qp().attachMcast(mgid, mlid);
      Nodes.postReceive(member);
      Nodes.send(sender, MULTICAST_QPN, toGroup.withDlid(0xfffe));
      Nodes.send(sender, MULTICAST_QPN, toGroup.withSl(7));
      WorkCompletion wc = sendUntilReceived(link, sender, member, toGroup.withSl(7));
      assertThat(wc.sl()).isEqualTo(7);
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void whatIsNoGroupIsRefused(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      QpEnd end = nodes.open(0);
      Subnet subnet = Subnet.of(end.context());
      Refused.of(() -> end.qp().attachMcast(mgid, 0), Errno.EINVAL)
          .from("attachMcast")
          .naming("0xc000 to 0xfffe");
      Refused.of(() -> end.qp().attachMcast(mgid, 0xffff), Errno.EINVAL);
      Refused.of(() -> end.qp().attachMcast(end.gid(), mlid), Errno.EINVAL);
      Refused.of(() -> subnet.join(guid(end), mgid, 0xbfff), Errno.EINVAL).from("join");
      Refused.of(() -> subnet.join(guid(end), end.gid(), mlid), Errno.EINVAL).from("join");
      Refused.of(() -> subnet.join(1, mgid, mlid), Errno.EINVAL).naming("0x1");
      QpEnd other = nodes.open(0);
      subnet.join(guid(other), mgid, mlid);
      Refused.of(() -> subnet.join(guid(end), mgid, mlid + 1), Errno.EINVAL)
          .naming(Integer.toHexString(mlid), Integer.toHexString(mlid + 1));
      subnet.leave(guid(other), mgid);
      subnet.join(guid(end), mgid, mlid + 1);
    }
  }

  private static long guid(QpEnd end) {
    return end.gid().interfaceId();
  }

  private static WorkCompletion sendUntilReceived(
      TckLink link, QpEnd from, QpEnd to, AhAttr address) {
    Nodes.send(from, MULTICAST_QPN, address);
    return awaitCopy(link, from, to, address);
  }

  private static WorkCompletion awaitCopy(TckLink link, QpEnd from, QpEnd to, AhAttr address) {
    WorkCompletion wc = new WorkCompletion();
    Await.until(
        "a copy",
        () -> {
          if (to.recvCq().poll(wc)) {
            return true;
          }
          if (link.isFaulty()) {
            Nodes.send(from, MULTICAST_QPN, address);
          }
          return false;
        });
    return wc.orThrow();
  }
}
