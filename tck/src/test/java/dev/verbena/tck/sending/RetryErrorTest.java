package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;

/** Requests that the peer does not answer, or not yet. */
final class RetryErrorTest {

  @OnEveryLinkAndApi
  @Proves({"S1.6/11", "S1.5.7"})
  void aPeerThatDoesNotAnswerIsGivenUp(TckLink link, PostingApi api) {
    PairSetup setup = PairSetup.on(link).timeout(8).retryCnt(2);
    try (QpPair pair = setup.openUnconnected()) {
      setup.connect(pair.left().qp(), pair.right().qp().endpoint());
      setup.toInit(pair.right().qp());
      pair.right().postRecv(9);
      pair.left().postRecv(3);
      api.post(
          pair.left().qp(),
          SendWrs.list(SendWrs.send(1).sendFlags(0), SendWrs.write(2, pair.right(), 0)));
      pair.left().awaitSend(1, WcStatus.RETRY_EXC_ERR);
      pair.left().awaitSend(2, WcStatus.WR_FLUSH_ERR);
      pair.left().awaitRecv(3, WcStatus.WR_FLUSH_ERR);
      pair.left().awaitState(QpState.ERR);
      assertThat(pair.right().queryState()).isEqualTo(QpState.INIT);
      pair.right().assertNothingReceived();
      assertThat(pair.left().context().counters().get(Counter.TIMEOUTS)).isGreaterThanOrEqualTo(3);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.6/12", "S1.5.7", "S3.2.1"})
  void aPeerWithoutReceivesIsGivenUp(TckLink link, PostingApi api) {
    for (int retries : new int[] {0, 2}) {
      try (QpPair pair = PairSetup.on(link).rnrRetry(retries).minRnrTimer(1).open()) {
        pair.left().postRecv(3);
        api.post(
            pair.left().qp(),
            SendWrs.list(
                SendWrs.send(1, pair.left().sge(0, 8)).sendFlags(0),
                SendWrs.write(2, pair.right(), 0)));
        pair.left().awaitSend(1, WcStatus.RNR_RETRY_EXC_ERR);
        pair.left().awaitSend(2, WcStatus.WR_FLUSH_ERR);
        pair.left().awaitRecv(3, WcStatus.WR_FLUSH_ERR);
        pair.left().awaitState(QpState.ERR);
        assertThat(pair.right().queryState()).isEqualTo(QpState.RTS);
        // The receive posted now waits for ever, because nothing takes it.
        pair.right().postRecv(9);
        pair.right().qp().modify(new QpAttr().qpState(QpState.ERR));
        pair.right().awaitRecv(9, WcStatus.WR_FLUSH_ERR);
        pair.right().assertNothingReceived();
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S3.2.1", "S1.7.7"})
  void messagesWaitForReceivesAndKeepTheirOrder(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      for (int round = 0; round < 4; round++) {
        byte[] data = pair.left().fill(0, 3000, round);
        api.post(
            pair.left().qp(),
            SendWrs.list(
                SendWrs.send(1, pair.left().sge(0, 3000)),
                SendWrs.writeImm(2, 22, pair.right(), 8000, pair.left().sge(0, 3000)),
                SendWrs.sendImm(3, 33)));
        long naks = rnrNaks(pair);
        Await.until("an RNR NAK", () -> rnrNaks(pair) > naks);
        pair.right().assertNothingReceived();
        pair.right().postRecv(1, pair.right().sge(0, 3000));
        pair.left().sent(1);
        pair.right().received(1);
        assertThat(pair.right().bytes(0, 3000)).isEqualTo(data);
        pair.right().postRecv(2);
        pair.left().sent(2);
        assertThat(pair.right().received(2).immData()).isEqualTo(22);
        assertThat(pair.right().bytes(8000, 3000)).isEqualTo(data);
        pair.right().postRecv(3);
        pair.left().sent(3);
        assertThat(pair.right().received(3).immData()).isEqualTo(33);
      }
    }
  }

  private static long rnrNaks(QpPair pair) {
    return pair.right().context().counters().get(Counter.RNR_NAKS_SENT);
  }
}
