package dev.verbena.tck.paths;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Background;
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
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.path.PathConnector;
import dev.verbena.verbs.path.PathConnector.Agreement;
import dev.verbena.verbs.path.Paths;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Two queue pairs whose sides agree on a path over a TCP connection. */
final class PathConnectorTest {
  private static final int RIGHTS = PairSetup.REMOTE_ALL;

  /** The agreement of each side. */
  private record Agreed(Agreement left, Agreement right) {}

  private static Agreed connect(QueuePair left, QueuePair right) throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocketChannel server =
        ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0))) {
      Background<Agreement> other =
          Background.call(
              () -> {
                try (SocketChannel channel = server.accept()) {
                  return accept(right, channel);
                }
              });
      try (SocketChannel channel = SocketChannel.open(server.getLocalAddress())) {
        IbPath offer = Paths.from(left.context().endPort()).copy(b -> b.qkey(PairSetup.QKEY));
        Agreement own = new PathConnector(channel).connect(left, offer, RIGHTS);
        return new Agreed(own, other.result());
      }
    }
  }

  private static Agreement accept(QueuePair qp, SocketChannel channel) throws IOException {
    return new PathConnector(channel)
        .resolver(Ways::resolved)
        .accept(qp, qp.context().endPort(), RIGHTS);
  }

  @OnEveryLink
  @Proves({"PY-016", "PY-057", "PY-058", "PY-061"})
  void reliableConnectionsWorkBothWays(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      Agreed agreed = connect(left.qp(), right.qp());
      assertThat(agreed.left().path().endPort()).isSameAs(left.context().endPort());
      assertThat(agreed.right().path().endPort()).isSameAs(right.context().endPort());
      assertThat(agreed.left().path().complete()).isTrue();
      for (QpPair way : new QpPair[] {pair, pair.reversed()}) {
        byte[] data = way.left().fill(0, 3000, 1);
        way.post(
            PostingApi.POST_SEND, SendWrs.write(1, way.right(), 4096, way.left().sge(0, 3000)));
        way.post(
            PostingApi.POST_SEND, SendWrs.read(2, way.right(), 4096, way.left().sge(8192, 3000)));
        assertThat(way.left().bytes(8192, 3000)).isEqualTo(data);
      }
      QpAttr attr = left.qp().query(-1);
      QpAttr theirs = right.qp().query(-1);
      assertThat(attr.maxRdAtomic()).isEqualTo(theirs.maxDestRdAtomic()).isPositive();
      assertThat(theirs.maxRdAtomic()).isEqualTo(attr.maxDestRdAtomic()).isPositive();
      assertThat(attr.pathMtu()).isEqualTo(theirs.pathMtu());
      assertThat(attr.timeout()).isEqualTo(theirs.timeout());
    }
  }

  @OnEveryLink
  @Proves("PY-061")
  void unreliableConnectionsWork(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).type(QpType.UC).openUnconnected()) {
      connect(pair.left().qp(), pair.right().qp());
      assertThat(pair.right().queryState()).isEqualTo(QpState.RTS);
      QpEnd right = pair.right();
      byte[] data = pair.left().fill(0, 100, 1);
      right.postRecv(7, right.sge(0, 100));
      pair.deliver(link, PostingApi.POST_SEND, SendWrs.send(1, pair.left().sge(0, 100)));
      assertThat(right.bytes(0, 100)).isEqualTo(data);
    }
  }

  @OnEveryLink
  @Proves({"PY-043", "PY-061"})
  void datagramsGoToTheQueuePairOfThePath(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).type(QpType.UD).openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      IbPath path = connect(left.qp(), right.qp()).left().path();
      right.postRecv(7, right.sge(0, Grh.LENGTH + 100));
      byte[] data = left.fill(0, 100, 1);
      SendWr wr =
          SendWrs.send(1, left.sge(0, 100))
              .ah(left.pd().ah(path))
              .remoteQpn(path.dqpn())
              .remoteQkey(path.qkey());
      pair.deliver(link, PostingApi.POST_SEND, wr);
      assertThat(right.bytes(Grh.LENGTH, 100)).isEqualTo(data);
    }
  }

  @OnEveryLink
  @Proves("PY-061")
  void xrcConnectionsWork(TckLink link) throws Exception {
    try (XrcNet net = XrcNet.open(link)) {
      XrcNet.Connection connection = net.unconnected();
      XrcTarget target = net.target();
      QpEnd left = connection.left();
      connect(left.qp(), connection.right());
      byte[] data = left.fill(0, 3000, 1);
      left.qp().postSend(target.write(1, 64, left.sge(0, 3000)));
      left.sent(1);
      assertThat(target.bytes(64, 3000)).isEqualTo(data);
      assertThat(connection.right().query(-1).qpAccessFlags() & Access.REMOTE_WRITE).isNotZero();
    }
  }
}
