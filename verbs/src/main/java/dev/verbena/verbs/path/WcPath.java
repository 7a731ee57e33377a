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
 * The paths along which datagrams came. A server answers on the way back:
 *
 * {@snippet :
 * IbPath reply = WcPath.of(endPort, wc, buffer, 0, path -> path.qkey(qkey)).reverse();
 * qp.postSend(pool.makeSendWr(index, length, reply));
 * }
 */
public final class WcPath {

  /** As {@link #of(EndPort, WorkCompletion, MemorySegment, long, Consumer)} for a whole receive. */
  public static IbPath of(EndPort endPort, WorkCompletion wc, MemorySegment buf) {
    return of(endPort, wc, buf, 0, path -> {});
  }

  /**
   * The path of a datagram from its sender to this end port: from wc.src_qp to wc.qp_num, and if
   * the completion has {@link WcFlags#GRH}, between the GIDs of its header, whatever that is, IB's,
   * IPv6's or IPv4's. Its rate is the port's. {@link IbPath#reverse()} is the way back. What was
   * sent to a multicast group cannot be answered from there: give such a reply a source GID of this
   * end port.
   *
   * <p>What a completion does not say has to be added: the Q_Key; the P_Key, if it is not the
   * default one. wc.pkey_index is not used, for it means something on queue pair 1 only: there, add
   * it with {@link IbPath.Builder#pkeyIndex}.
   *
   * @param endPort where it was received
   * @param wc the completion of the receive
   * @param buf the receive's memory, whose first 40 bytes are set aside for the header; not looked
   *     at without the flag
   * @param offset of the receive in {@code buf}
   * @param more what to set besides
   * @throws VerbsException EINVAL if the completion has the flag, and there are fewer than 40 bytes
   *     behind the offset; EPROTONOSUPPORT if they hold no header
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
