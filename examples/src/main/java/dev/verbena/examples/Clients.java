package dev.verbena.examples;

import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The clients of a server, which may say nothing, say something wrong, or break off: that ends
 * their own connection, and neither the server nor another client notices.
 */
final class Clients {
  /** How long a client may be silent while it connects. */
  private static final int HANDSHAKE_MILLIS = 10_000;

  private static final System.Logger LOG = System.getLogger("examples");

  /** What a server does with one client. */
  interface Service {
    /** Serves it, and takes over the connection unless this throws an exception. */
    void serve(Socket client) throws IOException;
  }

  /**
   * Serves each client in a virtual thread, until the listener is closed; then the clients that are
   * being served lose their connections.
   *
   * @throws IOException always: of the closed listener, or of another reason to accept no more
   */
  static void serveEach(ServerSocket listener, Service service) throws IOException {
    Set<Socket> served = ConcurrentHashMap.newKeySet();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        while (true) {
          Socket client = listener.accept();
          served.add(client);
          threads.execute(
              () -> {
                serve(listener, client, service);
                served.remove(client);
              });
        }
      } finally {
        // Closing the threads waits for the clients, which might stay.
        served.forEach(Clients::close);
      }
    }
  }

  private static void serve(ServerSocket listener, Socket client, Service service) {
    try {
      client.setSoTimeout(HANDSHAKE_MILLIS);
      service.serve(client);
    } catch (IOException | RuntimeException e) {
      if (!listener.isClosed()) {
        lost(e);
      }
      close(client);
    }
  }

  private static void close(Socket client) {
    try {
      client.close();
    } catch (IOException e) {
      lost(e);
    }
  }

  /**
   * Like {@link #serveEach}, but in a thread of its own, for a server whose thread has something
   * else to do.
   *
   * @param ended called at the end, when the listener is closed and no client is served any more
   */
  static void serveBeside(ServerSocket listener, Service service, Runnable ended) {
    Thread.startVirtualThread(
        () -> {
          try (listener) {
            serveEach(listener, service);
          } catch (SocketException | ClosedChannelException e) {
            LOG.log(System.Logger.Level.DEBUG, "the listener was closed", e);
          } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "no more clients can be accepted", e);
          } finally {
            ended.run();
          }
        });
  }

  /**
   * Lets clients use memory for as long as the listener is open. Each gets a queue pair, for which
   * this end then does nothing more: it posts no request and polls no completion.
   */
  static void offer(MemoryRegion memory, ServerSocket listener) throws IOException {
    QpInitAttr attr = QpInitAttr.rc(memory.context().createCq(1));
    serveEach(listener, client -> offer(memory, attr, client));
  }

  private static void offer(MemoryRegion memory, QpInitAttr attr, Socket client)
      throws IOException {
    try (client;
        QueuePair qp = memory.pd().createQp(attr)) {
      ConnectionData data = ConnectionData.exchange(client, ConnectionData.of(qp, memory));
      qp.connect(data.endpoint(), memory.access());
      Ends.bothReady(client);
      awaitEnd(client);
    }
  }

  /** Waits until the other end closes the connection, however long that takes. */
  static void awaitEnd(Socket client) throws IOException {
    client.setSoTimeout(0);
    if (client.getInputStream().read() >= 0) {
      throw new IOException(client + " sent something where it only should have closed");
    }
  }

  /**
   * Ends a wait for completions of a queue pair, from another thread: its receives complete with
   * WR_FLUSH_ERR.
   */
  static void flush(QueuePair qp) {
    try {
      qp.modify(new QpAttr().qpState(QpState.ERR));
    } catch (ObjectClosedException e) {
      LOG.log(System.Logger.Level.DEBUG, "whoever waited has ended already", e);
    }
  }

  /** Reports that a client failed, which should not end a server. */
  static void lost(Exception e) {
    LOG.log(System.Logger.Level.WARNING, "a client was lost", e);
  }

  private Clients() {}
}
