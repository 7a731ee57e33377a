package dev.verbena.tck.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.ByteBuffer;

/** Datagrams on an InfiniBand subnet: by LID alone, and with a global route. */
final class LocalRouteTest {

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void withoutAGlobalRouteTheCompletionTellsTheLocalOneAndTheHeaderAreaStays(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      QpEnd from = nodes.open(0, "lmc=2");
      QpEnd to = nodes.open(0, "lmc=1");
      byte[] before = to.fill(Nodes.RECEIVE, Grh.LENGTH, 3);
      AhAttr address = Nodes.lid(Nodes.lidOf(to) + 1).withSrcPathBits(3).withSl(5);

      WorkCompletion wc = nodes.deliver(from, to, address);

      assertThat(wc.wcFlags()).isZero();
      assertThat(wc.slid()).isEqualTo(Nodes.lidOf(from) + 3);
      assertThat(wc.dlidPathBits()).isEqualTo(1);
      assertThat(wc.sl()).isEqualTo(5);
      assertThat(wc.srcQp()).isEqualTo(from.qp().qpNum());
      assertThat(wc.byteLen()).as("with the area").isEqualTo(Grh.LENGTH + Nodes.LENGTH);
      assertThat(to.bytes(Nodes.RECEIVE, Grh.LENGTH)).isEqualTo(before);
      assertThat(to.bytes(Nodes.RECEIVE + Grh.LENGTH, Nodes.LENGTH))
          .isEqualTo(from.bytes(0, Nodes.LENGTH));
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void theGlobalRouteIsTheHeaderThatTheAreaHolds(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      QpEnd from = nodes.open(0);
      QpEnd to = nodes.open(0);
      AhAttr address =
          AhAttr.to(to.qp().endpoint())
              .withHopLimit(0)
              .withTrafficClass(0x2a)
              .withFlowLabel(0x12345);

      WorkCompletion wc = nodes.deliver(from, to, address);

      assertThat(wc.wcFlags()).isEqualTo(WcFlags.GRH);
      assertThat(wc.slid()).isEqualTo(Nodes.lidOf(from));
      byte[] area = to.bytes(Nodes.RECEIVE, Grh.LENGTH);
      Grh grh = Grh.of(to.mr().memory().asSlice(Nodes.RECEIVE));
      assertThat(grh).isEqualTo(new Grh(from.gid(), to.gid(), 0x2a, 0x12345, 0, 0x1b));
      int packet = 12 + 8 + Nodes.LENGTH + 4;
      assertThat(ByteBuffer.wrap(area).getShort(4)).as("BTH to ICRC").isEqualTo((short) packet);
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void aReplyGoesBackTheWayItCame(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      for (boolean global : new boolean[] {false, true}) {
        // New ones each time, because a repeated question may come late.
        QpEnd asks = nodes.open(0, "lmc=2");
        QpEnd answers = nodes.open(0, "lmc=1");
        AhAttr question =
            global ? AhAttr.to(answers.qp().endpoint()) : Nodes.lid(Nodes.lidOf(answers));
        AhAttr asked = question.withDlid(Nodes.lidOf(answers) + 1).withSrcPathBits(2).withSl(4);
        WorkCompletion wc = nodes.deliver(asks, answers, asked);
        AhAttr back =
            answers.context().initAhFromWc(1, wc, answers.mr().memory().asSlice(Nodes.RECEIVE));
        assertThat(back.dlid()).isEqualTo(Nodes.lidOf(asks) + 2);
        assertThat(back.srcPathBits()).isEqualTo(1);
        assertThat(back.sl()).isEqualTo(4);
        assertThat(back.isGlobal()).isEqualTo(global);

        WorkCompletion reply = nodes.deliver(answers, asks, back);
        assertThat(reply.slid()).isEqualTo(Nodes.lidOf(answers) + 1);
        assertThat(reply.dlidPathBits()).isEqualTo(2);
      }
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void whatIsSentToAnUnusedLidOrToAnotherPortsGidIsLost(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      QpEnd from = nodes.open(0);
      QpEnd to = nodes.open(0);
      Nodes.postReceive(to);
      for (AhAttr wrong :
          new AhAttr[] {
            Nodes.lid(0xbfff),
            AhAttr.to(from.gid()).withDlid(Nodes.lidOf(to)),
            AhAttr.to(Gid.parse("fe80::1")).withDlid(Nodes.lidOf(to))
          }) {
        Nodes.send(from, to.qp().qpNum(), wrong);
      }
      assertThat(nodes.deliver(from, to, Nodes.lid(Nodes.lidOf(to))).slid())
          .isEqualTo(Nodes.lidOf(from));
      assertThat(to.recvCq().poll(new WorkCompletion()) && !link.isFaulty())
          .as("one of the others came, too")
          .isFalse();
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void anAddressThatInfiniBandDoesNotHaveIsRefused(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      QpEnd end = nodes.open(0, "lmc=2");
      int lid = Nodes.lidOf(end);
      Gid group = Gid.parse("ff12::1");
      refused(end, AhAttr.to(end.gid()), "dlid 0x0", "LID of the destination");
      refused(end, Nodes.lid(0xffff), "0xffff");
      refused(end, Nodes.lid(-1), "dlid");
      refused(end, Nodes.lid(lid).withSrcPathBits(4), "source path bits 4", "0 to 3");
      refused(end, Nodes.lid(lid).withSrcPathBits(-1), "source path bits");
      refused(end, Nodes.lid(lid).withSl(16), "service level 16");
      refused(end, Nodes.lid(0xc000), "0xc000", "global route");
      refused(end, AhAttr.to(end.gid()).withDlid(0xc000), "0xc000", "group");
      refused(end, AhAttr.to(group).withDlid(lid), group.toString(), "group");
      refused(end, AhAttr.to(end.gid()).withDlid(lid).withSgidIndex(1), "GID index 1");
      end.pd().createAh(Nodes.lid(lid).withSrcPathBits(3)).destroy();
    }
  }

  private static void refused(QpEnd end, AhAttr address, String... parts) {
    Refused.of(() -> end.pd().createAh(address), Errno.EINVAL).from("createAh").naming(parts);
  }
}
