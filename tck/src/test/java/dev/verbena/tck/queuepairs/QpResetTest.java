package dev.verbena.tck.queuepairs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.StuckSend;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.List;
import java.util.Map;

/** RESET forgets everything, and the queue pair can reconnect as if it were new: S4.5.3. */
final class QpResetTest {

  @OnEveryLink
  @Proves("S4.5.3")
  void outstandingWorkVanishesWithoutCompletions(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      int number = left.qp().qpNum();
      right.postRecv(1, right.sge(0, 64));
      left.qp().postSend(SendWrs.send(2, left.sge(0, 64)));
      left.sent(2);
      right.received(1);
      left.postRecv(3, left.sge(0, 64));
      StuckSend.post(
          left, SendWrs.list(SendWrs.send(4, left.sge(0, 64)), SendWrs.send(5, left.sge(0, 64))));

      reset(pair);

      assertThat(left.qp().qpNum()).isEqualTo(number);
      reconnect(setup, pair, 5000);
      left.postRecv(21, left.sge(512, 64));
      right.postRecv(22, right.sge(512, 64));
      left.qp().postSend(SendWrs.send(23, left.sge(0, 64)));
      right.qp().postSend(SendWrs.send(24, right.sge(0, 64)));
      left.sent(23);
      right.sent(24);
      left.received(21);
      right.received(22);
      for (QpEnd end : pair.ends()) {
        end.assertNothingSent();
        end.assertNothingReceived();
      }
    }
  }

  @OnEveryLink
  @Proves("S4.5.3")
  void completionsFromBeforeMayRemainButNoOthersAppear(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 64)));
      left.qp().postSend(SendWrs.read(2, right, 0, left.sge(64, 64)));
      left.sent(1);
      left.sent(2);
      right.postRecv(3, right.sge(0, 64));
      left.qp().postSend(SendWrs.send(4, left.sge(0, 64)));
      left.sent(4);

      reset(pair);
      reconnect(setup, pair, 0x7000);
      right.postRecv(5, right.sge(0, 64));
      left.qp().postSend(SendWrs.send(6, left.sge(0, 64)));

      left.sent(6);
      WorkCompletion first = Await.completion(right.recvCq(), "receive 3 or 5");
      if (first.wrId() == 3) {
        right.received(5);
      } else {
        assertThat(first.wrId()).isEqualTo(5);
      }
      right.assertNothingReceived();
    }
  }

  @OnEveryLink
  @Proves("S4.5.3")
  void aQueuePairInErrorWorksAndFailsAgainAfterReset(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open()) {
      for (int round = 1; round <= 3; round++) {
        QpEnd left = pair.left();
        QpEnd right = pair.right();
        left.postRecv(7, left.sge(0, 64));
        right.postRecv(8, right.sge(0, 64));
        left.qp().postSend(SendWrs.write(round, right, 0, left.sge(0, 64)).rkey(~right.rkey()));
        assertThat(left.awaitSend(round).isSuccess()).isFalse();
        left.awaitState(QpState.ERR);
        left.awaitRecv(7, WcStatus.WR_FLUSH_ERR);
        right.awaitRecv(8, WcStatus.WR_FLUSH_ERR);

        reset(pair);
        reconnect(setup, pair, 0x10000 * round);

        byte[] data = left.fill(0, 3000, round);
        left.qp().postSend(SendWrs.write(round, right, 0, left.sge(0, 3000)));
        left.sent(round);
        assertThat(right.bytes(0, 3000)).isEqualTo(data);
        left.setLong(8, 0);
        right.setLong(0, 40);
        left.qp().postSend(SendWrs.fetchAdd(round, right, 0, 2, left.sge(8, 8)));
        left.sent(round);
        assertThat(List.of(left.getLong(8), right.getLong(0))).containsExactly(40L, 42L);
      }
    }
  }

  @OnEveryLink
  @Proves("S4.5.3")
  void noAttributeSurvivesAReset(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open()) {
      QpEnd left = pair.left();
      Map<String, Object> fresh =
          QpValues.of(setup.end(left.pd(), left.sendCq(), left.recvCq()).qp());
      Map<String, Object> connected = QpValues.of(left.qp());
      assertThat(connected).isNotEqualTo(fresh);

      reset(pair);

      assertThat(QpValues.of(left.qp())).as("attributes after RESET").isEqualTo(fresh);
      setup.toInit(left.qp());
      QpEnd other = setup.end(left.pd(), left.sendCq(), left.recvCq());
      setup.toInit(other.qp());
      assertThat(QpValues.of(left.qp())).isEqualTo(QpValues.of(other.qp()));
    }
  }

  private static void reset(QpPair pair) {
    for (QpEnd end : pair.ends()) {
      end.qp().modify(new QpAttr().qpState(QpState.RESET));
    }
  }

  /**
   * With other start PSNs, so that a late packet of the old connection does not look like a new
   * one.
   */
  private static void reconnect(PairSetup setup, QpPair pair, int psnShift) {
    connect(setup, pair.left(), pair.right(), psnShift);
    connect(setup, pair.right(), pair.left(), psnShift);
  }

  private static void connect(PairSetup setup, QpEnd end, QpEnd peer, int psnShift) {
    QpEndpoint remote = peer.qp().endpoint();
    QpEndpoint shifted =
        new QpEndpoint(
            remote.qpNum(),
            remote.psn() + psnShift & 0xffffff,
            remote.gid(),
            remote.gidIndex(),
            remote.mtu(),
            remote.lid());
    setup.toInit(end.qp());
    setup.toRtr(end.qp(), shifted);
    end.qp().modify(setup.rtsAttr(end.qp().endpoint().psn() + psnShift & 0xffffff));
  }
}
