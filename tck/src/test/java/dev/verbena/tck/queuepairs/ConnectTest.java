package dev.verbena.tck.queuepairs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.XrcNet;
import dev.verbena.tck.kit.pairs.XrcTarget;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendWr;

/** The short ways to RTS for queue pairs that are neither RC nor UC. */
final class ConnectTest {

  @OnEveryLink
  void xrcQueuePairsConnectWithWhatTheirSideNeeds(TckLink link) {
    try (XrcNet net = XrcNet.open(link)) {
      XrcNet.Connection connection = net.unconnected();
      QpEnd left = connection.left();
      XrcTarget target = net.target();
      connection.right().connect(left.qp().endpoint(), Access.REMOTE_WRITE, Access.REMOTE_READ);
      left.qp().connect(connection.right().endpoint());
      assertThat(connection.right().state()).isEqualTo(QpState.RTS);
      byte[] data = left.fill(0, 3000, 1);
      left.qp().postSend(target.write(1, 64, left.sge(0, 3000)));
      left.sent(1);
      assertThat(target.bytes(64, 3000)).isEqualTo(data);
    }
  }

  @OnEveryLink
  void anEndpointIsOfAPortAndOfAnEntryOfItsTable(TckLink link) {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      QueuePair qp = pair.left().qp();
      int index = qp.endpoint().gidIndex();
      assertThat(qp.endpoint(1, index)).isEqualTo(qp.endpoint());
      int behind = qp.context().queryDevice().physPortCnt() + 1;
      Refused.of(() -> qp.endpoint(behind, index), Errno.EINVAL);
      Refused.of(() -> qp.endpoint(1, qp.context().queryPort(1).gidTblLen()), Errno.EINVAL);
    }
  }

  @OnEveryLink
  void connectGoesOnFromInitWhereTheReceivesWerePosted(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      QpEnd right = pair.right();
      setup.toInit(right.qp());
      right.postRecv(7, right.sge(0, 64));
      right.qp().connect(pair.left().qp().endpoint(), Access.REMOTE_READ);
      pair.left().qp().connect(right.qp().endpoint());
      assertThat(right.qp().query().qpAccessFlags())
          .as("the access flags of connect")
          .isEqualTo(Access.REMOTE_READ);
      pair.left().qp().postSend(SendWrs.send(1, pair.left().sge(0, 8)));
      pair.left().sent(1);
      right.received(7);
    }
  }

  @OnEveryLink
  void aConnectThatFailsCanBeRepeatedFromInitButNotFromRtr(TckLink link) {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      QueuePair qp = pair.left().qp();
      QpEndpoint local = qp.endpoint();
      QpEndpoint remote = pair.right().qp().endpoint();
      Refused.of(() -> qp.connect(local, remote, new QpAttr().maxDestRdAtomic(900)), Errno.EINVAL);
      assertThat(qp.state()).isEqualTo(QpState.INIT);
      qp.connect(remote);
      assertThat(qp.state()).isEqualTo(QpState.RTS);

      qp.modify(new QpAttr().qpState(QpState.RESET));
      Refused.of(() -> qp.connect(local, remote, new QpAttr().maxRdAtomic(900)), Errno.EINVAL);
      assertThat(qp.state()).isEqualTo(QpState.RTR);
      Refused.of(() -> qp.connect(remote), Errno.EINVAL);
      assertThat(qp.state()).isEqualTo(QpState.RTR);
      qp.modify(new QpAttr().qpState(QpState.RESET));
      qp.connect(remote);
      assertThat(qp.state()).isEqualTo(QpState.RTS);
    }
  }

  @OnEveryLink
  void theQkeyOfToRtsReplacesThatOfInit(TckLink link) {
    PairSetup setup = PairSetup.on(link).type(QpType.UD).qkey(5);
    try (QpPair pair = setup.openUnconnected()) {
      QueuePair qp = pair.left().qp();
      setup.toInit(qp);
      qp.toRts(7);
      assertThat(qp.state()).isEqualTo(QpState.RTS);
      assertThat(qp.query().qkey()).isEqualTo(7);
      Refused.of(() -> qp.toRts(7), Errno.EINVAL);
    }
  }

  @OnEveryLink
  void aDatagramQueuePairIsReadyWithItsQkey(TckLink link) {
    try (QpPair pair = PairSetup.on(link).type(QpType.UD).openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      left.qp().toRts(PairSetup.QKEY);
      right.qp().toRts(PairSetup.QKEY);
      assertThat(left.qp().state()).isEqualTo(QpState.RTS);
      byte[] data = left.fill(0, 100, 1);
      right.postRecv(7, right.sge(0, Grh.LENGTH + 100));
      AddressHandle ah = left.ahTo(right);
      SendWr wr = left.to(right, ah, SendWrs.send(1, left.sge(0, 100)));
      pair.deliver(link, PostingApi.POST_SEND, wr);
      assertThat(right.bytes(Grh.LENGTH, 100)).isEqualTo(data);
      if (!link.isFaulty()) {
        Grh header = Grh.of(right.mr().memory().asSlice(0, Grh.LENGTH));
        assertThat(header.sgid()).isEqualTo(left.qp().endpoint().gid());
        assertThat(header.dgid()).isEqualTo(right.qp().endpoint().gid());
      }
    }
  }
}
