package dev.verbena.examples.paths;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.verbena.mad.MadTransactor;
import dev.verbena.mad.Mads;
import dev.verbena.mad.PathResolver;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.path.Paths;
import dev.verbena.verbs.vtools.BufferPool;
import dev.verbena.verbs.vtools.Completions;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Connects two sides without a connection manager: they exchange its data over a TCP connection.
 * The steps are spelled out here; {@link dev.verbena.verbs.path.PathConnector} takes them by
 * itself, and checks what the peer sends.
 */
public final class NoConnectionManager {
  private static final int LONGEST_PATH = 4096;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Runs the example; its arguments are the devices or ports of side A and side B. */
  public static void main(String[] args) throws IOException {
    run(args.length < 2 ? "soft0" : args[0], args.length < 2 ? "soft0" : args[1], System.out);
  }

  static void run(String nameA, String nameB, PrintStream out) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> b =
          CompletableFuture.runAsync(
              () -> {
                try (Socket toA = listener.accept()) {
                  sideB(Rdma.getEndPort(nameB), toA, out);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      try (Socket toB = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
        sideA(Rdma.getEndPort(nameA), toB);
      }
      b.join();
    }
  }

  private static void sideA(EndPort endPort, Socket peer) throws IOException {
    try (Context ctx = Rdma.getVerbs(endPort)) {
      ProtectionDomain pd = ctx.allocPd();
      CompletionQueue cq = ctx.createCq(32, ctx.createCompChannel());
      QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
      BufferPool pool = new BufferPool(pd, 4, 256);

      IbPath path =
          IbPath.builder(endPort).sgid(endPort.defaultGid()).mtu(endPort.mtu()).retries(7).build();
      path = Paths.fillPath(qp, path);
      send(peer, path.reverse(false));
      path = receive(peer).reverse(false).withEndPort(endPort);
      qp.establish(path.forwardPath());
      awaitPeer(peer);

      int buffer = pool.pop();
      int length = pool.copyTo("over a path of our own".getBytes(UTF_8), buffer);
      qp.postSend(pool.makeSendWr(buffer, length));
      pool.finishWcs(qp, Completions.await(cq, TIMEOUT));
    }
  }

  private static void sideB(EndPort endPort, Socket peer, PrintStream out) throws IOException {
    try (Context ctx = Rdma.getVerbs(endPort)) {
      ProtectionDomain pd = ctx.allocPd();
      CompletionQueue cq = ctx.createCq(32, ctx.createCompChannel());
      QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
      BufferPool pool = new BufferPool(pd, 4, 256);

      IbPath path = receive(peer).withEndPort(endPort);
      Mtu largest = path.mtu();
      path = Paths.fillPath(qp, path);
      try (MadTransactor mad = Mads.getGmpMad(endPort, ctx)) {
        path = PathResolver.resolvePath(mad, path);
      }
      if (path.mtu().compareTo(largest) > 0) {
        path = path.copy(b -> b.mtu(largest));
      }
      send(peer, path);
      qp.modifyToInit(path.forwardPath());
      pool.postRecvs(qp, 4);
      qp.establish(path.forwardPath());
      awaitPeer(peer);

      WorkCompletion wc = Completions.await(cq, TIMEOUT);
      out.println(new String(pool.copyFrom(wc.wrId(), 0, wc.byteLen()), UTF_8));
    }
  }

  private static void send(Socket peer, IbPath path) throws IOException {
    byte[] bytes = path.toBytes();
    DataOutputStream to = new DataOutputStream(peer.getOutputStream());
    to.writeInt(bytes.length);
    to.write(bytes);
    to.flush();
  }

  private static IbPath receive(Socket peer) throws IOException {
    DataInputStream from = new DataInputStream(peer.getInputStream());
    int length = from.readInt();
    if (length < 0 || length > LONGEST_PATH) {
      throw new IOException("the peer announced a path of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    from.readFully(bytes);
    return IbPath.ofBytes(bytes);
  }

  /** Waits until the peer says that it is in RTS. */
  private static void awaitPeer(Socket peer) throws IOException {
    peer.getOutputStream().write(1);
    if (peer.getInputStream().read() != 1) {
      throw new IOException("the peer gave up");
    }
  }

  private NoConnectionManager() {}
}
