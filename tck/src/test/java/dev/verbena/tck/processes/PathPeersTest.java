package dev.verbena.tck.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.path.PathConnector;
import dev.verbena.verbs.path.Paths;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** Two processes that agree on a path over a socket. */
final class PathPeersTest {
  private static final int SIZE = 1 << 16;

  @Test
  @Proves({"PY-057", "PY-058"})
  void twoProcessesAgreeOnAPathOverASocket() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocketChannel server =
            ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0));
        ChildProcess child =
            ChildProcess.startMain(
                PathTarget.class, Addresses.next(), "" + server.socket().getLocalPort());
        Context context = Devices.open(TckLink.UDP.device())) {
      try {
        exchange(context, server);
        assertThat(child.exitCode()).isZero();
      } catch (Exception | AssertionError failure) {
        failure.addSuppressed(new AssertionError("the child wrote: " + child.output()));
        throw failure;
      }
    }
  }

  private static void exchange(Context context, ServerSocketChannel server) throws Exception {
    QpEnd end = PairSetup.on(TckLink.UDP).end(context, context.allocPd());
    try (SocketChannel channel = server.accept()) {
      ByteBuffer where =
          new PathConnector(channel).connect(end.qp(), Paths.from(context.endPort())).data();
      long address = where.getLong();
      int rkey = where.getInt();
      byte[] data = end.fill(0, SIZE, 1);
      SendWr write = SendWrs.write(1, end, 0, end.sge(0, SIZE));
      end.qp().postSend(write.remoteAddr(address).rkey(rkey));
      end.sent(1);
      end.fill(0, SIZE, 2);
      SendWr read = SendWrs.read(2, end, 0, end.sge(0, SIZE));
      end.qp().postSend(read.remoteAddr(address).rkey(rkey));
      end.sent(2);
      assertThat(end.bytes(0, SIZE)).isEqualTo(data);
    }
  }
}
