package dev.verbena.verbs.path;

import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Determines the path along which a datagram came. A server replies along the way back:
 *
 * {@snippet :
 * IbPath reply = WcPath.of(endPort, wc, buffer, 0, path -> path.qkey(qkey)).reverse();
 * qp.postSend(pool.makeSendWr(index, length, reply));
 * }
 */
public final class WcPath {

  /**
   * The path of a datagram, for a whole receive; see {@link #of(EndPort, WorkCompletion,
   * MemorySegment, long, Consumer)}.
   */
  public static IbPath of(EndPort endPort, WorkCompletion wc, MemorySegment buf) {
    return of(endPort, wc, buf, 0, path -> {});
  }

  /**
   * The path of a datagram from its sender to this end port: from wc.src_qp to wc.qp_num, and, if
   * the completion has {@link WcFlags#GRH}, between the GIDs of its header (InfiniBand, IPv6 or
   * IPv4). Its rate is the port's. {@link IbPath#reverse()} is the way back. A reply cannot come
   * from a multicast group: if the datagram was sent to one, give the reply a source GID of this
   * end port.
   *
   * <p>Values that a completion does not contain must be added: the Q_Key, and the P_Key unless it
   * is the default. wc.pkey_index is not used, because it is valid only on queue pair 1: there, add
   * it with {@link IbPath.Builder#pkeyIndex}.
   *
   * @param endPort the end port that received it
   * @param wc the completion of the receive
   * @param buf the memory of the receive, whose first 40 bytes are reserved for the header; ignored
   *     without the flag
   * @param offset of the receive in {@code buf}
   * @param more sets further values
   * @throws VerbsException EINVAL if the completion has the flag and there are fewer than 40 bytes
   *     after the offset; EPROTONOSUPPORT if they hold no header
   */
  public static IbPath of(
      EndPort endPort,
      WorkCompletion wc,
      MemorySegment buf,
      long offset,
      Consumer<IbPath.Builder> more) {
    IbPath.Builder path =
        IbPath.builder(endPort)
            .sqpn(wc.srcQp())
            .dqpn(wc.qpNum())
            .slid(wc.slid())
            .dlidBits(wc.dlidPathBits() & ((1 << endPort.lmc()) - 1))
            .sl(wc.sl())
            .rate(endPort.rate());
    if ((wc.wcFlags() & WcFlags.GRH) != 0) {
      addRoute(path, Grh.of(header(buf, offset)));
    }
    more.accept(path);
    return path.build();
  }

  private static void addRoute(IbPath.Builder path, Grh grh) {
    path.hasGrh(true)
        .sgid(grh.sgid())
        .dgid(grh.dgid())
        .hopLimit(grh.hopLimit())
        .trafficClass(grh.trafficClass())
        .flowLabel(grh.flowLabel());
  }

  private static MemorySegment header(MemorySegment buf, long offset) {
    if (offset < 0 || offset > buf.byteSize() - Grh.LENGTH) {
      throw new VerbsException(
          "wcPath",
          Errno.EINVAL,
          "offset "
              + offset
              + " of "
              + buf.byteSize()
              + " bytes: a completion with the flag GRH has "
              + Grh.LENGTH
              + " bytes of header there");
    }
    return buf.asSlice(offset, Grh.LENGTH);
  }

  private WcPath() {}
}
