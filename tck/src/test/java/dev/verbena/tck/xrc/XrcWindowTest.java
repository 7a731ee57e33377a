package dev.verbena.tck.xrc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.MwSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.XrcNet;
import dev.verbena.tck.kit.pairs.XrcTarget;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;

/**
 * Memory windows and XRC. An initiator binds but gets no requests; a target gets requests but
 * cannot bind. So a type 2 window that an initiator has bound belongs to the peer that first uses
 * it, through any target, with a shared queue of the window's domain (S5.3.8).
 */
final class XrcWindowTest {

  @OnEveryLinkAndApi
  @Proves({"PS-072", "PS-077", "WR-048", "WR-053", "S1.1/BIND_MW", "S1.1/LOCAL_INV", "S1.5.4"})
  void anInitiatorBindsAndInvalidates(TckLink link, PostingApi api) {
    try (XrcNet net = XrcNet.open(link)) {
      QpEnd left = net.connect().left();
      MemoryRegion mr = MwSetup.region(left);
      MemoryWindow mw = MwSetup.type2(left);
      for (int tag = 1; tag < 4; tag++) {
        api.post(left.qp(), MwSetup.bind(1, mw, tag, MwSetup.all(mr, MwSetup.RIGHTS)));
        assertThat(left.sent(1).opcode()).isEqualTo(WcOpcode.BIND_MW);
        Refused.of(mr::dereg, Errno.EBUSY);
        api.post(left.qp(), MwSetup.invalidate(2, MwSetup.key(mw, tag)));
        assertThat(left.sent(2).opcode()).isEqualTo(WcOpcode.LOCAL_INV);
      }
      mr.dereg();
    }
  }

  /** Binds all of a region with this tag. */
  private static SendWr write(long wrId, QpEnd from, XrcTarget target, int rkey, MemoryRegion mr) {
    return target.write(wrId, 0, from.sge(0, 8)).rkey(rkey).remoteAddr(mr.addr());
  }

  @OnEveryLinkAndApi
  @Proves({"PS-077", "WR-048", "WR-053", "S5.3.8", "S5.3.9"})
  void whatAnInitiatorBindsServesOnePeerUntilItIsInvalidated(TckLink link, PostingApi api) {
    try (XrcNet net = XrcNet.open(link)) {
      XrcTarget target = net.target();
      QpEnd binder = net.initiatorOf(target);
      MemoryRegion mr = MwSetup.region(binder);
      MemoryWindow mw = MwSetup.type2(binder);
      int key = MwSetup.bound(binder, api, mw, 1, mr, MwSetup.RIGHTS);
      QpEnd peer = net.connect().left();
      byte[] data = peer.fill(0, 8, 1);
      api.post(peer.qp(), write(1, peer, target, key, mr));
      peer.sent(1);
      assertThat(mr.memory().asSlice(0, 8).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(data);

      QpEnd stranger = net.connect().left();
      api.post(stranger.qp(), write(2, stranger, target, key, mr));
      stranger.awaitSend(2, WcStatus.REM_ACCESS_ERR);

      api.post(binder.qp(), MwSetup.invalidate(3, key));
      assertThat(binder.sent(3).opcode()).isEqualTo(WcOpcode.LOCAL_INV);
      SendWr late = write(4, peer, target, key, mr);
      mr.dereg();
      api.post(peer.qp(), late);
      peer.awaitSend(4, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"PS-082", "WR-088", "S1.7.5", "S1.1/SEND_WITH_INV"})
  void aPeerInvalidatesAWindowOfAnInitiator(TckLink link, PostingApi api) {
    try (XrcNet net = XrcNet.open(link)) {
      XrcTarget target = net.target();
      QpEnd binder = net.initiatorOf(target);
      MemoryRegion mr = MwSetup.region(binder);
      MemoryWindow mw = MwSetup.type2(binder);
      XrcNet.Connection connection = net.connect();
      QpEnd peer = connection.left();
      int key = 0;
      for (int tag = 1; tag < 4; tag++) {
        key = MwSetup.bound(binder, api, mw, tag, mr, MwSetup.RIGHTS);
        if (tag != 2) {
          api.post(peer.qp(), write(10, peer, target, key, mr));
          peer.sent(10);
        }
        byte[] data = peer.fill(0, 3000, tag);
        target.postRecv(7, target.sge(0, 4000));
        SendWr wr = MwSetup.sendInv(11, key, peer.sge(0, 3000));
        api.post(peer.qp(), wr.remoteSrqn(target.srq().srqNum()));
        WorkCompletion received = target.received(7, connection.right());
        assertThat(received.wcFlags() & WcFlags.WITH_INV).isEqualTo(WcFlags.WITH_INV);
        assertThat(received.invalidatedRkey()).isEqualTo(key);
        assertThat(target.bytes(0, 3000)).isEqualTo(data);
        assertThat(peer.sent(11).opcode()).isEqualTo(WcOpcode.SEND);
      }
      long addr = mr.addr();
      mr.dereg();
      api.post(peer.qp(), target.write(12, 0, peer.sge(0, 8)).rkey(key).remoteAddr(addr));
      peer.awaitSend(12, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.7.5")
  void aPeerMayInvalidateNothingElse(TckLink link, PostingApi api) {
    try (XrcNet net = XrcNet.open(link)) {
      XrcNet.Connection connection = net.connect();
      QpEnd left = connection.left();
      XrcTarget target = net.target();
      byte[] data = left.fill(0, 3000, 1);
      target.postRecv(7, target.sge(0, 4000));
      int key = target.mr().rkey();
      api.post(
          left.qp(), MwSetup.sendInv(1, key, left.sge(0, 3000)).remoteSrqn(target.srq().srqNum()));
      WorkCompletion received = Await.completion(target.cq(), "the receive");
      assertThat(received.wrId()).isEqualTo(7);
      assertThat(received.status()).isEqualTo(WcStatus.MW_BIND_ERR);
      assertThat(target.bytes(0, 3000)).as("placed before").isEqualTo(data);
      left.awaitSend(1, WcStatus.REM_INV_REQ_ERR);
      Await.until("the target to fail", () -> connection.right().query().qpState() == QpState.ERR);
    }
  }
}
