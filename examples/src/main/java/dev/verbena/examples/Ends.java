package dev.verbena.examples;

import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

/**
 * Starts the two ends of an example: both in this process, or the one that the arguments name. Two
 * ends need another way to tell each other about their queue pairs and memory: here, as in most
 * programs, that is a TCP connection. It also tells when the other end has gone, which a queue pair
 * that only answers never learns.
 */
final class Ends {
  private static final int PORT = 18515;
  private static final int PATIENCE_MILLIS = 30_000;

  /** The end that waits for connections, until its listener is closed. */
  interface Server {
    void serve(String device, ServerSocket listener) throws Exception;
  }

  /** The end that connects. */
  interface Client {
    void run(String device, SocketAddress server) throws Exception;
  }

  /**
   * Runs both ends on devices of their own without arguments, a server with {@code --server
   * [DEVICE]}, and a client with {@code HOST [DEVICE]}.
   */
  static void run(Server server, Client client, String... args) throws Exception {
    String device = args.length > 1 ? args[1] : "soft0";
    if (args.length == 0) {
      runBoth("soft:new", server, "soft:new", client);
    } else if (args[0].equals("--server")) {
      try (ServerSocket listener = listen(new InetSocketAddress(PORT))) {
        server.serve(device, listener);
      }
    } else {
      client.run(device, new InetSocketAddress(args[0], PORT));
    }
  }

  /** Runs both ends in this process, until the client ends. */
  static void runBoth(String serverDevice, Server server, String clientDevice, Client client)
      throws Exception {
    ServerSocket listener = listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    FutureTask<Void> serving = new FutureTask<>(() -> serve(server, serverDevice, listener));
    Thread.ofPlatform().name("server").start(serving);
    Closeable end = () -> end(listener, serving);
    try (end) {
      client.run(clientDevice, listener.getLocalSocketAddress());
    }
  }

  private static Void serve(Server server, String device, ServerSocket listener) throws Exception {
    // A server that fails closes the listener, so that no client waits for it.
    try (listener) {
      try {
        server.serve(device, listener);
      } catch (SocketException | ClosedChannelException e) {
        if (!listener.isClosed()) {
          throw e;
        }
      }
    }
    return null;
  }

  private static void end(ServerSocket listener, FutureTask<Void> serving) throws IOException {
    listener.close();
    try {
      serving.get();
    } catch (ExecutionException e) {
      throw new IOException("the server has failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the server was ending", e);
    }
  }

  private static ServerSocket listen(SocketAddress address) throws IOException {
    // Made by way of a channel, so that a selector can watch it.
    return ServerSocketChannel.open().bind(address).socket();
  }

  /** Connects to the server. */
  static Socket dial(SocketAddress server) throws IOException {
    Socket socket = new Socket();
    socket.connect(server, PATIENCE_MILLIS);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  /**
   * Waits until the other end calls this as well, which each does when its queue pair is connected.
   * What reaches a queue pair earlier is dropped, and sent again only after a time-out.
   */
  static void bothReady(Socket socket) throws IOException {
    socket.getOutputStream().write(1);
    if (socket.getInputStream().read() < 0) {
      throw new EOFException("the other end has gone before it was ready");
    }
  }

  /**
   * Lets clients use memory for as long as the listener is open. Each gets a queue pair, for which
   * this end then does nothing more: it posts no request and polls no completion.
   */
  static void offer(MemoryRegion memory, ServerSocket listener) throws IOException {
    QpInitAttr attr = QpInitAttr.rc(memory.context().createCq(1));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      while (true) {
        Socket peer = listener.accept();
        threads.execute(() -> offer(memory, attr, peer));
      }
    }
  }

  private static void offer(MemoryRegion memory, QpInitAttr attr, Socket peer) {
    try (peer;
        QueuePair qp = memory.pd().createQp(attr)) {
      ConnectionData client = ConnectionData.exchange(peer, ConnectionData.of(qp, memory));
      qp.connect(client.endpoint(), memory.access());
      bothReady(peer);
      awaitEnd(peer);
    } catch (IOException e) {
      lost(e);
    }
  }

  /** Waits until the other end closes the connection. */
  static void awaitEnd(Socket peer) throws IOException {
    if (peer.getInputStream().read() >= 0) {
      throw new IOException(peer + " sent something where it only should have closed");
    }
  }

  /** Reports that the connection to a client broke, which should not end a server. */
  static void lost(IOException e) {
    System.getLogger("examples").log(System.Logger.Level.WARNING, "a client was lost", e);
  }

  private Ends() {}
}
