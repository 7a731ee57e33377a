package dev.verbena.tck.queuepairs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;

/** What a queue pair does with posted work and with incoming packets in each state: S4.5. */
final class QpStateTest {

  @OnEveryLink
  @Proves("S4.5/RESET")
  void resetTakesNoWorkAndDropsWhatArrives(TckLink link) {
    try (QpPair pair = PairSetup.on(link).open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      modify(right, QpState.RESET);

      Refused.of(() -> right.postRecv(1, right.sge(0, 64)), Errno.EINVAL).naming("RESET");
      refuseSend(right, left, "RESET");
      left.qp().postSend(SendWrs.write(2, right, 0, left.sge(0, 64)));

      left.awaitSend(2, WcStatus.RETRY_EXC_ERR);
      assertSilent(right);
      assertThat(right.queryState()).isEqualTo(QpState.RESET);
    }
  }

  @OnEveryLink
  @Proves("S4.5/INIT")
  void initHoldsReceivesAndDropsWhatArrives(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      setup.connect(left.qp(), right.qp().endpoint());
      setup.toInit(right.qp());

      right.postRecv(1, right.sge(0, 64));
      refuseSend(right, left, "INIT");
      left.qp().postSend(SendWrs.send(2, left.sge(0, 64)));

      left.awaitSend(2, WcStatus.RETRY_EXC_ERR);
      assertSilent(right);
      assertThat(right.queryState()).isEqualTo(QpState.INIT);

      // An adapter may write the completion first, and would fail the reset queue pair afterwards.
      left.awaitState(QpState.ERR);
      modify(left, QpState.RESET);
      setup.connect(left.qp(), right.qp().endpoint());
      setup.toRtr(right.qp(), left.qp().endpoint());
      byte[] data = left.fill(0, 64, 3);
      left.qp().postSend(SendWrs.send(3, left.sge(0, 64)));

      right.received(1);
      left.sent(3);
      assertThat(right.bytes(0, 64)).isEqualTo(data);
    }
  }

  @OnEveryLink
  @Proves("S4.5/RTR")
  void readyToReceiveServesPeersButSendsNothing(TckLink link) throws InterruptedException {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      setup.connect(left.qp(), right.qp().endpoint());
      setup.toInit(right.qp());
      setup.toRtr(right.qp(), left.qp().endpoint());

      refuseSend(right, left, "RTR");
      right.postRecv(1, right.sge(0, 64));
      left.qp().postSend(SendWrs.send(2, left.sge(0, 64)));

      left.sent(2);
      right.received(1);
      Events.await(right.context(), EventType.COMM_EST).ack();
      assertThat(right.queryState()).isEqualTo(QpState.RTR);
    }
  }

  @OnEveryLink
  @Proves("S4.5/RTS")
  void readyToSendDoesEverything(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      for (QpEnd end : pair.ends()) {
        end.postRecv(1, end.sge(0, 64));
      }
      for (QpEnd end : pair.ends()) {
        end.qp().postSend(SendWrs.send(2, end.sge(64, 64)));
      }
      for (QpEnd end : pair.ends()) {
        end.received(1);
        end.sent(2);
        assertThat(end.queryState()).isEqualTo(QpState.RTS);
      }
    }
  }

  @OnEveryLink
  @Proves({"S4.5/SQD", "S4.5.2"})
  void aDrainedSendQueueHoldsItsWorkWhileTheResponderServes(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      modify(right, QpState.SQD);
      byte[] data = right.fill(0, 64, 5);
      byte[] untouched = left.bytes(1024, 64);

      right.qp().postSend(SendWrs.write(1, left, 1024, right.sge(0, 64)));
      right.qp().postSend(SendWrs.write(2, left, 2048, right.sge(0, 64)));
      right.postRecv(3, right.sge(512, 64));
      left.qp().postSend(SendWrs.send(4, left.sge(0, 64)));
      left.sent(4);
      right.received(3);
      right.assertNothingSent();
      assertThat(left.bytes(1024, 64)).isEqualTo(untouched);

      right.awaitDrained();
      modify(right, QpState.RTS);

      right.sent(1);
      right.sent(2);
      assertThat(left.bytes(1024, 64)).isEqualTo(data);
      assertThat(left.bytes(2048, 64)).isEqualTo(data);
    }
  }

  @OnEveryLink
  @Proves("S4.5/ERR")
  void errorFlushesWhatIsPostedAndDropsWhatArrives(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      modify(right, QpState.ERR);
      byte[] untouched = right.bytes(0, 64);

      right.postRecv(1, right.sge(0, 64));
      right.qp().postSend(SendWrs.write(2, left, 0, right.sge(0, 64)));
      left.fill(0, 64, 7);
      left.qp().postSend(SendWrs.write(3, right, 0, left.sge(0, 64)));

      right.awaitRecv(1, WcStatus.WR_FLUSH_ERR);
      right.awaitSend(2, WcStatus.WR_FLUSH_ERR);
      left.awaitSend(3, WcStatus.RETRY_EXC_ERR);
      assertSilent(right);
      assertThat(right.bytes(0, 64)).isEqualTo(untouched);
      assertThat(right.queryState()).isEqualTo(QpState.ERR);
    }
  }

  private static void modify(QpEnd end, QpState state) {
    end.qp().modify(new QpAttr().qpState(state));
  }

  private static void refuseSend(QpEnd from, QpEnd to, String state) {
    Refused.of(() -> from.qp().postSend(SendWrs.write(9, to, 0, from.sge(0, 64))), Errno.EINVAL)
        .naming(state);
  }

  private static void assertSilent(QpEnd end) {
    end.assertNothingSent();
    end.assertNothingReceived();
  }
}
