package dev.verbena.tck.receiving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkRequestException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Posting receives. */
final class PostRecvTest {

  @Test
  @Proves({"S3.1.1", "PR-010"})
  void inResetReceivesAreRefused() {
    try (QpPair pair = PairSetup.on(TckLink.plain()).openUnconnected()) {
      RecvWr wr = new RecvWr();
      WorkRequestException refusal =
          Refusal.with(Errno.EINVAL, () -> pair.right().qp().postRecv(wr));
      assertThat(refusal.badRecvWr()).isSameAs(wr);
      assertThat(refusal.badSendWr()).isNull();
    }
  }

  @OnEveryLink
  @Proves("S3.1.1")
  void receivesPostedInEveryLaterStateAreUsed(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      setup.connect(pair.left().qp(), pair.right().qp().endpoint());
      var qp = pair.right().qp();
      setup.toInit(qp);
      pair.right().postRecv(1, pair.right().sge(0, 8));
      setup.toRtr(qp, pair.left().qp().endpoint());
      pair.right().postRecv(2, pair.right().sge(0, 8));
      setup.toRts(qp);
      pair.right().postRecv(3, pair.right().sge(0, 8));
      qp.modify(new QpAttr().qpState(QpState.SQD));
      pair.right().postRecv(4, pair.right().sge(0, 8));
      for (int i = 1; i <= 4; i++) {
        pair.left().qp().postSend(SendWrs.send(i, pair.left().sge(0, i)));
        pair.left().sent(i);
        assertThat(pair.right().received(i).byteLen()).isEqualTo(i);
      }
    }
  }

  @OnEveryLink
  @Proves({"PR-002", "PR-010", "S3.1.2", "S3.1.4"})
  void whatStandsBeforeTheFailingReceiveIsPosted(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      int most = pair.right().qp().queryInit().maxRecvSge();
      Sge[] many = new Sge[most + 1];
      Arrays.fill(many, pair.right().sge(0, 1));
      RecvWr third = new RecvWr().wrId(3).sgList(pair.right().sge(24, 8));
      RecvWr bad = new RecvWr().wrId(2).sgList(many).next(third);
      RecvWr list = new RecvWr().wrId(1).sgList(pair.right().sge(8, 8)).next(bad);
      WorkRequestException refusal =
          Refusal.with(Errno.EINVAL, () -> pair.right().qp().postRecv(list));
      assertThat(refusal.badRecvWr()).isSameAs(bad);
      assertThat(refusal.index()).isEqualTo(1);
      pair.right().postRecv(4, pair.right().sge(32, 8));

      pair.left().setLong(0, 9);
      pair.left().qp().postSend(SendWrs.send(1, pair.left().sge(0, 8)));
      pair.left().qp().postSend(SendWrs.send(2, pair.left().sge(0, 8)));
      pair.left().sent(1);
      pair.left().sent(2);
      pair.right().received(1);
      pair.right().received(4);
      assertThat(pair.right().getLong(8)).isEqualTo(9);
      assertThat(pair.right().getLong(32)).isEqualTo(9);
      assertThat(pair.right().getLong(24)).isZero();
    }
  }

  @Test
  @Proves({"PR-006", "S3.1.2"})
  void elementCountsThatDoNotFitTheListAreRefused() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      for (int count : new int[] {-1, 2}) {
        RecvWr wr = new RecvWr().sgList(pair.right().sge(0, 8)).numSge(count);
        WorkRequestException refusal =
            Refusal.with(Errno.EINVAL, () -> pair.right().qp().postRecv(wr));
        assertThat(refusal.badRecvWr()).isSameAs(wr);
      }
    }
  }

  @OnEveryLink
  @Proves({"S3.1.2", "PR-010"})
  void theQueueHoldsWhatTheQueryReportsAndNotOneMore(TckLink link) {
    try (QpPair pair = PairSetup.on(link).cap(new QpCap(64, 21, 1, 1, 0)).open()) {
      int depth = pair.right().qp().query().cap().maxRecvWr();
      assertThat(depth).isGreaterThanOrEqualTo(21);
      assertThat(pair.right().qp().queryInit().maxRecvWr()).isEqualTo(depth);
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < depth; i++) {
          pair.right().postRecv(i);
        }
        RecvWr extra = new RecvWr().wrId(depth);
        WorkRequestException full =
            Refusal.with(Errno.ENOMEM, () -> pair.right().qp().postRecv(extra));
        assertThat(full.badRecvWr()).isSameAs(extra);
        for (int i = 0; i < depth; i++) {
          pair.left().qp().postSend(SendWrs.send(i));
          pair.left().sent(i);
          pair.right().received(i);
        }
      }
    }
  }

  @Test
  @Proves("S3.1.5")
  void receivesOfTwoGigabytesAreRefused() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      long half = 1L << 30;
      int lkey = pair.right().mr().lkey();
      RecvWr wr =
          new RecvWr()
              .sgList(
                  new Sge(pair.right().addr(0), half, lkey),
                  new Sge(pair.right().addr(0), half, lkey));
      Refusal.with(Errno.EINVAL, () -> pair.right().qp().postRecv(wr));
    }
  }

  @OnEveryLink
  @Proves({"PR-003", "PR-004", "S1.4.3"})
  void theReceiveMayBeReusedAsSoonAsItIsPosted(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      Sge piece = new Sge();
      RecvWr wr = new RecvWr().sgList(piece);
      for (int i = 0; i < 5; i++) {
        piece.set(pair.right().addr(8L * i), 8, pair.right().mr().lkey());
        pair.right().qp().postRecv(wr.wrId(Long.MAX_VALUE - i));
      }
      wr.wrId(0).numSge(0);
      piece.set(0, 0, 0);
      for (int i = 0; i < 5; i++) {
        pair.left().setLong(0, 70 + i);
        pair.left().qp().postSend(SendWrs.send(i, pair.left().sge(0, 8)));
        pair.left().sent(i);
        pair.right().received(Long.MAX_VALUE - i);
        assertThat(pair.right().getLong(8L * i)).isEqualTo(70 + i);
      }
    }
  }
}
