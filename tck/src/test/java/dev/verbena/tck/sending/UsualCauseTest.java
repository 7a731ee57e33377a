package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.MwSetup;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.XrcNet;
import dev.verbena.tck.kit.pairs.XrcTarget;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The peer alone knows why it refused a request, so the message at the requester lists what the
 * reason usually is. Each reason of docs/troubleshooting.md that a program can bring about must be
 * among them.
 */
final class UsualCauseTest {
  private static final int RIGHTS = PairSetup.REMOTE_ALL;

  private static void refused(
      TckLink link, UnaryOperator<PairSetup> setup, Function<QpPair, SendWr> request, String word) {
    try (QpPair pair = setup.apply(PairSetup.on(link)).open()) {
      SendWr wr = request.apply(pair).wrId(1);
      pair.left().qp().postSend(wr);
      assertNames(pair.left(), word, wr);
    }
  }

  private static void assertNames(QpEnd requester, String word, SendWr wr) {
    WorkCompletion wc =
        requester.awaitSend(
            1,
            WcStatus.REM_INV_REQ_ERR,
            WcStatus.REM_ACCESS_ERR,
            WcStatus.REM_OP_ERR,
            WcStatus.RNR_RETRY_EXC_ERR);
    // On a lossy link: the NAK, and with it the reason, may be lost.
    boolean lost = wc.status() == WcStatus.RETRY_EXC_ERR;
    assertThat(new WcException(wc))
        .as("%s", wr)
        .hasMessageContaining(lost ? "the network loses packets" : word);
  }

  private static SendWr write(QpPair pair) {
    return SendWrs.write(1, pair.right(), 0, pair.left().sge(0, 16));
  }

  private static SendWr read(QpPair pair) {
    return SendWrs.read(1, pair.right(), 0, pair.left().sge(0, 16));
  }

  private static SendWr add(QpPair pair, long offset) {
    return SendWrs.fetchAdd(1, pair.right(), offset, 1, pair.left().sge(0, 8));
  }

  @OnEveryLink
  @Proves({"S1.6/07", "S4.4.2"})
  void aRightThatThePeersQueuePairLacksIsAmongTheCauses(TckLink link) {
    String word = "access flags";
    refused(link, s -> s.qpAccess(RIGHTS & ~Access.REMOTE_WRITE), UsualCauseTest::write, word);
    refused(link, s -> s.qpAccess(RIGHTS & ~Access.REMOTE_READ), UsualCauseTest::read, word);
    refused(link, s -> s.qpAccess(RIGHTS & ~Access.REMOTE_ATOMIC), pair -> add(pair, 0), word);
  }

  @OnEveryLink
  @Proves("S1.6/06")
  void aKeyOrRightOfThePeersMemoryIsAmongTheCauses(TckLink link) {
    refused(link, s -> s, pair -> write(pair).rkey(pair.right().rkey() ^ 0x100), "an rkey");
    refused(
        link,
        s -> s.mrAccess(Access.LOCAL_WRITE, Access.REMOTE_READ),
        UsualCauseTest::write,
        "a right missing from its region");
  }

  @OnEveryLink
  @Proves({"S1.6/08", "S1.6/09", "S1.6/12"})
  void aReceiveThatIsMissingTooShortOrUnusableIsAmongTheCauses(TckLink link) {
    Function<QpPair, SendWr> send = pair -> SendWrs.send(1, pair.left().sge(0, 16));
    refused(link, s -> s.rnrRetry(0), send, "posted no receive");
    refused(
        link,
        s -> s,
        pair -> {
          pair.right().postRecv(2, pair.right().sge(0, 8));
          return send.apply(pair);
        },
        "a message longer than its receive");
    refused(
        link,
        s -> s,
        pair -> {
          pair.right().postRecv(2, pair.right().sge(0, 64).lkey(pair.right().mr().lkey() ^ 0xff));
          return send.apply(pair);
        },
        "could not use its own receive");
  }

  @OnEveryLink
  @Proves("S1.6/10")
  void anInvalidRequestIsAmongTheCauses(TckLink link) {
    refused(link, s -> s, pair -> add(pair, 4), "misaligned");
    refused(link, s -> s.maxDestRdAtomic(0), UsualCauseTest::read, "max_dest_rd_atomic");
    refused(
        link,
        s -> s,
        pair -> {
          pair.right().postRecv(2, pair.right().sge(0, 64));
          return MwSetup.sendInv(1, 0x4711_0000, pair.left().sge(0, 8));
        },
        "invalidated key");
  }

  @OnEveryLink
  @Proves("S7.6")
  void aSharedQueueThatThePeerDoesNotHaveIsAmongTheCauses(TckLink link) {
    try (XrcNet net = XrcNet.open(link)) {
      QpEnd left = net.connect().left();
      XrcTarget target = net.target();
      SendWr wr = target.send(1, left.sge(0, 8)).remoteSrqn(target.srq().srqNum() ^ 0x10000);
      left.qp().postSend(wr);
      assertNames(left, "XRC SRQ number", wr);
    }
  }
}
