package dev.verbena.verbs.connect;

import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.connect.SetupChannel.Patience;
import dev.verbena.verbs.connect.SetupMessage.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where other ends connect to by {@link Connection#connect} (rdma_listen).
 *
 * <p>To accept is a conversation by TCP, which waits for the other end: {@link #getRequest} until
 * that has said what it brings, and {@link ConnectionRequest#accept} until it may send. So there is
 * nothing to register with a selector. A program with an event loop lets {@link #serveAsync}
 * accept, and its own thread takes the clients from a queue. Each has a completion queue of its
 * own, whose context is the client, so {@code checkPoll().cqContext()} says whose event it is. The
 * other end may send as soon as it is accepted, when nobody waits for completions yet: so receives
 * are posted before, and the loop arms and polls each queue once when it takes the client.
 *
 * {@snippet :
 * Queue<Client> accepted = new ConcurrentLinkedQueue<>();
 *
 * void run() throws IOException {
 *   channel.registerPoll(selector);
 *   CompletableFuture<Void> served = listener.serveAsync(this::accept);
 *   while (!ended) { // whoever sets it calls selector.wakeup()
 *     selector.select(this::ready); // and the keys of other channels
 *     for (Client client; (client = accepted.poll()) != null; ) {
 *       take(client);
 *     }
 *   }
 *   listener.close();
 *   served.join(); // afterwards nobody else is accepted
 *   accepted.forEach(Client::close); // who was accepted meanwhile
 *   for (SelectionKey key : selector.keys()) {
 *     if (key.attachment() instanceof Client client) {
 *       client.close();
 *     }
 *   }
 * }
 *
 * void take(Client client) {
 *   try {
 *     client.connection.registerEnd(selector, client);
 *     look(client);
 *   } catch (IOException e) {
 *     client.close(); // only this one
 *   }
 * }
 *
 * void accept(ConnectionRequest request) throws IOException { // in a thread of the listener's
 *   Client client = new Client();
 *   try {
 *     client.cq = ctx.createCq(256, client, channel, 0); // 128 receives and 128 sends
 *     client.qp = pd.createQp(QpInitAttr.rc(client.cq));
 *     client.connection =
 *         request.accept(ConnParam.of(client.qp).beforePeerSends(client::postReceives));
 *   } catch (IOException | RuntimeException e) {
 *     client.close(); // connection, queue pair, queue: what there is, in this order
 *     throw e;
 *   }
 *   accepted.add(client);
 *   selector.wakeup();
 * }
 *
 * void ready(SelectionKey key) {
 *   if (channel.checkPoll(key) instanceof CompletionQueue cq && cq.cqContext() instanceof Client c) {
 *     look(c);
 *   } else if (key.attachment() instanceof Client c) {
 *     try {
 *       if (c.connection.checkEnd()) {
 *         look(c); // what it sent last may not have been seen yet
 *         c.close();
 *       }
 *     } catch (IOException e) {
 *       c.close(); // it has gone without a word
 *     }
 *   }
 * }
 *
 * void look(Client client) {
 *   try {
 *     client.cq.reqNotify(); // before it polls, so that no completion is missed
 *     for (WorkCompletion wc : client.cq.poll(-1)) {
 *       client.handle(wc.orThrow());
 *     }
 *   } catch (RdmaException e) { // a failed completion, an overrun, a refused post, or it was closed
 *     client.close(); // only this one; what is left of its completions is skipped
 *   }
 * }
 * }
 *
 * <p>Where {@code handle} posts to another client, a catch of its own closes that one instead. To
 * close a client twice does no harm, as each close of its objects is idempotent.
 *
 * <p>A selector can set up connections if neither end uses {@code Connection.connect}, which has a
 * protocol of its own: both exchange {@link dev.verbena.verbs.ConnectionData#toBytes} over
 * non-blocking channels of theirs, call {@link dev.verbena.verbs.QueuePair#connect}, and tell each
 * other when they have done so.
 *
 * <p>Any thread may call any method.
 */
public final class ConnectionListener implements AutoCloseable {
  /**
   * The most services of {@link #serve} that run at a time; more clients wait until one returns.
   */
  public static final int MAX_SERVED = 4096;

  private static final System.Logger LOG = System.getLogger("dev.verbena.verbs.connect");

  /** How long {@link #serve} waits when it cannot accept: the first time, and at the most. */
  private static final long FIRST_PAUSE_MILLIS = 10;

  private static final long LONGEST_PAUSE_MILLIS = 1000;

  /** What to do with each other end. */
  public interface Service {
    /**
     * Accepts or rejects a request, and serves the connection if there is one. Runs in a virtual
     * thread of its own. A connection that is open when this returns stays open, and is the
     * program's to close: from then on it does not end with the listener.
     *
     * @throws Exception if the connection is lost; this ends only this connection. The other end,
     *     which may be anybody, is told the message if the request was not answered yet
     */
    void serve(ConnectionRequest request) throws Exception;
  }

  private final ServerSocketChannel server;
  private final InetSocketAddress address;
  private final System.Logger log;
  private final Set<SocketChannel> served = ConcurrentHashMap.newKeySet();

  /** Those of the served that have said what they want. */
  private final Set<ConnectionRequest> requests = ConcurrentHashMap.newKeySet();

  private final CountDownLatch closed = new CountDownLatch(1);

  /** Of the thread that waits for the next end: a channel's own lock has no limit of time. */
  private final ReentrantLock accepting = new ReentrantLock();

  private volatile Duration timeout = Duration.ofSeconds(10);

  ConnectionListener(ServerSocketChannel server, InetSocketAddress address) {
    this(server, address, LOG);
  }

  /** With a log for what becomes of the service. */
  ConnectionListener(ServerSocketChannel server, InetSocketAddress address, System.Logger log) {
    this.server = server;
    this.address = address;
    this.log = log;
  }

  /**
   * Listens at an address. Whoever reaches it may connect, so choose a loopback address for ends on
   * this computer only.
   *
   * @param address with port 0 for any free one
   */
  public static ConnectionListener listen(InetSocketAddress address) throws IOException {
    TcpFailure.requireResolved(address);
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.bind(address);
      return new ConnectionListener(server, (InetSocketAddress) server.getLocalAddress());
    } catch (IOException e) {
      server.close();
      throw TcpFailure.at(address, e);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** Where it listens, with the port that it got. */
  public InetSocketAddress address() {
    return address;
  }

  /**
   * Sets how long an end that has connected by TCP may take to say what it wants; 10 seconds unless
   * set.
   *
   * @throws VerbsException EINVAL unless it is positive
   */
  public ConnectionListener timeout(Duration limit) {
    timeout = ConnParam.positive("timeout", limit);
    return this;
  }

  /**
   * Waits for the next request (rdma_get_request), for ever. An end that has connected and says
   * nothing holds this up; {@link #serve} does not wait for it.
   *
   * @throws ClosedByInterruptException if the thread is interrupted, which closes the listener
   * @throws ConnectionClosedException if the listener is closed, or is closed meanwhile
   * @throws IOException if the other end, which may be anybody, sends something else, or nothing in
   *     time: the listener goes on, and {@link #isOpen} is true
   */
  public ConnectionRequest getRequest() throws IOException {
    return request(unlessClosed(this::accept));
  }

  /**
   * Waits for the next request, but no longer than this for an end to connect; then it may take the
   * {@linkplain #timeout time} that it always has to say what it wants.
   *
   * @throws SocketTimeoutException if none has connected, or one has and says nothing in time; the
   *     message says which
   * @throws IOException as {@link #getRequest()}
   * @throws VerbsException EINVAL unless the limit is positive
   */
  public ConnectionRequest getRequest(Duration limit) throws IOException {
    return request(unlessClosed(() -> accept(limit)));
  }

  /** Waits for an end to connect. */
  private interface Accept {
    SocketChannel next() throws IOException;
  }

  /** Says what is closed, which neither of the ways to accept does. */
  private SocketChannel unlessClosed(Accept accept) throws IOException {
    try {
      return accept.next();
    } catch (ClosedByInterruptException | SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      if (server.isOpen()) {
        throw e;
      }
      throw new ConnectionClosedException("the listener at " + address + " is closed", e);
    }
  }

  private SocketChannel accept() throws IOException {
    accepting.lock();
    try {
      return server.accept();
    } finally {
      accepting.unlock();
    }
  }

  private SocketChannel accept(Duration limit) throws IOException {
    Patience patience = Patience.of(ConnParam.positive("getRequest", limit));
    try {
      patience.lock(accepting);
      try {
        server.socket().setSoTimeout(patience.millis());
        return Objects.requireNonNull(server.socket().accept().getChannel(), "of a channel");
      } finally {
        accepting.unlock();
      }
    } catch (SocketTimeoutException e) {
      SocketTimeoutException late =
          new SocketTimeoutException(
              "nobody has connected to " + address + " within " + patience.limit());
      late.initCause(e);
      throw late;
    }
  }

  private ConnectionRequest request(SocketChannel client) throws IOException {
    SetupChannel channel = SetupChannel.of(client);
    try {
      return new ConnectionRequest(channel, channel.read(Kind.REQUEST, Patience.of(timeout)));
    } catch (IOException | RuntimeException e) {
      channel.giveUp(e);
      throw e;
    }
  }

  /**
   * Serves all other ends, each in a virtual thread, until the listener is closed. What one of them
   * does or fails to do ends its own TCP connection, is logged, and neither the listener nor others
   * notice; its queue pairs are those of the service, which closes the {@link Connection}. When the
   * listener is closed, the other ends that are being served are told that this one ends, as by
   * {@link Connection#close}: their {@link Connection#awaitEnd} returns. That of a service throws a
   * {@link ConnectionClosedException}; its queue pairs stay connected until it closes its {@code
   * Connection}, which {@link Connection#closeOnEnd} does at once. This returns once all services
   * have returned.
   *
   * <p>An interrupt of the thread closes the listener, and so ends this as well.
   *
   * <p>Where no connection can be accepted now, as without a free file descriptor, it says so in
   * the log and tries again, more and more slowly down to once a second: other ends wait meanwhile.
   */
  public void serve(Service service) {
    Semaphore places = new Semaphore(MAX_SERVED);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        while (server.isOpen()) {
          places.acquireUninterruptibly();
          SocketChannel client = acceptSoonerOrLater();
          served.add(client);
          threads.execute(
              () -> {
                try {
                  serve(client, service);
                } finally {
                  served.remove(client);
                  places.release();
                }
              });
        }
      } finally {
        // Closing the threads waits for the services, whose other ends might stay.
        endServed();
      }
    } catch (ClosedChannelException e) {
      log.log(System.Logger.Level.DEBUG, "the listener was closed", e);
    }
  }

  private SocketChannel acceptSoonerOrLater() throws ClosedChannelException {
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      try {
        return accept();
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        // Once for each time of need, which may be long.
        System.Logger.Level level =
            pause == FIRST_PAUSE_MILLIS ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG;
        log.log(level, address + " cannot accept connections now, and tries again", e);
      }
      try {
        if (closed.await(pause, TimeUnit.MILLISECONDS)) {
          throw new ClosedChannelException();
        }
      } catch (InterruptedException e) {
        // The next accept closes the listener, as it does if the interrupt comes within it.
        Thread.currentThread().interrupt();
      }
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }

  /**
   * {@linkplain #serve Serves} in a virtual thread, for a server whose own thread has something
   * else to do. That thread does not keep the program alive.
   *
   * @return completes when {@code serve} returns: the listener was closed, and all services have
   *     returned. It fails with an error that ends {@code serve}; then the listener is closed, and
   *     the failure is in the log, too
   */
  public CompletableFuture<Void> serveAsync(Service service) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread.startVirtualThread(
        () -> {
          try {
            serve(service);
            end.complete(null);
          } catch (RuntimeException | Error e) {
            log.log(System.Logger.Level.ERROR, address + " accepts no more connections", e);
            giveUp(e);
            end.completeExceptionally(e);
          }
        });
    return end;
  }

  private void giveUp(Throwable cause) {
    try {
      close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private void serve(SocketChannel client, Service service) {
    String name = String.valueOf(client.socket().getRemoteSocketAddress());
    try (ConnectionRequest request = request(client)) {
      requests.add(request);
      try {
        if (!server.isOpen()) {
          // Whoever has closed the listener may have come before the request.
          request.end();
        }
        service.serve(request);
      } catch (Exception | Error e) {
        request.giveUp(e);
        end(client, name, e, request.isLoss(e));
      } finally {
        requests.remove(request);
      }
    } catch (Exception | Error e) {
      end(client, name, e, e instanceof IOException);
    }
  }

  /**
   * Ends the connection to an end, and tells why: what that end has done in a line, and what failed
   * here with the place.
   */
  private void end(SocketChannel client, String name, Throwable why, boolean byOtherEnd) {
    if (server.isOpen()) {
      String text = name + " is no longer served: " + why;
      log.log(System.Logger.Level.WARNING, text, byOtherEnd ? null : why);
    }
    close(client);
  }

  private static void close(SocketChannel client) {
    try {
      client.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "a TCP connection did not close", e);
    }
  }

  /** Whether it was not closed. */
  public boolean isOpen() {
    return server.isOpen();
  }

  /** For people: where it listens. */
  @Override
  public String toString() {
    return "listener at " + address;
  }

  /**
   * Stops listening. {@link #serve} and the connections that it serves end then, in an orderly way;
   * others stay.
   */
  @Override
  public void close() throws IOException {
    server.close();
    closed.countDown();
    // If all places are taken, serve waits for one of them.
    endServed();
  }

  private void endServed() {
    requests.forEach(ConnectionRequest::end);
    served.forEach(ConnectionListener::close);
  }
}
