package dev.verbena.verbs.connect;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.connect.SetupChannel.Patience;
import dev.verbena.verbs.connect.SetupMessage.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Queue pairs that are connected to those of another process, with what the other end has told of
 * itself: its memory, its queue pairs, bytes of its application.
 *
 * <pre>{@code
 * // the server, which offers a table                  // a client
 * try (var listener =                                  try (Connection c =
 *     ConnectionListener.listen(address)) {                Connection.connect(
 *   listener.serve(                                            address, ConnParam.of(qp))) {
 *       request -> {                                     RemoteRegion table = c.region();
 *         try (QueuePair qp = pd.createQp(attr);         wr.remoteAddr(table.addr())
 *             Connection c =                                 .rkey(table.rkey());
 *                 request.accept(                        ...
 *                     ConnParam.of(qp, REMOTE_READ)    }
 *                         .region(table))) {
 *           c.awaitEnd();
 *         }
 *       });
 * }
 * }</pre>
 *
 * <p>The two ends talk by TCP, over IPv4 or IPv6, whatever addresses the devices have. When {@code
 * connect} and {@code accept} return, both ends may send. The TCP connection stays: it tells when
 * the other end has {@linkplain #awaitEnd ended}, or has gone without a word, which a queue pair
 * that only answers never learns.
 *
 * <p>What a stranger sends is checked, and at most 50 KB of it are kept. But TCP says nothing about
 * who the other end is: whoever reaches the port may use the memory that is offered there.
 */
public final class Connection implements AutoCloseable {
  private final SetupChannel channel;
  private final ConnParam own;
  private final SetupMessage peer;
  private final Object reading = new Object();
  private final AtomicBoolean endTold = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private boolean peerHasEnded;

  Connection(SetupChannel channel, ConnParam own, SetupMessage peer) {
    this.channel = channel;
    this.own = own;
    this.peer = peer;
  }

  /**
   * Connects to a {@link ConnectionListener} (rdma_connect). If this fails, the queue pairs are in
   * some state on the way to RTS; close or reset them.
   *
   * @param listener where it listens
   * @throws ConnectionRefusedException if the other end says why it will not
   * @throws IOException if there is no listener, no answer in time, or no sensible one
   * @throws dev.verbena.verbs.VerbsException if a queue pair refuses the other end's values
   */
  public static Connection connect(InetSocketAddress listener, ConnParam param) throws IOException {
    Patience patience = Patience.of(param.timeout());
    SetupChannel channel = SetupChannel.dial(listener, patience);
    try {
      channel.write(param.message(Kind.REQUEST));
      SetupMessage answer = channel.read(Kind.ACCEPT, patience);
      param.establish(answer.qps());
      channel.write(SetupMessage.of(Kind.READY));
      return new Connection(channel, param, answer);
    } catch (IOException | RuntimeException e) {
      channel.giveUp(e);
      throw e;
    }
  }

  /** This end's queue pairs, in the order in which they were given. */
  public List<QueuePair> qps() {
    return own.qps();
  }

  /** The other end's queue pairs, each the peer of the one at its position. */
  public List<RemoteQp> remoteQps() {
    return peer.qps();
  }

  /** The memory that the other end offers, in the order in which it was given. */
  public List<RemoteRegion> regions() {
    return peer.regions();
  }

  /**
   * The first region that the other end offers.
   *
   * @throws java.util.NoSuchElementException if it offers none
   */
  public RemoteRegion region() {
    return peer.regions().getFirst();
  }

  /** The bytes of the other end's application, read-only. */
  public ByteBuffer privateData() {
    return peer.bytes();
  }

  /** The other end's TCP address. */
  public SocketAddress remoteAddress() {
    return channel.peer();
  }

  /**
   * Waits until the other end has ended the connection. Closing the connection in another thread
   * ends the wait, too.
   *
   * @throws EOFException if the other end has gone without ending it
   * @throws IOException if the TCP connection breaks, or was closed here
   */
  public void awaitEnd() throws IOException {
    awaitEnd(Patience.endless());
  }

  private void awaitEnd(Patience patience) throws IOException {
    synchronized (reading) {
      if (!peerHasEnded) {
        channel.read(Kind.END, patience);
        peerHasEnded = true;
      }
    }
  }

  /**
   * Ends the connection together with the other end, which calls this as well, or waits for the end
   * and closes: each tells that its requests have completed, and waits until the other says so.
   * Afterwards nobody waits for an answer of the other (rdma_disconnect).
   *
   * @param patience how long the other end may take
   * @throws java.net.SocketTimeoutException if it takes longer; the connection is closed then, too
   * @throws IOException if it has gone without a word
   */
  public void disconnect(Duration patience) throws IOException {
    try (this) {
      if (endTold.compareAndSet(false, true)) {
        channel.write(SetupMessage.of(Kind.END));
      }
      awaitEnd(Patience.of(patience));
    }
  }

  /**
   * Lets a selector tell of the end: the key is ready for reading once the other end has ended or
   * gone. From then on {@link #awaitEnd} and {@link #disconnect} cannot be called any more, as the
   * TCP connection does not block.
   *
   * @param attachment of the key
   */
  public SelectionKey registerEnd(Selector selector, @Nullable Object attachment)
      throws IOException {
    channel.channel().configureBlocking(false);
    return channel.channel().register(selector, SelectionKey.OP_READ, attachment);
  }

  /**
   * Ends the connection at once: tells the other end, and moves the queue pairs with a connection
   * to ERR, so that their receives complete with WR_FLUSH_ERR. They stay open. Idempotent.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      if (endTold.compareAndSet(false, true)) {
        channel.tell(SetupMessage.of(Kind.END));
      }
      channel.close();
      own.end();
    }
  }
}
