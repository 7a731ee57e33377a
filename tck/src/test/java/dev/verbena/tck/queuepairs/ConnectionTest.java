package dev.verbena.tck.queuepairs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.connect.ConnParam;
import dev.verbena.verbs.connect.Connection;
import dev.verbena.verbs.connect.ConnectionListener;
import dev.verbena.verbs.connect.ConnectionRefusedException;
import dev.verbena.verbs.connect.ConnectionRequest;
import dev.verbena.verbs.connect.RemoteQp;
import dev.verbena.verbs.connect.RemoteRegion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queue pairs whose ends set up a connection by TCP. */
final class ConnectionTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Both ends of a connection. */
  private record Ends(Connection left, Connection right) implements AutoCloseable {
    static Ends connect(ConnParam left, ConnParam right) throws Exception {
      return connect(left, right, InetAddress.getLoopbackAddress());
    }

    static Ends connect(ConnParam left, ConnParam right, InetAddress via) throws Exception {
      try (ConnectionListener listener =
          ConnectionListener.listen(new InetSocketAddress(via, 0)).timeout(LONG)) {
        Background<Connection> other =
            Background.call(() -> listener.getRequest().accept(right.timeout(LONG)));
        Connection own;
        try {
          own = Connection.connect(listener.address(), left.timeout(LONG));
        } catch (IOException | RuntimeException e) {
          try {
            other.result().close();
          } catch (IOException | RuntimeException theirs) {
            e.addSuppressed(theirs);
          }
          throw e;
        }
        return new Ends(own, other.result());
      }
    }

    @Override
    public void close() {
      left.close();
      right.close();
    }
  }

  @OnEveryLink
  void severalQueuePairsAndRegionsMakeOneConnection(TckLink link) throws Exception {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      QpPair second = another(setup, pair);
      ConnParam left =
          ConnParam.of(pair.left().qp(), Access.REMOTE_WRITE)
              .qp(second.left().qp())
              .privateData("left".getBytes(UTF_8));
      ConnParam right =
          ConnParam.of(pair.right().qp(), PairSetup.REMOTE_ALL)
              .qp(second.right().qp(), PairSetup.REMOTE_ALL)
              .region(pair.right().mr())
              .region(second.right().mr());
      try (Ends ends = Ends.connect(left, right)) {
        assertThat(ends.left.qps()).containsExactly(pair.left().qp(), second.left().qp());
        assertThat(ends.left.remoteQps())
            .extracting(qp -> qp.endpoint().qpNum())
            .containsExactly(pair.right().qp().qpNum(), second.right().qp().qpNum());
        assertThat(ends.right.regions()).isEmpty();
        assertThat(ends.left.regions())
            .containsExactly(
                RemoteRegion.of(pair.right().mr()), RemoteRegion.of(second.right().mr()));
        assertThat(UTF_8.decode(ends.right.privateData()).toString()).isEqualTo("left");
        write(pair, ends.left.region());
        write(second, ends.left.regions().get(1));
      }
    }
  }

  /** Two more queue pairs of the same devices, in RESET. */
  private static QpPair another(PairSetup setup, QpPair pair) {
    return new QpPair(
        setup.end(pair.left().context(), pair.left().pd()),
        setup.end(pair.right().context(), pair.right().pd()));
  }

  private static void write(QpPair pair, RemoteRegion region) {
    QpEnd left = pair.left();
    byte[] data = left.fill(0, 3000, 1);
    SendWr wr = SendWrs.write(1, pair.right(), 0, left.sge(0, 3000));
    pair.post(PostingApi.POST_SEND, wr.remoteAddr(region.addr(64, 3000)).rkey(region.rkey()));
    assertThat(pair.right().bytes(64, 3000)).isEqualTo(data);
  }

  @OnEveryLink
  void receivesPostedBeforeThePeerSendsMeetItsFirstMessage(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      ConnParam client =
          ConnParam.of(left.qp()).beforePeerSends(() -> left.postRecv(8, left.sge(0, 100)));
      ConnParam server =
          ConnParam.of(right.qp()).beforePeerSends(() -> right.postRecv(9, right.sge(0, 100)));
      try (Ends _ = Ends.connect(client, server)) {
        pair.post(PostingApi.POST_SEND, SendWrs.send(1, left.sge(200, 100)));
        right.received(9);
        pair.reversed().post(PostingApi.POST_SEND, SendWrs.send(2, right.sge(200, 100)));
        left.received(8);
        for (QpEnd end : pair.ends()) {
          assertThat(end.context().counters().get(Counter.RNR_NAKS_SENT)).as("RNR NAKs").isZero();
          assertThat(end.context().counters().get(Counter.DROPPED_QP_STATE)).isZero();
        }
      }
    }
  }

  @OnEveryLink
  void datagramsReachAQueuePairThatServesSeveralConnections(TckLink link) throws Exception {
    PairSetup setup = PairSetup.on(link).type(QpType.UD);
    try (QpPair pair = setup.openUnconnected()) {
      QpEnd right = pair.right();
      ConnParam server = new ConnParam().ud(right.qp(), PairSetup.QKEY);
      for (QpEnd left : List.of(pair.left(), another(setup, pair).left())) {
        try (Ends ends = Ends.connect(new ConnParam().ud(left.qp(), PairSetup.QKEY), server)) {
          RemoteQp to = ends.left.remoteQps().getFirst();
          right.postRecv(7, right.sge(0, Grh.LENGTH + 100));
          byte[] data = left.fill(0, 100, 1);
          SendWr wr = SendWrs.send(1, left.sge(0, 100));
          wr.ah(left.pd().createAh(AhAttr.to(to.endpoint())))
              .remoteQpn(to.endpoint().qpNum())
              .remoteQkey(to.qkey());
          new QpPair(left, right).deliver(link, PostingApi.POST_SEND, wr);
          assertThat(right.bytes(Grh.LENGTH, 100)).isEqualTo(data);
        }
        assertThat(right.queryState()).isEqualTo(QpState.RTS);
      }
    }
  }

  @OnEveryLink
  void theEndOfAConnectionFlushesItsReceives(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      Ends ends = Ends.connect(ConnParam.of(left.qp()), ConnParam.of(right.qp()));
      left.postRecv(5, left.sge(0, 100));
      right.postRecv(6, right.sge(0, 100));
      Background<Void> other = Background.run(() -> ends.right.disconnect(LONG));
      ends.left.disconnect(LONG);
      other.result();
      left.awaitRecv(5, WcStatus.WR_FLUSH_ERR);
      right.awaitRecv(6, WcStatus.WR_FLUSH_ERR);
    }
  }

  @OnEveryLink
  void whoeverClosesOnEndGetsWhatHasArrivedAndThenTheFlush(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      ConnParam server =
          ConnParam.of(right.qp())
              .beforePeerSends(
                  () -> {
                    right.postRecv(6, right.sge(0, 100));
                    right.postRecv(7, right.sge(100, 100));
                  });
      try (Ends ends = Ends.connect(ConnParam.of(left.qp()), server)) {
        ends.right.closeOnEnd();
        pair.post(PostingApi.POST_SEND, SendWrs.send(1, left.sge(0, 100)));
        ends.left.disconnect(LONG);
        right.awaitRecv(6, WcStatus.SUCCESS);
        right.awaitRecv(7, WcStatus.WR_FLUSH_ERR);
        ends.right.awaitEnd();
      }
    }
  }

  @OnEveryLink
  void aQueuePairMayEndBeforeItsConnection(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected();
        Ends ends = Ends.connect(ConnParam.of(pair.left().qp()), ConnParam.of(pair.right().qp()))) {
      pair.left().qp().close();
      ends.left.close();
      ends.right.awaitEnd();
    }
  }

  @OnEveryLink
  void valuesOfTheCallerReplaceTheDefaults(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      ConnParam left = ConnParam.of(pair.left().qp()).attr(new QpAttr().timeout(19).rnrRetry(3));
      try (Ends _ = Ends.connect(left, ConnParam.of(pair.right().qp()))) {
        QpAttr attr = pair.left().qp().query(-1);
        assertThat(attr.timeout()).isEqualTo(19);
        assertThat(attr.rnrRetry()).isEqualTo(3);
      }
    }
  }

  @OnEveryLink
  void aConnectionGivesABusyPeerMoreTimeThanAQueuePairDoes(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected();
        Ends ends = Ends.connect(ConnParam.of(pair.left().qp()), ConnParam.of(pair.right().qp()))) {
      boolean loses = pair.left().context().device().losesPackets();
      QpAttr attr = ends.left.qps().getFirst().query(QpAttrMask.TIMEOUT);
      assertThat(attr.timeout() > QpAttr.DEFAULT_TIMEOUT).isEqualTo(!loses);
    }
  }

  @OnEveryLink
  void anEndWithoutARegionIsNamedWhereOneIsAskedFor(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected();
        Ends ends = Ends.connect(ConnParam.of(pair.left().qp()), ConnParam.of(pair.right().qp()))) {
      assertThatThrownBy(ends.left::region)
          .isInstanceOf(NoSuchElementException.class)
          .hasMessageStartingWith(ends.left.remoteAddress() + " offers no region");
    }
  }

  @OnEveryLink
  void endsThatDoNotFitAreToldSo(TckLink link) throws Exception {
    try (QpPair rc = PairSetup.on(link).openUnconnected()) {
      assertThatThrownBy(() -> Ends.connect(ConnParam.of(rc.left().qp()), new ConnParam()))
          .isInstanceOf(ConnectionRefusedException.class)
          .hasMessageEndingWith(
              "refused, in its words: this end has brought 0 queue pairs, and the other one 1");
      QueuePair uc = rc.right().pd().createQp(QpInitAttr.uc(rc.right().recvCq()));
      assertThatThrownBy(() -> Ends.connect(ConnParam.of(rc.left().qp()), ConnParam.of(uc)))
          .isInstanceOf(ConnectionRefusedException.class)
          .hasMessageEndingWith(
              "refused, in its words: queue pair 0 of this end is UC, which does not fit RC of the"
                  + " other one");
      QueuePair ud = rc.right().pd().createQp(QpInitAttr.ud(rc.right().recvCq()));
      assertThatThrownBy(() -> ConnParam.of(ud))
          .isInstanceOf(VerbsException.class)
          .hasMessageContaining("a UD queue pair has a Q_Key: add it by ud(qp, qkey)");
      assertThatThrownBy(() -> new ConnParam().ud(uc, 1))
          .hasMessageContaining("QP type UC has no Q_Key: add it by qp(qp, access)");
    }
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, true", "::1, false", "::1, true"})
  void theVersionsOfIpOfTcpAndOfTheDeviceAreIndependent(String tcp, boolean deviceHasIpv6)
      throws Exception {
    // Devices in memory have an address without anybody's port.
    String spec = "soft:" + (deviceHasIpv6 ? "::1" : Addresses.next()) + "?link=packet";
    try (Context ctx = Devices.open(spec)) {
      QpInitAttr attr = QpInitAttr.rc(ctx.createCq(4));
      try (QueuePair left = ctx.allocPd().createQp(attr);
          QueuePair right = ctx.allocPd().createQp(attr);
          Ends ends =
              Ends.connect(ConnParam.of(left), ConnParam.of(right), InetAddress.getByName(tcp))) {
        assertThat(ends.left.remoteQps().getFirst().endpoint().gid()).isEqualTo(ctx.queryGid(1, 0));
        assertThat(left.query(-1).qpState()).isEqualTo(QpState.RTS);
      }
    }
  }

  @OnEveryLink
  void aListenerServesManyClientsAtOnce(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      QpEnd right = pair.right();
      List<Connection> all = new ArrayList<>();
      Background<Void> serving;
      try (ConnectionListener listener =
          ConnectionListener.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .timeout(LONG)) {
        serving = Background.run(() -> listener.serve(request -> offer(right, request)));
        for (int i = 0; i < 8; i++) {
          all.add(writeNumber(pair.left(), listener.address(), i));
        }
        for (int i = 0; i < 8; i++) {
          assertThat(right.getLong(8L * i)).isEqualTo(i + 1);
        }
        all.getFirst().disconnect(LONG);
      }
      serving.result();
      for (Connection connection : all) {
        connection.close();
      }
    }
  }

  private static void offer(QpEnd end, ConnectionRequest request) throws IOException {
    try (QueuePair qp = end.pd().createQp(QpInitAttr.rc(end.recvCq()));
        Connection connection =
            request.accept(ConnParam.of(qp, Access.REMOTE_WRITE).region(end.mr()))) {
      connection.awaitEnd();
    }
  }

  /** Writes a number to its place, through a connection that stays. */
  private static Connection writeNumber(QpEnd left, InetSocketAddress listener, int place)
      throws IOException {
    QueuePair qp = left.pd().createQp(QpInitAttr.rc(left.sendCq()));
    Connection connection = Connection.connect(listener, ConnParam.of(qp).timeout(LONG));
    RemoteRegion region = connection.region();
    left.setLong(0, place + 1);
    SendWr wr = new SendWr().wrId(place).opcode(WrOpcode.RDMA_WRITE).sgList(left.sge(0, 8));
    wr.sendFlags(SendFlags.SIGNALED).remoteAddr(region.addr(8L * place, 8)).rkey(region.rkey());
    qp.postSend(wr);
    Await.completion(left.sendCq(), "WRITE " + place).orThrow();
    return connection;
  }
}
