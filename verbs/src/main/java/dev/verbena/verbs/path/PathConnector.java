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
 * Connects two queue pairs without a connection manager: the two sides agree on a path over a byte
 * channel that they already have, such as a TCP connection, and go to RTS.
 *
 * <pre>{@code
 * // one side                                        // the other one
 * IbPath offer = Paths.from(endPort);
 * new PathConnector(socket)                          new PathConnector(socket)
 *     .connect(qp, offer, Access.REMOTE_WRITE);          .accept(qp, endPort, Access.REMOTE_WRITE);
 * }</pre>
 *
 * <p>This works for queue pairs of every type but RAW_PACKET: RC with RC, UC with UC, UD with UD
 * and XRC_SEND with XRC_RECV. The connecting side offers a path with its queue pair number, the
 * start PSNs of both sides, the READs and atomics that it can have outstanding and execute, its ACK
 * delay, the largest MTU, retries, P_Key and Q_Key. The accepting side lowers values beyond its
 * limits, {@linkplain #resolver resolves} the path, and returns it. Each side uses the P_Key that
 * its port has for the partition, as full member if possible; two limited members cannot reach each
 * other, and are refused. Each side takes its queue pair to RTS and then tells the other, so when
 * both methods have returned, both may send. To post receives before the peer can send, go to INIT
 * first ({@link QueuePair#modifyToInit}); {@link QueuePair#establish}, which is used here,
 * continues from there.
 *
 * <p>The peer is not trusted: the offer must fit the queue pair, and the answer must fit the offer.
 * At most {@value PathMessage#MAX_LENGTH} bytes from the peer are buffered. The channel determines
 * how long to wait for the peer: closing it, or interrupting the thread if the channel is
 * interruptible, ends the wait. The channel stays open, and nothing after the last message is read.
 *
 * <p>If one side fails for any reason, it tells the other one if it can. The queue pair is then in
 * some state on the way to RTS; close or reset it. Close the channel too, because the two sides may
 * be out of step: a message from one side, such as the refusal, may still be in the channel when
 * the other side has given up, and would be mistaken for the start of the next attempt.
 *
 * <p>An object connects one pair of queue pairs at a time; several may follow one another over one
 * channel.
 */
public final class PathConnector {
  /** Maximum length of {@link #data} in bytes. */
  public static final int MAX_DATA = PathMessage.MAX_DATA;

  private static final String FUNCTION = "connectPath";

  private final ReadableByteChannel in;
  private final WritableByteChannel out;
  private UnaryOperator<IbPath> resolver = Paths::resolveLocally;
  private ByteBuffer data = ByteBuffer.allocate(0);

  /**
   * The result.
   *
   * @param path the path to the peer, as this side sees it. The queue pair sends along its {@link
   *     IbPath#forwardPath}; on UD, make an address handle from that path
   * @param data the bytes that the peer passed to {@link PathConnector#data}, read-only
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
   * Sets how the accepting side completes a path that has only its two ends. The default, {@link
   * Paths#resolveLocally}, is for Ethernet. On InfiniBand, ask the subnet administrator for a path
   * in the partition of the given one.
   */
  public PathConnector resolver(UnaryOperator<IbPath> how) {
    this.resolver = how;
    return this;
  }

  /**
   * Sets bytes for the peer's application, such as the address and key of a region.
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
   * Connects: offers a path, and takes the queue pair to RTS with the peer's answer.
   *
   * @param qp in RESET or INIT
   * @param offer a path that begins at this side's end port, as {@link Paths#from} returns it. Its
   *     MTU, READs and atomics are upper limits; its retries, RNR timer, partition and Q_Key apply
   *     to both sides. It names its source, and needs no destination
   * @param access as for {@link QueuePair#establish}
   * @throws IOException if the channel breaks, the peer refuses, or sends anything else
   * @throws VerbsException ENOENT if the port is not in the partition; if the queue pair rejects
   *     the agreed values
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
   * Accepts the offer of the peer's {@link #connect}, and takes the queue pair to RTS with it.
   *
   * @param qp in RESET or INIT
   * @param endPort this side's end of the path
   * @param access as for {@link QueuePair#establish}
   * @throws IOException if the channel breaks, the peer gives up, or sends anything else
   * @throws VerbsException if the path cannot be resolved, or the queue pair rejects it
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

  /**
   * Refuses two limited members: packets between them are dropped, and neither side would learn
   * why.
   */
  private static void requireReach(int own, int theirs) throws IOException {
    if (Iba.samePartition(own, theirs) && !Iba.pkeysMatch(own, theirs)) {
      throw new IOException(
          "P_Key 0x%04x here and 0x%04x there: limited members cannot reach each other"
              .formatted(own, theirs));
    }
  }

  private static void requirePartition(IbPath asked, IbPath resolved) {
    if (!Iba.samePartition(asked.pkey(), resolved.pkey())) {
      throw new VerbsException(
          FUNCTION,
          Errno.EINVAL,
          "the resolver returned a path with P_Key 0x%04x for one with 0x%04x: ask for that P_Key"
              .formatted(resolved.pkey(), asked.pkey()));
    }
  }

  private static Mtu smaller(Mtu one, Mtu other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private interface Step {
    Agreement run() throws IOException;
  }

  /** Tells the peer why this side gives up, so that the peer need not wait. */
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
    if (!qp.qpType().fits(theirs)) {
      throw new IOException(
          "the peer has a QP of type " + theirs + ", which does not fit " + qp.qpType());
    }
  }

  /** An honest peer lowers limits, and leaves this side's values unchanged. */
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
