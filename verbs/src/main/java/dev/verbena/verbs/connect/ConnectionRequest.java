package dev.verbena.verbs.connect;

import dev.verbena.verbs.connect.SetupChannel.Patience;
import dev.verbena.verbs.connect.SetupMessage.Kind;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Another end that wants to be connected (RDMA_CM_EVENT_CONNECT_REQUEST). For one thread at a time.
 */
public final class ConnectionRequest implements AutoCloseable {
  private final SetupChannel channel;
  private final SetupMessage peer;
  private boolean answered;

  /** Guards the answer against the end of the listener, which comes in another thread. */
  private final Lock answering = new ReentrantLock();

  private @Nullable Connection accepted;

  /** What the other end did instead of connecting. */
  private @Nullable IOException broken;

  ConnectionRequest(SetupChannel channel, SetupMessage peer) {
    this.channel = channel;
    this.peer = peer;
  }

  /** The other end's queue pairs; this end must bring as many, of services that fit. */
  public List<RemoteQp> remoteQps() {
    return peer.qps();
  }

  /** The memory that the other end offers. */
  public List<RemoteRegion> regions() {
    return peer.regions();
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
   * Connects the queue pairs (rdma_accept). If this fails, they are in some state on the way to
   * RTS; close or reset them. The other end learns why.
   *
   * @throws IOException if the other end brings other queue pairs, gives up, or goes
   * @throws IllegalStateException if the request was answered before
   * @throws dev.verbena.verbs.VerbsException if a queue pair refuses the other end's values
   */
  public Connection accept(ConnParam param) throws IOException {
    answer();
    Patience patience = Patience.of(param.timeout());
    try {
      SetupMessage ours = param.message(Kind.ACCEPT);
      param.establish(peer.qps());
      Connection connection = new Connection(channel, param.qps(), peer);
      tellAccepted(ours, connection);
      channel.read(Kind.READY, patience);
      return connection;
    } catch (IOException e) {
      broken = e;
      channel.giveUp(e);
      throw e;
    } catch (RuntimeException e) {
      channel.giveUp(e);
      throw e;
    }
  }

  /** From then on the other end may have its connection, and is told when this one ends. */
  private void tellAccepted(SetupMessage ours, Connection connection) throws IOException {
    answering.lock();
    try {
      channel.write(ours);
      accepted = connection;
    } finally {
      answering.unlock();
    }
  }

  /** Ends the TCP connection, in any thread; an end that has its connection is told. */
  void end() {
    answering.lock();
    try {
      if (accepted != null) {
        accepted.endTcp();
      } else {
        channel.close();
      }
    } finally {
      answering.unlock();
    }
  }

  /**
   * Tells the other end why it will not be connected (rdma_reject).
   *
   * @param reason in words, which its {@link ConnectionRefusedException} has
   * @throws IllegalStateException if the request was answered before
   */
  public void reject(String reason) throws IOException {
    answer();
    try (channel) {
      channel.write(SetupMessage.refusal(reason));
    }
  }

  /** Whether this is how the other end was lost: before it was ready, or later. */
  boolean isLoss(Throwable failure) {
    return failure.equals(broken) || (accepted != null && accepted.isLoss(failure));
  }

  /** Refuses the request, if it was not answered, with what has gone wrong here. */
  void giveUp(Throwable reason) {
    if (!answered) {
      answered = true;
      channel.giveUp(reason);
    }
  }

  private void answer() {
    if (answered) {
      throw new IllegalStateException("this request was answered before");
    }
    answered = true;
  }

  /** For people: the other end's TCP address. */
  @Override
  public String toString() {
    return "request of " + remoteAddress();
  }

  /** Refuses the request if it was not answered. */
  @Override
  public void close() throws IOException {
    if (!answered) {
      reject("nobody has answered the request");
    }
  }
}
