package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.StuckSend;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;

/** The fate of requests when a queue pair is in error. */
@ByPacketsToo
final class FlushTest {

  @OnEveryLinkAndApi
  @Proves({
    "S1.3.1", "S2.19", "S3.1.1", "S1.6/14", "S1.6.1", "S1.6.2", "S1.5.1", "S1.5.6", "S1.5.7",
    "S4.5.4"
  })
  void movingToErrorFlushesEveryRequestOnceAndInOrder(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      int posted = 20;
      for (int i = 0; i < posted; i++) {
        pair.left().postRecv(-i, pair.left().sge(0, 8));
        // The first is a SEND without a receive, so that none of them can complete.
        SendWr wr =
            switch (i % 3) {
              case 0 -> SendWrs.send(~i, pair.left().sge(0, 64));
              case 1 -> SendWrs.write(~i, pair.right(), 0, pair.left().sge(0, 64));
              default -> SendWrs.read(~i, pair.right(), 0, pair.left().sge(0, 64));
            };
        api.post(pair.left().qp(), wr.sendFlags(0));
      }
      pair.left().qp().modify(new QpAttr().qpState(QpState.ERR));
      // Soft-RoCE of the kernel is not told of receives, and finds these by chance.
      boolean receives = !TckLink.areDevicesOfOthers();
      for (int i = posted; i < 2 * posted; i++) {
        api.post(pair.left().qp(), SendWrs.send(~i).sendFlags(0));
        if (receives) {
          pair.left().postRecv(-i);
        }
      }
      for (int i = 0; i < 2 * posted; i++) {
        pair.left().awaitSend(~i, WcStatus.WR_FLUSH_ERR);
        if (i < posted || receives) {
          pair.left().awaitRecv(-i, WcStatus.WR_FLUSH_ERR);
        }
      }
      pair.left().assertNothingSent();
      pair.left().assertNothingReceived();
      assertThat(pair.left().queryState()).isEqualTo(QpState.ERR);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.6/14", "S1.6.1", "S1.6.2", "S1.5.1", "S1.5.2", "S1.5.3"})
  void theFailingRequestComesBeforeWhatItFlushes(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      SendWr bad = SendWrs.write(3, pair.right(), 0, pair.left().sge(0, 8)).sendFlags(0);
      pair.left().postRecv(10);
      pair.left().postRecv(11);
      pair.left().setLong(0, 5);
      // Await successful requests first, because a peer in error does not repeat a lost answer.
      api.post(
          pair.left().qp(),
          SendWrs.list(
              SendWrs.write(2, pair.right(), 8, pair.left().sge(0, 8)).sendFlags(0),
              SendWrs.read(1, pair.right(), 0, pair.left().sge(8, 3000))));
      pair.left().sent(1);
      SendWr list =
          SendWrs.list(
              bad.rkey(pair.right().rkey() ^ 0xff),
              SendWrs.write(4, pair.right(), 16, pair.left().sge(0, 8)).sendFlags(0),
              SendWrs.fetchAdd(5, pair.right(), 24, 1, pair.left().sge(8, 8)),
              SendWrs.send(6).sendFlags(0));
      api.post(pair.left().qp(), list);
      pair.left().awaitSend(3, WcStatus.REM_ACCESS_ERR);
      for (int i = 4; i <= 6; i++) {
        pair.left().awaitSend(i, WcStatus.WR_FLUSH_ERR);
      }
      pair.left().awaitRecv(10, WcStatus.WR_FLUSH_ERR);
      pair.left().awaitRecv(11, WcStatus.WR_FLUSH_ERR);
      pair.left().assertNothingSent();
      pair.left().assertNothingReceived();
      assertThat(pair.right().getLong(8)).isEqualTo(5);
      assertThat(pair.right().getLong(0)).isZero();
      assertThat(pair.right().getLong(16)).isZero();
      assertThat(pair.right().getLong(24)).isZero();
    }
  }

  @OnEveryLink
  @Proves("S4.5.4")
  void aPeerWithWorkInFlightRunsOutOfRetries(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      StuckSend.post(left, SendWrs.send(1, left.sge(0, 64)));

      pair.right().qp().modify(new QpAttr().qpState(QpState.ERR));

      left.awaitSend(1, WcStatus.RETRY_EXC_ERR);
      left.awaitState(QpState.ERR);
    }
  }

  @OnEveryLink
  @Proves("S1.6.4")
  void anErrorLastsUntilResetAndTheCachedStateUntilQuery(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open()) {
      var qp = pair.left().qp();
      assertThat(qp.state()).isEqualTo(QpState.RTS);
      SendWr bad = SendWrs.write(1, pair.right(), 0, pair.left().sge(0, 8));
      qp.postSend(bad.rkey(pair.right().rkey() ^ 0xff));
      pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
      assertThat(qp.state()).isEqualTo(QpState.RTS);
      pair.left().awaitState(QpState.ERR);
      assertThat(qp.state()).isEqualTo(QpState.ERR);
      pair.right().awaitState(QpState.ERR);
      qp.postSend(SendWrs.write(2, pair.right(), 0));
      pair.left().awaitSend(2, WcStatus.WR_FLUSH_ERR);
      assertThat(pair.left().queryState()).isEqualTo(QpState.ERR);

      for (QpEnd end : pair.ends()) {
        end.qp().modify(new QpAttr().qpState(QpState.RESET));
        assertThat(end.qp().state()).isEqualTo(QpState.RESET);
      }
      setup.connect(pair);
      pair.right().postRecv(3);
      qp.postSend(SendWrs.send(4));
      pair.left().sent(4);
      pair.right().received(3);
    }
  }
}
