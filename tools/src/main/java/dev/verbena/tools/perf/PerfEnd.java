package dev.verbena.tools.perf;

import dev.verbena.tools.kit.LocalPort;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects of an end besides the device: one region with an area to send from and one for the
 * peer for each lane, one completion queue, and the lanes.
 */
final class PerfEnd {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int PAGE = 4096;

  private final ProtectionDomain pd;
  private final MemoryRegion region;
  private final @Nullable CompletionChannel channel;
  private final CompletionQueue cq;
  private final @Nullable SharedReceiveQueue srq;
  private final List<Lane> lanes = new ArrayList<>();
  private final long area;
  private final int inline;

  /**
   * The number and sizes of these objects.
   *
   * @param lanes queue pairs
   * @param sends entries of a send queue
   * @param receives entries of a receive queue; 0 if there is nothing to receive
   * @param bytes size of the largest message, or of the memory that the peer walks over if that is
   *     more
   */
  record Sizes(int lanes, int sends, int receives, long bytes) {}

  /** Creates all objects, with queue pairs in INIT. */
  PerfEnd(Context context, LocalPort port, Verb verb, EndOptions options, Sizes sizes) {
    QpType service = options.service();
    pd = context.allocPd();
    area = Math.ceilDiv(sizes.bytes() + Grh.LENGTH, PAGE) * PAGE;
    int access = Access.LOCAL_WRITE | verb.remoteAccess();
    region = pd.allocMr(2 * area * sizes.lanes(), access);
    channel = options.events() ? context.createCompChannel() : null;
    int entries = sizes.lanes() * (sizes.sends() + sizes.receives());
    cq = context.createCq(entries, null, channel, 0);
    boolean shared = options.sharesReceives();
    srq = shared ? pd.createSrq(SrqInitAttr.basic(sizes.lanes() * sizes.receives(), 1)) : null;
    int outReads = verb.fetches() ? options.outReads(context.queryDevice().maxQpRdAtom()) : 1;
    Gid gid = port.gid();
    for (int i = 0; i < sizes.lanes(); i++) {
      QueuePair qp =
          pd.createQp(
              new QpInitAttr(service)
                  .sendCq(cq)
                  .recvCq(cq)
                  .srq(srq)
                  .maxSendWr(sizes.sends())
                  .maxRecvWr(shared ? 0 : sizes.receives())
                  .maxSendSge(1)
                  .maxRecvSge(1)
                  .maxInlineData(options.inline()));
      Lane.init(qp, port, verb.remoteAccess());
      PerfKey key =
          new PerfKey(
              port.lid(),
              outReads,
              qp.qpNum(),
              RANDOM.nextInt(1 << 24),
              region.rkey(),
              region.addr() + area * (sizes.lanes() + i),
              gid);
      lanes.add(new Lane(qp, key, region.addr() + area * i));
    }
    inline = options.inline();
  }

  ProtectionDomain pd() {
    return pd;
  }

  CompletionQueue cq() {
    return cq;
  }

  List<Lane> lanes() {
    return lanes;
  }

  /** The number of bytes of an area that a receive may fill. */
  long area() {
    return area;
  }

  int lkey() {
    return region.lkey();
  }

  /** The maximum number of bytes sent inline. */
  int inline() {
    return inline;
  }

  /** The receive queue shared by all lanes; null if each has its own. */
  @Nullable SharedReceiveQueue srq() {
    return srq;
  }

  /** The memory at an address of the region. */
  MemorySegment memory(long address, long bytes) {
    return region.memory().asSlice(address - region.addr(), bytes);
  }

  /** Destroys everything in order; each step reports objects that are still in use. */
  void release() {
    lanes.forEach(Lane::destroy);
    if (srq != null) {
      srq.destroy();
    }
    cq.destroy();
    region.dereg();
    pd.dealloc();
    if (channel != null) {
      channel.destroy();
    }
  }
}
