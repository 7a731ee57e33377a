package dev.verbena.tck.xrc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.RnrRetries;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.StuckSend;
import dev.verbena.tck.kit.pairs.XrcNet;
import dev.verbena.tck.kit.pairs.XrcTarget;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpOpenAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.List;
import java.util.function.BiFunction;

/** Requests over XRC connections: S7.5 to S7.8. */
final class XrcTrafficTest {

  @OnEveryLinkAndApi
  @Proves({
    "S7.5", "S7.6", "PS-020", "PS-037", "PS-042", "PS-052", "WR-019", "WR-073", "WR-078", "WR-083",
    "WR-111", "S7.2"
  })
  void aMessageGoesToTheSharedQueueThatItNames(TckLink link, PostingApi api) {
    try (XrcNet net = XrcNet.open(link)) {
      XrcNet.Connection connection = net.connect();
      QpEnd left = connection.left();
      XrcTarget[] targets = {net.target(), net.target(), net.target()};
      for (XrcTarget target : targets) {
        target.postRecv(1, target.sge(0, 8192));
        target.postRecv(2, target.sge(8192, 8192));
        target.postRecv(3);
      }
      int[] order = {2, 0, 1};
      for (int i : order) {
        XrcTarget target = targets[i];
        byte[] data = left.fill(0, 3000 + i, i);
        api.post(left.qp(), target.send(10, left.sge(0, data.length)));
        left.sent(10);
        WorkCompletion wc = target.received(1, connection.right());
        assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(wc.byteLen()).isEqualTo(data.length);
        assertThat(target.bytes(0, data.length)).isEqualTo(data);

        api.post(left.qp(), target.sendImm(11, 0x11223344, left.sge(8, 16)));
        left.sent(11);
        wc = target.received(2, connection.right());
        assertThat(wc.wcFlags() & WcFlags.WITH_IMM).isNotZero();
        assertThat(wc.immData()).isEqualTo(0x11223344);

        api.post(left.qp(), target.writeImm(12, 7, 30_000, left.sge(0, 2000)));
        left.sent(12);
        wc = target.received(3, connection.right());
        assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(wc.byteLen()).isEqualTo(2000);
        assertThat(target.bytes(30_000, 2000)).isEqualTo(left.bytes(0, 2000));
      }
      for (XrcTarget target : targets) {
        target.assertNothingReceived();
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S7.5", "PS-047", "PS-057", "PS-062", "PS-067", "WR-038", "WR-043", "WR-058", "WR-063"})
  void readsWritesAndAtomicsUseMemoryOfTheDomainOfTheQueueThatTheyName(
      TckLink link, PostingApi api) {
    try (XrcNet net = XrcNet.open(link)) {
      QpEnd left = net.connect().left();
      XrcTarget one = net.target();
      XrcTarget other = net.target();
      for (XrcTarget target : new XrcTarget[] {one, other, one}) {
        byte[] data = left.fill(0, 5000, target.srq().srqNum());
        api.post(left.qp(), target.write(1, 64, left.sge(0, 5000)));
        left.sent(1);
        assertThat(target.bytes(64, 5000)).isEqualTo(data);
        api.post(left.qp(), target.read(2, 64, left.sge(8000, 5000)));
        assertThat(left.sent(2).byteLen()).isEqualTo(5000);
        assertThat(left.bytes(8000, 5000)).isEqualTo(data);
        target.setLong(0, 40);
        api.post(left.qp(), target.fetchAdd(3, 0, 2, left.sge(16_000, 8)));
        left.sent(3);
        assertThat(left.getLong(16_000)).isEqualTo(40);
        api.post(left.qp(), target.compareSwap(4, 0, 42, 77, left.sge(16_000, 8)));
        left.sent(4);
        assertThat(left.getLong(16_000)).isEqualTo(42);
        assertThat(target.getLong(0)).isEqualTo(77);
      }
      // READs of both, all under way at once.
      one.setLong(128, 1);
      other.setLong(128, 2);
      SendWr list =
          SendWrs.list(
              one.read(1, 128, left.sge(0, 3000)),
              other.read(2, 128, left.sge(3000, 3000)),
              one.read(3, 128, left.sge(6000, 3000)),
              other.read(4, 128, left.sge(9000, 3000)));
      api.post(left.qp(), list);
      for (int i = 1; i <= 4; i++) {
        left.sent(i);
        assertThat(left.getLong((i - 1) * 3000L)).isEqualTo(i % 2 == 0 ? 2 : 1);
      }
    }
  }

  @OnEveryLink
  @Proves({"S1.1.b", "S7.5", "WR-068"})
  void flushesAndAtomicWritesWork(TckLink link) {
    try (XrcNet net = XrcNet.open(link)) {
      QpEnd left = net.connect().left();
      XrcTarget target = net.target();
      XrcTarget other = net.target();
      for (int round = 1; round <= 3; round++) {
        left.setLong(0, round);
        SendWr write = target.write(1, 8, left.sge(0, 8)).opcode(WrOpcode.ATOMIC_WRITE);
        SendWr flush =
            target
                .write(2, 8)
                .opcode(WrOpcode.FLUSH)
                .flushLength(8)
                .flushType(FlushType.GLOBAL)
                .flushLevel(FlushLevel.RANGE);
        left.qp().postSend(SendWrs.list(write, flush));
        assertThat(left.sent(1).opcode()).isEqualTo(WcOpcode.ATOMIC_WRITE);
        assertThat(left.sent(2).opcode()).isEqualTo(WcOpcode.FLUSH);
        assertThat(target.getLong(8)).isEqualTo(round);

        left.qp().wrStart();
        left.qp().wrId(3).wrFlags(SendFlags.SIGNALED);
        left.qp().wrAtomicWrite(other.mr().rkey(), other.mr().addr(), -round);
        left.qp().wrSetXrcSrqn(other.srq().srqNum());
        left.qp().wrId(4);
        left.qp().wrFlush(other.mr().rkey(), other.mr().addr(), 8, FlushType.GLOBAL, FlushLevel.MR);
        left.qp().wrSetXrcSrqn(other.srq().srqNum());
        left.qp().wrComplete();
        left.sent(3);
        left.sent(4);
        assertThat(other.getLong(0)).isEqualTo(-round);
      }
    }
  }

  @OnEveryLink
  @Proves({"WR-109", "S2.11"})
  void aRequestWithoutASharedQueueIsNotBuilt(TckLink link) {
    try (XrcNet net = XrcNet.open(link)) {
      XrcNet.Connection connection = net.connect();
      QpEnd left = connection.left();
      QueuePairEx qp = left.qp();
      XrcTarget target = net.target();
      target.postRecv(1, target.sge(0, 8));
      int number = target.srq().srqNum();
      List<Runnable> wrong =
          List.of(
              qp::wrSend,
              () -> {
                qp.wrSend();
                qp.wrSetXrcSrqn(0x100_0000);
              },
              () -> {
                qp.wrSend();
                qp.wrSetXrcSrqn(number);
                qp.wrSetXrcSrqn(number);
              },
              () -> {
                qp.wrSetXrcSrqn(number);
                qp.wrSend();
              },
              () -> qp.wrRdmaRead(target.mr().rkey(), target.mr().addr()));
      for (Runnable builders : wrong) {
        qp.wrStart();
        qp.wrId(1).wrFlags(SendFlags.SIGNALED);
        builders.run();
        qp.wrSetSge(left.mr().lkey(), left.addr(0), 8);
        Refusal.with(Errno.EINVAL, qp::wrComplete);
      }
      // Before or behind the data: both are right.
      qp.wrStart();
      qp.wrId(2).wrFlags(SendFlags.SIGNALED);
      qp.wrSend();
      qp.wrSetXrcSrqn(number);
      qp.wrSetSge(left.mr().lkey(), left.addr(0), 8);
      qp.wrId(3);
      qp.wrRdmaWrite(target.mr().rkey(), target.mr().addr());
      qp.wrSetSge(left.mr().lkey(), left.addr(0), 8);
      qp.wrSetXrcSrqn(number);
      qp.wrComplete();
      left.sent(2);
      left.sent(3);
      target.received(1, connection.right());
    }
  }

  @OnEveryLinkAndApi
  @Proves("S7.5")
  void aKeyOfAnotherDomainThanTheNamedQueuesIsRefused(TckLink link, PostingApi api)
      throws InterruptedException {
    assertKeyRefused(link, api, (left, to) -> to.write(2, 0, left.sge(0, 8)));
    assertKeyRefused(link, api, (left, to) -> to.read(2, 0, left.sge(0, 8)));
    assertKeyRefused(link, api, (left, to) -> to.fetchAdd(2, 0, 1, left.sge(0, 8)));
  }

  private static void assertKeyRefused(
      TckLink link, PostingApi api, BiFunction<QpEnd, XrcTarget, SendWr> request)
      throws InterruptedException {
    try (XrcNet net = XrcNet.open(link)) {
      XrcNet.Connection connection = net.connect();
      QpEnd left = connection.left();
      XrcTarget one = net.target();
      XrcTarget other = net.target();
      left.setLong(0, -1);
      SendWr wrong = request.apply(left, one).remoteSrqn(other.srq().srqNum());
      api.post(left.qp(), wrong);
      left.awaitSend(2, WcStatus.REM_ACCESS_ERR);
      assertThat(one.getLong(0)).isZero();
      assertThat(other.getLong(0)).isZero();
      assertThat(left.getLong(0)).isEqualTo(-1);
      Events.await(net.right(), EventType.QP_ACCESS_ERR).ack();
      left.awaitState(QpState.ERR);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S7.6")
  void aQueueThatTheDomainDoesNotHaveIsRefused(TckLink link, PostingApi api)
      throws InterruptedException {
    for (int kind = 0; kind < 3; kind++) {
      try (XrcNet net = XrcNet.open(link)) {
        XrcNet.Connection connection = net.connect();
        QpEnd left = connection.left();
        XrcTarget good = net.target();
        XrcTarget foreign = net.target(net.right().openXrcd());
        good.postRecv(1, good.sge(0, 8));
        foreign.postRecv(1, foreign.sge(0, 8));
        int number = foreign.srq().srqNum();
        if (kind == 1) {
          number = good.srq().srqNum() ^ 0x10000;
        } else if (kind == 2) {
          foreign.srq().destroy();
        }
        api.post(left.qp(), good.send(5, left.sge(0, 8)).remoteSrqn(number));
        left.awaitSend(5, WcStatus.REM_INV_REQ_ERR);
        try (AsyncEvent event = Events.await(net.right(), EventType.QP_REQ_ERR)) {
          assertThat(event.qp()).isSameAs(connection.right());
        }
        assertThat(connection.right().query().qpState()).isEqualTo(QpState.ERR);
        good.assertNothingReceived();
        foreign.assertNothingReceived();
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S7.6")
  void aWriteToAQueueThatTheDomainDoesNotHaveIsRefused(TckLink link, PostingApi api)
      throws InterruptedException {
    try (XrcNet net = XrcNet.open(link)) {
      XrcNet.Connection connection = net.connect();
      QpEnd left = connection.left();
      XrcTarget good = net.target();
      left.setLong(0, -1);
      SendWr write = good.write(5, 0, left.sge(0, 8));
      api.post(left.qp(), write.remoteSrqn(good.srq().srqNum() ^ 0x10000));
      left.awaitSend(5, WcStatus.REM_INV_REQ_ERR);
      Events.await(net.right(), EventType.QP_REQ_ERR).ack();
      assertThat(connection.right().query().qpState()).isEqualTo(QpState.ERR);
      assertThat(good.getLong(0)).isZero();
    }
  }

  @OnEveryLinkAndApi
  @Proves("S7.7")
  void oneQueueIsFedByManyConnectionsEachInItsOrder(TckLink link, PostingApi api) {
    try (XrcNet net = XrcNet.open(link)) {
      XrcTarget target = net.target();
      XrcNet.Connection[] connections = {net.connect(), net.connect(), net.connect()};
      int messages = 20;
      for (int i = 0; i < 3 * messages; i++) {
        target.postRecv(i, target.sge(8L * i, 8));
      }
      for (int c = 0; c < connections.length; c++) {
        QpEnd left = connections[c].left();
        SendWr[] list = new SendWr[messages];
        for (int i = 0; i < messages; i++) {
          left.setLong(8L * i, 1000L * c + i);
          list[i] = target.send(i, left.sge(8L * i, 8));
        }
        api.post(left.qp(), SendWrs.list(list));
      }
      int[] next = new int[connections.length];
      for (int i = 0; i < 3 * messages; i++) {
        WorkCompletion wc = Await.completion(target.cq(), "message " + i);
        assertThat(wc.isSuccess()).isTrue();
        long content = target.getLong(8 * wc.wrId());
        int from = (int) content / 1000;
        assertThat(wc.qpNum()).isEqualTo(connections[from].right().qpNum());
        assertThat(content % 1000).isEqualTo(next[from]++);
      }
      for (XrcNet.Connection connection : connections) {
        for (int i = 0; i < messages; i++) {
          connection.left().sent(i);
        }
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S7.8")
  void aMessageWaitsForAReceiveOfItsQueue(TckLink link, PostingApi api) {
    try (XrcNet net = XrcNet.open(link)) {
      XrcNet.Connection connection = net.connect();
      QpEnd left = connection.left();
      XrcTarget empty = net.target();
      XrcTarget full = net.target();
      full.postRecv(1, full.sge(0, 8));
      api.post(
          left.qp(), SendWrs.list(empty.send(1, left.sge(0, 8)), full.send(2, left.sge(0, 8))));
      Await.until(
          "a refusal for want of a receive",
          () -> net.right().counters().get(Counter.RNR_NAKS_SENT) > 0);
      left.assertNothingSent();
      full.assertNothingReceived();
      empty.postRecv(9, empty.sge(0, 8));
      left.sent(1);
      left.sent(2);
      empty.received(9, connection.right());
      full.received(1, connection.right());
    }
  }

  @OnEveryLinkAndApi
  @Proves("S7.8")
  void aSenderThatDoesNotWaitForAReceiveFails(TckLink link, PostingApi api) {
    for (int retries : new int[] {0, 2}) {
      try (XrcNet net = XrcNet.open(link).rnrRetry(retries)) {
        XrcNet.Connection connection = net.connect();
        QpEnd left = connection.left();
        XrcTarget empty = net.target();
        api.post(left.qp(), empty.send(1, left.sge(0, 8)));
        left.awaitSend(1, WcStatus.RNR_RETRY_EXC_ERR);
        RnrRetries.assertSpent(link, left.context(), retries);
        assertThat(connection.right().query().qpState()).isEqualTo(QpState.RTS);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S7.7")
  void oneConnectionReachesManyQueuesInItsOrder(TckLink link, PostingApi api) {
    try (XrcNet net = XrcNet.open(link)) {
      XrcNet.Connection connection = net.connect();
      QpEnd left = connection.left();
      XrcTarget[] targets = {net.target(), net.target(), net.target()};
      int messages = 10;
      for (XrcTarget target : targets) {
        for (int i = 0; i < messages; i++) {
          target.postRecv(i, target.sge(8L * i, 8));
        }
      }
      SendWr[] list = new SendWr[targets.length * messages];
      for (int i = 0; i < list.length; i++) {
        left.setLong(8L * i, i);
        list[i] = targets[i % targets.length].send(i, left.sge(8L * i, 8));
      }
      api.post(left.qp(), SendWrs.list(list));
      for (int i = 0; i < list.length; i++) {
        left.sent(i);
        XrcTarget target = targets[i % targets.length];
        target.received(i / targets.length, connection.right());
        assertThat(target.getLong(8L * (i / targets.length))).isEqualTo(i);
      }
    }
  }

  @OnEveryLink
  @Proves("S7.8")
  void itsLimitEventWorks(TckLink link) throws InterruptedException {
    try (XrcNet net = XrcNet.open(link)) {
      XrcNet.Connection connection = net.connect();
      QpEnd left = connection.left();
      XrcTarget target = net.target();
      for (int i = 0; i < 4; i++) {
        target.postRecv(i, target.sge(0, 8));
      }
      target.srq().modifyLimit(3);
      left.qp().postSend(target.send(1, left.sge(0, 8)));
      left.sent(1);
      target.received(0, connection.right());
      Events.assertNone(net.right());
      left.qp().postSend(target.send(2, left.sge(0, 8)));
      left.sent(2);
      target.received(1, connection.right());
      try (AsyncEvent event = Events.await(net.right(), EventType.SRQ_LIMIT_REACHED)) {
        assertThat(event.srq()).isSameAs(target.srq());
      }
      assertThat(target.srq().query().srqLimit()).isZero();
      left.qp().postSend(target.send(3, left.sge(0, 8)));
      left.qp().postSend(target.send(4, left.sge(0, 8)));
      StuckSend.post(left, target.send(5, left.sge(0, 8)));
      Events.assertNone(net.right());
      target.postRecv(4, target.sge(0, 8));
      for (int id = 3; id <= 5; id++) {
        left.sent(id);
        target.received(id - 1, connection.right());
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S4.4.2")
  void theTargetsRightsGateWhatComesIn(TckLink link, PostingApi api) {
    int[] rights = {Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC};
    for (int allowed = 0; allowed < rights.length; allowed++) {
      for (int asked = 0; asked < rights.length; asked++) {
        try (XrcNet net = XrcNet.open(link).access(rights[allowed])) {
          XrcNet.Connection connection = net.connect();
          QpEnd left = connection.left();
          XrcTarget target = net.target();
          left.setLong(0, 3);
          SendWr[] requests = {
            target.read(1, 64, left.sge(8, 8)),
            target.write(1, 0, left.sge(0, 8)),
            target.fetchAdd(1, 0, 3, left.sge(8, 8))
          };
          target.setLong(64, 5);
          api.post(left.qp(), requests[asked]);
          if (asked == allowed) {
            left.sent(1);
          } else {
            left.awaitSend(1, WcStatus.REM_INV_REQ_ERR);
            assertThat(target.getLong(0)).isZero();
            assertThat(left.getLong(8)).isZero();
            assertThat(connection.right().query().qpState()).isEqualTo(QpState.ERR);
          }
        }
      }
    }
  }

  @OnEveryLink
  @Proves({"S7.6", "S3.2.3"})
  void aMessageThatDoesNotFitEndsTheConnectionAndNotTheQueue(TckLink link) {
    try (XrcNet net = XrcNet.open(link)) {
      XrcNet.Connection bad = net.connect();
      XrcNet.Connection good = net.connect();
      XrcTarget target = net.target();
      target.postRecv(1, target.sge(0, 7));
      target.postRecv(2, target.sge(0, 8));
      bad.left().qp().postSend(target.send(1, bad.left().sge(0, 8)));
      bad.left().awaitSend(1, WcStatus.REM_INV_REQ_ERR);
      WorkCompletion failed = Await.completion(target.cq(), "the receive that is too small");
      assertThat(failed.wrId()).isEqualTo(1);
      assertThat(failed.status()).isEqualTo(WcStatus.LOC_LEN_ERR);
      good.left().qp().postSend(target.send(2, good.left().sge(0, 8)));
      good.left().sent(2);
      target.received(2, good.right());
    }
  }

  @OnEveryLink
  @Proves({"S7.3", "S7.9"})
  void aTargetThatSeveralContextsOpenedServesUntilTheLastLetsItGo(TckLink link)
      throws InterruptedException {
    try (XrcNet net = XrcNet.open(link);
        SharedFile file = SharedFile.create()) {
      var context = net.anotherRight();
      var first = net.right().openXrcd(file.attr());
      var second = context.openXrcd(file.attr());
      XrcTarget target = net.target(second);
      for (int i = 0; i < 3; i++) {
        target.postRecv(i, target.sge(0, 8));
      }
      QueuePair made = net.right().createQpEx(QpInitAttr.xrcRecv(first));
      QueuePair opened = context.openQp(new QpOpenAttr(second, made.qpNum()).qpContext("mine"));
      int number = made.qpNum();
      assertThat(opened.qpNum()).isEqualTo(number);
      assertThat(opened.qpContext()).isEqualTo("mine");
      assertThat(opened.endpoint()).as("proposal by the second handle").isEqualTo(made.endpoint());
      XrcNet.Connection spare = net.connect();
      spare.left().qp().modify(new QpAttr().qpState(QpState.RESET));
      net.toRts(made, spare.left().qp().endpoint());
      net.toRtsAsInitiator(spare.left().qp(), made.endpoint());
      assertThat(opened.query().qpState()).isEqualTo(QpState.RTS);
      send(spare.left(), target, 0, opened);

      made.destroy();
      send(spare.left(), target, 1, opened);

      QueuePair again = net.right().openQp(new QpOpenAttr(first, opened.qpNum()));
      opened.modify(new QpAttr().qpState(QpState.ERR));
      assertThat(again.query().qpState()).isEqualTo(QpState.ERR);
      for (QueuePair handle : new QueuePair[] {opened, again}) {
        try (AsyncEvent event = Events.await(handle.context(), EventType.QP_LAST_WQE_REACHED)) {
          assertThat(event.qp()).isSameAs(handle);
        }
      }
      opened.destroy();
      again.destroy();
      Refused.of(() -> net.right().openQp(new QpOpenAttr(first, number)), Errno.ENOENT);
    }
  }

  private static void send(QpEnd left, XrcTarget target, long wrId, QueuePair through) {
    left.qp().postSend(target.send(wrId, left.sge(0, 8)));
    left.sent(wrId);
    target.received(wrId, through);
  }
}
