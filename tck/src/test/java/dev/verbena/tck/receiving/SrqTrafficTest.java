package dev.verbena.tck.receiving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;

/** Messages into receives that several queue pairs share: S3.4. */
final class SrqTrafficTest {

  @OnEveryLinkAndApi
  @Proves({"S3.4.4", "S3.4.2", "S3.4.3", "PR-012", "PR-015"})
  void theOldestReceiveGoesToWhicheverQueuePairGetsAMessage(TckLink link, PostingApi api) {
    try (SharedPairs shared = SharedPairs.open(PairSetup.on(link), 3, 16)) {
      int[] order = {0, 1, 2, 1, 0, 2, 2};
      QpEnd memory = shared.right(0);
      RecvWr list = null;
      for (int i = order.length - 1; i >= 0; i--) {
        list = new RecvWr().wrId(i).sgList(memory.sge(i * 4096L, 4096)).next(list);
      }
      shared.srq().postRecv(list);
      for (int i = 0; i < order.length; i++) {
        QpEnd left = shared.left(order[i]);
        byte[] data = left.fill(0, 100 + 500 * i, i);
        api.post(left.qp(), SendWrs.send(i, left.sge(0, data.length)));
        left.sent(i);
        WorkCompletion wc = shared.right(order[i]).received(i);
        assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(wc.byteLen()).isEqualTo(data.length);
        assertThat(memory.bytes(i * 4096L, data.length)).isEqualTo(data);
      }
      for (QpPair pair : shared.pairs()) {
        pair.right().assertNothingReceived();
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S3.4.4")
  void aWriteWithImmediateDataTakesOne(TckLink link, PostingApi api) {
    try (SharedPairs shared = SharedPairs.open(PairSetup.on(link), 2, 4)) {
      shared.postRecv(1);
      shared.postRecv(2, shared.right(0).sge(0, 8));
      QpEnd left = shared.left(1);
      byte[] data = left.fill(0, 5000, 1);
      api.post(left.qp(), SendWrs.writeImm(7, 0x0a0b0c0d, shared.right(1), 64, left.sge(0, 5000)));
      left.sent(7);
      WorkCompletion wc = shared.right(1).received(1);
      assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
      assertThat(wc.byteLen()).isEqualTo(5000);
      assertThat(wc.wcFlags() & WcFlags.WITH_IMM).isNotZero();
      assertThat(wc.immData()).isEqualTo(0x0a0b0c0d);
      assertThat(shared.right(1).bytes(64, 5000)).isEqualTo(data);
      api.post(shared.left(0).qp(), SendWrs.send(8, shared.left(0).sge(0, 8)));
      shared.left(0).sent(8);
      shared.right(0).received(2);
    }
  }

  @OnEveryLink
  @Proves({"S3.4.5", "S10.3"})
  void oneEventTellsThatFewerThanTheLimitRemain(TckLink link) throws InterruptedException {
    try (SharedPairs shared = SharedPairs.open(PairSetup.on(link), 2, 10)) {
      SharedReceiveQueue srq = shared.srq();
      for (int i = 0; i < 10; i++) {
        shared.postRecv(i, shared.right(0).sge(0, 64));
      }
      srq.modifyLimit(7);
      for (int i = 0; i < 3; i++) {
        send(shared, i % 2, i);
      }
      assertThat(srq.query().srqLimit()).isEqualTo(7);
      Events.assertNone(srq.context());

      send(shared, 1, 3);
      try (AsyncEvent event = Events.await(srq.context(), EventType.SRQ_LIMIT_REACHED)) {
        assertThat(event.srq()).isSameAs(srq);
      }
      assertThat(srq.query().srqLimit()).isZero();
      send(shared, 0, 4);
      Events.assertNone(srq.context());

      srq.modifyLimit(5);
      send(shared, 0, 5);
      Events.await(srq.context(), EventType.SRQ_LIMIT_REACHED).ack();
      Events.assertNone(srq.context());
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S3.4.9", "S3.2.1"})
  void theSendersWaitWhileItIsEmpty(TckLink link, PostingApi api) {
    try (SharedPairs shared = SharedPairs.open(PairSetup.on(link), 2, 4)) {
      for (int i = 0; i < 2; i++) {
        api.post(shared.left(i).qp(), SendWrs.send(i, shared.left(i).sge(0, 8)));
      }
      Await.until(
          "two refusals for want of a receive",
          () -> shared.srq().context().counters().get(Counter.RNR_NAKS_SENT) >= 2);
      shared.left(0).assertNothingSent();
      shared.left(1).assertNothingSent();
      shared.postRecv(1, shared.right(0).sge(0, 8));
      shared.postRecv(2, shared.right(0).sge(8, 8));
      shared.left(0).sent(0);
      shared.left(1).sent(1);
      long first = shared.right(0).awaitRecvs(1).getFirst().wrId();
      long second = shared.right(1).awaitRecvs(1).getFirst().wrId();
      assertThat(first + second).isEqualTo(3);
    }
  }

  @OnEveryLink
  @Proves("S3.4.9")
  void aSenderThatDoesNotWaitForAReceiveFailsAlone(TckLink link) {
    PairSetup setup = PairSetup.on(link).rnrRetry(0);
    try (SharedPairs shared = SharedPairs.open(setup, 2, 4)) {
      shared.left(0).qp().postSend(SendWrs.send(1, shared.left(0).sge(0, 8)));
      shared.left(0).awaitSend(1, WcStatus.RNR_RETRY_EXC_ERR);
      assertThat(shared.right(0).queryState()).isEqualTo(QpState.RTS);
      shared.postRecv(5, shared.right(0).sge(0, 64));
      send(shared, 1, 5);
    }
  }

  @OnEveryLink
  @Proves({"S3.4.7", "S10.3"})
  void inErrorAQueuePairTellsThatItTakesNoMoreAndLeavesTheRest(TckLink link)
      throws InterruptedException {
    PairSetup setup = PairSetup.on(link);
    try (SharedPairs shared = SharedPairs.open(setup, 2, 8)) {
      SharedReceiveQueue srq = shared.srq();
      QpEnd failing = shared.right(0);
      for (int i = 0; i < 4; i++) {
        shared.postRecv(i, failing.sge(0, 64));
      }
      send(shared, 0, 0);
      for (int times = 0; times < 2; times++) {
        failing.qp().modify(state(QpState.ERR));
        try (AsyncEvent event = Events.await(srq.context(), EventType.QP_LAST_WQE_REACHED)) {
          assertThat(event.qp()).isSameAs(failing.qp());
          assertThat(event.srq()).isNull();
        }
        // The kernel's soft-RoCE tells it again, sooner or later.
        if (!TckLink.areDevicesOfOthers()) {
          failing.qp().modify(state(QpState.ERR));
          Events.assertNone(srq.context());
        }
        failing.assertNothingReceived();
        send(shared, 1, 1 + times);
        if (times == 0) {
          failing.qp().modify(state(QpState.RESET));
          setup.toInit(failing.qp());
        }
      }
      failing.qp().destroy();
      send(shared, 1, 3);
      Refused.of(srq::destroy, Errno.EBUSY);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S3.4.7", "S3.2.3"})
  void aMessageThatDoesNotFitEndsOneQueuePairOnly(TckLink link, PostingApi api)
      throws InterruptedException {
    try (SharedPairs shared = SharedPairs.open(PairSetup.on(link), 2, 8)) {
      shared.postRecv(0, shared.right(0).sge(0, 7));
      shared.postRecv(1, shared.right(0).sge(0, 64));
      api.post(shared.left(0).qp(), SendWrs.send(10, shared.left(0).sge(0, 8)));
      shared.left(0).awaitSend(10, WcStatus.REM_INV_REQ_ERR);
      shared.right(0).awaitRecv(0, WcStatus.LOC_LEN_ERR);
      try (AsyncEvent event = Events.await(shared.srq().context(), EventType.QP_LAST_WQE_REACHED)) {
        assertThat(event.qp()).isSameAs(shared.right(0).qp());
      }
      shared.right(0).awaitState(QpState.ERR);
      send(shared, 1, 1);
      shared.right(0).assertNothingReceived();
    }
  }

  @OnEveryLink
  @Proves("S5.2.1")
  void itsReceivesUseMemoryOfItsOwnDomain(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (SharedPairs shared = SharedPairs.open(setup, 2, 4)) {
      // A queue pair of another domain than the queue's.
      var context = shared.srq().context();
      QpEnd right =
          setup.end(context.allocPd(), context.createCq(16), context.createCq(16), shared.srq());
      QpEnd left = setup.end(shared.left(0).context(), shared.left(0).pd());
      setup.connect(new QpPair(left, right));
      shared.postRecv(1, shared.right(0).sge(0, 64));
      left.setLong(0, 77);
      left.qp().postSend(SendWrs.send(1, left.sge(0, 8)));
      left.sent(1);
      right.received(1);
      assertThat(shared.right(0).getLong(0)).isEqualTo(77);

      shared.postRecv(2, right.sge(0, 64));
      left.qp().postSend(SendWrs.send(2, left.sge(0, 8)));
      left.awaitSend(2, WcStatus.REM_OP_ERR);
      right.awaitRecv(2, WcStatus.LOC_PROT_ERR);
      assertThat(right.getLong(0)).isZero();
    }
  }

  @OnEveryLink
  @Proves("S3.4.6")
  void whatItHoldsSurvivesAResizeInItsOrder(TckLink link) {
    try (SharedPairs shared = SharedPairs.open(PairSetup.on(link), 2, 5)) {
      int posted = 0;
      int received = 0;
      for (int maxWr : new int[] {9, 3, 4, 100, 2, 30}) {
        shared.srq().modifyMaxWr(maxWr);
        int room = shared.srq().query().maxWr();
        while (posted - received < Math.min(room, 20)) {
          shared.postRecv(posted++, shared.right(0).sge(0, 64));
        }
        while (posted - received > 1) {
          send(shared, received % 2, received++);
        }
      }
      assertThat(received).isGreaterThan(50);
    }
  }

  @OnEveryLink
  @Proves("S3.4.4")
  void eachQueuePairReportsWhereItsOwnReceivesAreReported(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (SharedPairs shared = SharedPairs.open(setup, 1, 8)) {
      // Two more queue pairs that have one receive completion queue.
      var context = shared.srq().context();
      var common = context.createCq(16);
      QpPair[] pairs = new QpPair[2];
      for (int i = 0; i < pairs.length; i++) {
        QpEnd left = setup.end(shared.left(0).context(), shared.left(0).pd());
        QpEnd right = setup.end(shared.right(0).pd(), context.createCq(16), common, shared.srq());
        pairs[i] = new QpPair(left, right);
        setup.connect(pairs[i]);
      }
      for (int i = 0; i < 6; i++) {
        shared.postRecv(i, shared.right(0).sge(0, 64));
      }
      for (int i = 0; i < 6; i++) {
        if (i % 3 == 2) {
          send(shared, 0, i);
        } else {
          QpPair pair = pairs[i % 3];
          pair.left().qp().postSend(SendWrs.send(i, pair.left().sge(0, 8)));
          pair.left().sent(i);
          pair.right().received(i);
        }
      }
    }
  }

  private static QpAttr state(QpState state) {
    return new QpAttr().qpState(state);
  }

  @OnEveryLinkAndApi
  @Proves("S3.4.3")
  void unreliableConnectionsUseItToo(TckLink link, PostingApi api) {
    PairSetup setup = PairSetup.on(link).type(QpType.UC);
    int messages = 50;
    try (SharedPairs shared = SharedPairs.open(setup, 2, messages)) {
      for (int i = 0; i < messages; i++) {
        shared.postRecv(i, shared.right(0).sge(i * 1024L, 1024));
      }
      // The receives of lost messages wait for others.
      int expected = link.isFaulty() ? messages / 2 : messages;
      for (int i = 0; i < messages; i++) {
        QpEnd left = shared.left(i % 2);
        left.setLong(0, i);
        api.post(left.qp(), SendWrs.send(i, left.sge(0, 8 + i)));
        left.sent(i);
      }
      WorkCompletion wc = new WorkCompletion();
      int[] next = {0, 1};
      for (int received = 0; received < expected; received++) {
        Await.until(
            "a message",
            () -> shared.right(0).recvCq().poll(wc) || shared.right(1).recvCq().poll(wc));
        assertThat(wc.isSuccess()).isTrue();
        int message = (int) shared.right(0).getLong(wc.wrId() * 1024);
        assertThat(wc.byteLen()).isEqualTo(8 + message);
        assertThat(wc.qpNum()).isEqualTo(shared.right(message % 2).qp().qpNum());
        assertThat(message).isGreaterThanOrEqualTo(next[message % 2]);
        next[message % 2] = message + 2;
      }
    }
  }

  /** Sends from one of the left ends; the receive with the same identifier must be the oldest. */
  private static void send(SharedPairs shared, int index, long wrId) {
    QpEnd left = shared.left(index);
    left.qp().postSend(SendWrs.send(wrId, left.sge(0, 8)));
    left.sent(wrId);
    shared.right(index).received(wrId);
  }
}
