package dev.verbena.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;

/**
 * Windows and XRC. A window of type 2 serves the peer of the queue pair that bound it (S5.3.8): an
 * initiator can bind and invalidate, but nobody sends requests to it; a target gets requests, but
 * has nothing to bind with.
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

  @OnEveryLinkAndApi
  @Proves({"PS-082", "WR-088", "S1.7.5", "S1.1/SEND_WITH_INV"})
  void aTargetHasNoKeyThatItsPeerCouldInvalidate(TckLink link, PostingApi api) {
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
