package dev.verbena.verbs.connect;

import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.connect.SetupChannel.Patience;
import dev.verbena.verbs.connect.SetupMessage.Kind;
import dev.verbena.verbs.provider.FirstFailure;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
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
 * the other end has ended, or has gone without a word, which a queue pair that only answers never
 * learns. {@link #awaitEnd} waits for that, {@link #registerEnd} lets a selector wait, and {@link
 * #closeOnEnd} is for a thread that waits for completions. A computer or network that fails tells
 * nothing: then only TCP's keep-alive does, which Linux begins after two hours unless set
 * otherwise.
 *
 * <p>So the TCP connection must be ended, too: by {@link #close}, {@link #disconnect}, or the end
 * of the process. To close the queue pairs or their {@link dev.verbena.verbs.Context} does not do
 * that, and tells the other end nothing: its {@code awaitEnd} and its receives go on waiting, and
 * its sends end with RETRY_EXC_ERR. Close the connection before or after them: it then tells of an
 * orderly end.
 *
 * <p>Any thread may call any method.
 *
 * <p>What a stranger sends is checked, and at most 50 KB of it are kept. But TCP says nothing about
 * who the other end is: whoever reaches the port may use the memory that is offered there.
 */
public final class Connection implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.verbena.verbs.connect");

  private final SetupChannel channel;
  private final List<QueuePair> own;
  private final SetupMessage peer;
  private final AtomicBoolean closesOnEnd = new AtomicBoolean();

  /**
   * Guards what this end has done to end: whether it has told the other end, which it does once and
   * before it closes, and whether all is closed.
   */
  private final Lock ending = new ReentrantLock();

  private boolean endTold;
  private boolean closed;

  /**
   * That this end closes, before it tells the other end: whoever still reads finds the other end's
   * answer, or a closed TCP connection.
   */
  private volatile boolean closing;

  /** Guards what was read of the end: that the other end has ended, or how it was lost. */
  private final ReentrantLock reading = new ReentrantLock();

  private boolean peerHasEnded;

  /** Written under that guard. */
  private volatile @Nullable IOException loss;

  Connection(SetupChannel channel, List<QueuePair> own, SetupMessage peer) {
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
      return new Connection(channel, param.qps(), answer);
    } catch (IOException | RuntimeException e) {
      channel.giveUp(e);
      throw e;
    }
  }

  /** This end's queue pairs, in the order in which they were given. */
  public List<QueuePair> qps() {
    return own;
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
   * @throws NoSuchElementException if it offers none
   */
  public RemoteRegion region() {
    if (peer.regions().isEmpty()) {
      throw new NoSuchElementException(
          remoteAddress() + " offers no region: its ConnParam has none, which region(mr) adds");
    }
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
   * ends the wait, too, and so does an interrupt, which may close the TCP connection: then close
   * this one. Called again, it returns or throws the same.
   *
   * @throws EOFException if the other end has gone without ending it
   * @throws ConnectionClosedException if this end has closed the connection
   * @throws IOException if the TCP connection breaks, or if the thread is interrupted
   * @throws java.nio.channels.IllegalBlockingModeException after {@link #registerEnd}, which has
   *     {@link #checkEnd} instead
   */
  public void awaitEnd() throws IOException {
    awaitEnd(Patience.endless());
  }

  private void awaitEnd(Patience patience) throws IOException {
    channel.lock(reading, Kind.END, patience);
    try {
      readOnce(
          () -> {
            channel.awaitArrival(Kind.END, patience);
            return true;
          });
    } finally {
      reading.unlock();
    }
  }

  /**
   * Waits until the other end has ended the connection, but no longer than this; otherwise like
   * {@link #awaitEnd()}. When the time is up the connection is as before, and the wait may be
   * repeated.
   *
   * @return whether it has ended; false if its end has not arrived in time
   * @throws EOFException if the other end has gone without ending it
   * @throws ConnectionClosedException if this end has closed the connection
   * @throws IOException if the TCP connection breaks, or if the thread is interrupted
   * @throws dev.verbena.verbs.VerbsException EINVAL unless the limit is positive
   * @throws java.nio.channels.IllegalBlockingModeException as {@link #awaitEnd()}
   */
  public boolean awaitEnd(Duration limit) throws IOException {
    Patience patience = Patience.of(ConnParam.positive("awaitEnd", limit));
    try {
      patience.lock(reading);
    } catch (SocketTimeoutException e) {
      LOG.log(System.Logger.Level.TRACE, "another thread has waited for all that time", e);
      return false;
    }
    try {
      return readOnce(() -> arrives(patience));
    } finally {
      reading.unlock();
    }
  }

  private boolean arrives(Patience patience) throws IOException {
    try {
      channel.awaitArrival(Kind.END, patience);
      return true;
    } catch (SocketTimeoutException e) {
      LOG.log(System.Logger.Level.TRACE, remoteAddress() + " has not ended yet", e);
      return false;
    }
  }

  /** Reads the end, or that it is not there yet. */
  private interface EndReader {
    boolean read() throws IOException;
  }

  /** Under the guard: reads until it is known how the other end has ended. */
  private boolean readOnce(EndReader reader) throws IOException {
    if (!peerHasEnded && loss == null) {
      try {
        boolean arrived = reader.read();
        if (arrived && closing) {
          // It may only be the answer.
          throw new ClosedChannelException();
        }
        peerHasEnded = arrived;
      } catch (IOException e) {
        loss = named(e);
      }
    }
    if (loss != null) {
      throw loss;
    }
    return peerHasEnded;
  }

  /** The same failure, unless it only says that something is closed, which is this end's doing. */
  private IOException named(IOException e) {
    return closing && (e instanceof ClosedChannelException || e instanceof SocketException)
        ? new ConnectionClosedException(
            "this end has closed the connection to " + remoteAddress(), e)
        : e;
  }

  /** Whether this is how the connection was lost, and nothing that the program has done. */
  boolean isLoss(Throwable failure) {
    return failure.equals(loss);
  }

  /**
   * {@linkplain #close Closes} this connection as soon as the other end has ended or gone, so that
   * a thread may wait for completions and for the end at once: it gets what has arrived, and then
   * WR_FLUSH_ERR for what is still posted to queue pairs with a connection, also for sends that may
   * have arrived, or that the other end has just refused. {@link #awaitEnd} then tells at once
   * whether the other end has ended or gone. A virtual thread watches for the end until the
   * connection is closed. {@link #disconnect} may follow. Idempotent.
   *
   * <p>Let the end that sends the last message be the first to disconnect, once its sends have
   * completed, while the other one waits for WR_FLUSH_ERR or for the end. If instead the receiver
   * of the last message disconnects first, this closes the sender's connection, and that send may
   * be flushed although the other end has the message.
   *
   * <p>A thread that waits for anything else is not woken: for datagrams, for receives of a shared
   * queue, or with nothing posted. For these, another thread calls {@code awaitEnd}.
   *
   * @return this connection
   * @throws IllegalStateException after {@link #registerEnd}
   */
  public Connection closeOnEnd() {
    if (!channel.channel().isBlocking()) {
      throw new IllegalStateException("a selector tells of the end of this connection");
    }
    if (closesOnEnd.compareAndSet(false, true)) {
      Thread.startVirtualThread(this::closeAfterEnd);
    }
    return this;
  }

  private void awaitEndOrLoss() {
    try {
      awaitEnd();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the connection to " + remoteAddress() + " was lost", e);
    }
  }

  private void closeAfterEnd() {
    try {
      awaitEndOrLoss();
      close();
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the connection to " + remoteAddress() + " did not close",
          e);
    }
  }

  /**
   * Ends the connection together with the other end, which calls this as well, or closes once it
   * has learnt of the end ({@link #awaitEnd}, {@link #checkEnd}, {@link #closeOnEnd}): each tells
   * that its requests have completed, and waits until the other says so. Afterwards nobody waits
   * for an answer of the other (rdma_disconnect), and {@code awaitEnd} returns at both ends. It
   * does not wait for requests: await their completions before.
   *
   * <p>If either end has called {@link #closeOnEnd}, only the sender of the last message may call
   * this first, once that send has completed. Its receiver calls {@link #awaitEnd}, and closes;
   * otherwise the send may be flushed at its sender although it has arrived.
   *
   * @param timeout how long the other end may take
   * @throws java.net.SocketTimeoutException if it takes longer; the connection is closed then, too
   * @throws IOException if it has gone without a word, or if the thread is interrupted
   */
  public void disconnect(Duration timeout) throws IOException {
    try (this) {
      tellEnd();
      awaitEnd(Patience.of(timeout));
    }
  }

  private void tellEnd() throws IOException {
    ending.lock();
    try {
      if (!endTold) {
        endTold = true;
        channel.writeEvenIfInterrupted(SetupMessage.of(Kind.END));
      }
    } finally {
      ending.unlock();
    }
  }

  /**
   * Lets a selector tell of the end: the key is ready for reading once the other end has ended or
   * gone. {@link #checkEnd} then says which; {@link #close} cancels the key, which stays ready
   * until then. From now on {@link #awaitEnd}, {@link #closeOnEnd} and {@link #disconnect} cannot
   * be called any more, as the TCP connection does not block.
   *
   * @param attachment of the key
   * @throws IllegalStateException after {@link #closeOnEnd}
   */
  public SelectionKey registerEnd(Selector selector, @Nullable Object attachment)
      throws IOException {
    if (closesOnEnd.get()) {
      throw new IllegalStateException("closeOnEnd waits for the end of this connection");
    }
    channel.channel().configureBlocking(false);
    return channel.channel().register(selector, SelectionKey.OP_READ, attachment);
  }

  /**
   * Says whether the other end has ended the connection, without waiting: what {@link #awaitEnd}
   * says where {@link #registerEnd} has come before. Called again, it returns or throws the same.
   *
   * {@snippet :
   * if (key.attachment() instanceof Connection connection) {
   *   try {
   *     if (connection.checkEnd()) {
   *       connection.close(); // which cancels the key
   *     }
   *   } catch (IOException e) {
   *     connection.close();
   *     lost(connection, e);
   *   }
   * }
   * }
   *
   * @return whether it has ended; false if its end has not arrived, or not as a whole
   * @throws EOFException if it has gone without ending the connection
   * @throws ConnectionClosedException if this end has closed the connection
   * @throws IOException if the TCP connection breaks, or if the thread is interrupted
   * @throws IllegalStateException without {@link #registerEnd} before
   */
  public boolean checkEnd() throws IOException {
    if (channel.channel().isBlocking()) {
      throw new IllegalStateException("no selector tells of the end: call registerEnd or awaitEnd");
    }
    reading.lock();
    try {
      return readOnce(() -> channel.hasArrived(Kind.END));
    } finally {
      reading.unlock();
    }
  }

  /**
   * Ends the connection at once: tells the other end, and moves the queue pairs with a connection
   * to ERR, so that their receives complete with WR_FLUSH_ERR. They stay open. Those that were
   * closed before are skipped; the other end is told of an orderly end all the same. Idempotent;
   * when it returns, all of that is done, also if another thread has begun it.
   *
   * @throws dev.verbena.verbs.VerbsException if a queue pair cannot be moved; the others are
   */
  @Override
  public void close() {
    ending.lock();
    try {
      if (!closed) {
        closed = true;
        end();
      }
    } finally {
      ending.unlock();
    }
  }

  private void end() {
    endTcp();
    FirstFailure failure = new FirstFailure();
    for (QueuePair qp : own) {
      failure.attempt(() -> flush(qp));
    }
    failure.throwIfAny();
  }

  /** For people: the other end's TCP address and this end's queue pairs. */
  @Override
  public String toString() {
    return "connection to " + remoteAddress() + " by " + own;
  }

  /**
   * Tells the other end that this one ends, and closes the TCP connection. The queue pairs stay as
   * they are until {@link #close}.
   */
  void endTcp() {
    closing = true;
    try {
      tellEnd();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, remoteAddress() + " was not told of the end", e);
    }
    channel.close();
  }

  private static void flush(QueuePair qp) {
    try {
      if (qp.qpType() != QpType.UD) {
        qp.modify(new QpAttr().qpState(QpState.ERR));
      }
    } catch (ObjectClosedException e) {
      LOG.log(System.Logger.Level.DEBUG, "the queue pair has ended before its connection", e);
    }
  }
}
