package dev.verbena.verbs.path;

import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Takes two queue pairs to RTS for each other, without a connection manager: the two sides agree on
 * a path over a byte channel that they have already, such as a TCP connection.
 *
 * <pre>{@code
 * // one side                                        // the other one
 * IbPath offer = Paths.from(endPort);
 * new PathConnector(socket)                          new PathConnector(socket)
 *     .connect(qp, offer, Access.REMOTE_WRITE);          .accept(qp, endPort, Access.REMOTE_WRITE);
 * }</pre>
 *
 * <p>Queue pairs of every type but RAW_PACKET can be set up so: RC with RC, UC with UC, UD with UD
 * and XRC_SEND with XRC_RECV. The side that connects offers a path: with its queue pair's number,
 * the start PSNs of both sides, the READs and atomics that it can have outstanding and answer, its
 * ACK delay, the largest MTU, retries, P_Key and Q_Key. The side that accepts lowers what it cannot
 * do, {@linkplain #resolver resolves} the path, and answers with it. Each has the P_Key that its
 * port has for the partition, as full member if it can; two limited members do not reach each
 * other, and are refused. Each takes its queue pair to RTS, and tells the other: so when both
 * methods return, both may send. To post receives before the peer can send, go to INIT first
 * ({@link QueuePair#modifyToInit}); {@link QueuePair#establish}, which is used here, goes on from
 * there.
 *
 * <p>Whoever is at the other end of the channel, what it sends is checked: the offer must fit the
 * queue pair, and the answer the offer. No more than {@value PathMessage#MAX_LENGTH} bytes of it
 * are kept. How long to wait for the peer is the channel's affair: closing it, or interrupting the
 * thread where the channel can be interrupted, ends the wait. The channel stays open; nothing
 * behind the last message is read.
 *
 * <p>Where one side fails, whatever the reason, the other one is told if it can be. The queue pair
 * is then in some state on the way to RTS, and is to be closed or reset. The two sides may be out
 * of step: a message that one has sent, the refusal perhaps, may still be in the channel when the
 * other has given up, and would be taken for the beginning of a next attempt. So close the channel,
 * too.
 *
 * <p>An object is for one pair of queue pairs at a time; several may follow one another over one
 * channel.
 */
public final class PathConnector {
  /** Most bytes of {@link #data}. */
  public static final int MAX_DATA = PathMessage.MAX_DATA;

  private static final String FUNCTION = "connectPath";

  private final ReadableByteChannel in;
  private final WritableByteChannel out;
  private UnaryOperator<IbPath> resolver = Paths::resolveLocally;
  private ByteBuffer data = ByteBuffer.allocate(0);

  /**
   * What came of it.
   *
   * @param path the path to the peer, as this side sees it. The queue pair sends along its {@link
   *     IbPath#forwardPath}; on UD that is what to make an address handle of
   * @param data what the peer gave to {@link PathConnector#data}, read-only
   */
  public record Agreement(IbPath path, ByteBuffer data) {}

  /**
   * @param channel blocking, both ways
   */
  public PathConnector(ByteChannel channel) {
    this(channel, channel);
  }

  /**
   * @param in blocking, from the peer
   * @param out blocking, to the peer
   */
  public PathConnector(ReadableByteChannel in, WritableByteChannel out) {
    this.in = in;
    this.out = out;
  }

  /**
   * How the side that accepts gets from the two ends of a path to a complete one: on InfiniBand by
   * asking the subnet administrator for one in the partition of the path that is given; unless
   * something else is set, by {@link Paths#resolveLocally}, which is for Ethernet.
   */
  public PathConnector resolver(UnaryOperator<IbPath> how) {
    this.resolver = how;
    return this;
  }

  /**
   * Bytes for the peer's application, as the address and key of a region.
   *
   * @throws VerbsException EINVAL for more than {@value #MAX_DATA}
   */
  public PathConnector data(byte[] own) {
    if (own.length > MAX_DATA) {
      throw new VerbsException(
          FUNCTION, Errno.EINVAL, own.length + " bytes of data, the limit is " + MAX_DATA);
    }
    this.data = ByteBuffer.wrap(own.clone());
    return this;
  }

  /**
   * Connects: offers a path, and takes the queue pair to RTS by what the peer answers.
   *
   * @param qp in RESET or INIT
   * @param offer a path that begins at this side's end port, as {@link Paths#from} gives it. Its
   *     MTU, READs and atomics are upper limits; its retries, RNR timer, partition and Q_Key are
   *     both sides'. It names its source, and needs no destination
   * @param access as of {@link QueuePair#establish}
   * @throws IOException if the channel breaks, the peer refuses, or sends something else
   * @throws VerbsException ENOENT if the port is not in the partition; if the queue pair does not
   *     take what was agreed upon
   */
  public Agreement connect(QueuePair qp, IbPath offer, int... access) throws IOException {
    return orRefuse(
        () -> {
          EndPort endPort = offer.endPort();
          IbPath filled = Paths.fillPath(qp, withPkeyOf(endPort, offer));
          PathMessage.offer(qp.qpType(), filled.reverse(false), data).write(out);
          PathMessage answer = PathMessage.read(in, PathMessage.Kind.ANSWER);
          checkType(qp, answer.qpType());
          IbPath agreed = answer.path().reverse(false).withEndPort(endPort);
          checkAnswer(filled, agreed);
          requireReach(filled.pkey(), agreed.pkey());
          return establish(qp, agreed.copy(b -> b.pkey(filled.pkey())), answer.data(), access);
        });
  }

  /**
   * Accepts what the peer's {@link #connect} offers, and takes the queue pair to RTS by it.
   *
   * @param qp in RESET or INIT
   * @param endPort where this side's end of the path is
   * @param access as of {@link QueuePair#establish}
   * @throws IOException if the channel breaks, the peer gives up, or sends something else
   * @throws VerbsException if the path cannot be resolved, or the queue pair does not take it
   */
  public Agreement accept(QueuePair qp, EndPort endPort, int... access) throws IOException {
    return orRefuse(
        () -> {
          PathMessage offer = PathMessage.read(in, PathMessage.Kind.OFFER);
          checkType(qp, offer.qpType());
          IbPath offered = offer.path();
          IbPath own = withPkeyOf(endPort, offered.withEndPort(endPort));
          requireReach(own.pkey(), offered.pkey());
          IbPath resolved = resolver.apply(Paths.fillPath(qp, own));
          requirePartition(own, resolved);
          IbPath agreed =
              resolved.copy(b -> b.pkey(own.pkey()).mtu(smaller(offered.mtu(), resolved.mtu())));
          PathMessage.answer(qp.qpType(), agreed, data).write(out);
          return establish(qp, agreed, offer.data(), access);
        });
  }

  private Agreement establish(QueuePair qp, IbPath path, ByteBuffer peerData, int... access)
      throws IOException {
    qp.establish(path.forwardPath(), access);
    PathMessage.ready(qp.qpType()).write(out);
    PathMessage.read(in, PathMessage.Kind.READY);
    return new Agreement(path, peerData);
  }

  /** The path with the P_Key that a queue pair of this port will have for the path's partition. */
  private static IbPath withPkeyOf(EndPort endPort, IbPath path) {
    int index = endPort.pkeyIndex(path.pkey() | Iba.PKEY_FULL_MEMBER);
    return path.copy(b -> b.pkey(endPort.pkeys().get(index)));
  }

  /** Packets between limited members are dropped, so neither side would learn why. */
  private static void requireReach(int own, int theirs) throws IOException {
    if (Iba.samePartition(own, theirs) && !Iba.pkeysMatch(own, theirs)) {
      throw new IOException(
          "P_Key 0x%04x here and 0x%04x there: limited members do not reach each other"
              .formatted(own, theirs));
    }
  }

  private static void requirePartition(IbPath asked, IbPath resolved) {
    if (!Iba.samePartition(asked.pkey(), resolved.pkey())) {
      throw new VerbsException(
          FUNCTION,
          Errno.EINVAL,
          "the resolver gave a path with P_Key 0x%04x for one with 0x%04x: ask for that P_Key"
              .formatted(resolved.pkey(), asked.pkey()));
    }
  }

  private static Mtu smaller(Mtu one, Mtu other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private interface Step {
    Agreement run() throws IOException;
  }

  /** Tells the peer why this side gives up, so that it need not wait. */
  private Agreement orRefuse(Step step) throws IOException {
    try {
      return step.run();
    } catch (PathMessage.RefusedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      try {
        PathMessage.refusal(Objects.requireNonNullElse(e.getMessage(), e.toString())).write(out);
      } catch (IOException broken) {
        e.addSuppressed(broken);
      }
      throw e;
    }
  }

  private static void checkType(QueuePair qp, QpType theirs) throws IOException {
    QpType fitting =
        switch (qp.qpType()) {
          case XRC_SEND -> QpType.XRC_RECV;
          case XRC_RECV -> QpType.XRC_SEND;
          default -> qp.qpType();
        };
    if (theirs != fitting) {
      throw new IOException(
          "the peer has a QP of type " + theirs + ", which does not fit " + qp.qpType());
    }
  }

  /** An honest peer lowers limits, and leaves alone what is this side's. */
  private static void checkAnswer(IbPath offered, IbPath agreed) throws IOException {
    boolean own =
        agreed.sgid().equals(offered.sgid())
            && agreed.sqpn() == offered.sqpn()
            && agreed.sqpsn() == offered.sqpsn()
            && Iba.samePartition(agreed.pkey(), offered.pkey())
            && agreed.qkey() == offered.qkey();
    boolean limits =
        agreed.mtu().compareTo(offered.mtu()) <= 0
            && agreed.srdatomic() <= offered.srdatomic()
            && agreed.drdatomic() <= offered.drdatomic();
    if (!own || !limits) {
      throw new IOException("the peer answered with " + agreed + ", which exceeds " + offered);
    }
  }
}
