package dev.verbena.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.connect.ConnParam;
import dev.verbena.verbs.connect.Connection;
import dev.verbena.verbs.connect.ConnectionRequest;
import dev.verbena.verbs.vtools.BufferPool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One end of a conversation by SENDs, of which {@link EventLoop} and {@link VirtualThreads} serve
 * several: a queue pair, and buffers for what comes and goes. Receives are posted before the other
 * end may send, and again as soon as their text has been read.
 */
final class Session implements AutoCloseable {
  /** How many messages may be under way in each direction. */
  static final int DEPTH = 4;

  private static final int SIZE = 256;

  private final QueuePair qp;
  private final BufferPool pool;
  private @Nullable Connection connection;
  private final Queue<WorkCompletion> unanswered = new ArrayDeque<>();

  /** Makes one end of a session, whose completions may come as soon as it is being connected. */
  Session(ProtectionDomain pd, CompletionQueue cq) {
    qp = pd.createQp(QpInitAttr.rc(cq).maxSendWr(DEPTH).maxRecvWr(DEPTH));
    pool = new BufferPool(pd, 2 * DEPTH, SIZE);
  }

  /** Connects to a server. */
  void connect(InetSocketAddress server) throws IOException {
    connection = Connection.connect(server, param());
  }

  /** Connects to a client. */
  Connection accept(ConnectionRequest client) throws IOException {
    Connection accepted = client.accept(param());
    connection = accepted;
    return accepted;
  }

  /** Whether the other end has ended, of a connection that a selector watches. */
  boolean hasEnded() throws IOException {
    return connection != null && connection.checkEnd();
  }

  private ConnParam param() {
    return ConnParam.of(qp).beforePeerSends(() -> pool.postRecvs(qp, DEPTH));
  }

  QueuePair qp() {
    return qp;
  }

  /** Sends a text, of which at most 256 bytes arrive. */
  void send(String text) {
    int buffer = pool.pop();
    qp.postSend(pool.makeSendWr(buffer, pool.copyTo(text.getBytes(UTF_8), buffer)));
  }

  /** Takes a completion, and returns the text if one has arrived. */
  Optional<String> take(WorkCompletion wc) {
    boolean arrived = wc.orThrow().opcode() == WcOpcode.RECV;
    Optional<String> text =
        arrived
            ? Optional.of(new String(pool.copyFrom(wc.wrId(), 0, wc.byteLen()), UTF_8))
            : Optional.empty();
    pool.finishWcs(qp, wc);
    return text;
  }

  /**
   * Takes a completion, and answers the text if one has arrived. If the other end takes no answers,
   * all buffers are under way to it. Then its texts wait, and as their receives are not posted
   * again, it cannot send more of them.
   */
  void answer(WorkCompletion wc) {
    if (wc.orThrow().opcode() == WcOpcode.RECV) {
      unanswered.add(wc);
    } else {
      pool.finishWcs(qp, wc);
    }
    while (!unanswered.isEmpty() && pool.available() > 0) {
      take(unanswered.remove()).ifPresent(text -> send(text.toUpperCase(Locale.ROOT)));
    }
  }

  /** Closes the queue pair and the connection, and frees the buffers. */
  @Override
  public void close() {
    qp.close();
    pool.close();
    if (connection != null) {
      connection.close();
    }
  }
}
