package dev.verbena.dropin;

import dev.verbena.dropin.object.CqBinding;
import dev.verbena.dropin.object.HandleKind;
import dev.verbena.dropin.object.Handles;
import dev.verbena.dropin.object.SrqBinding;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvSrq;
import dev.verbena.rdmacore.layout.IbvSrqAttr;
import dev.verbena.rdmacore.layout.IbvSrqInitAttrEx;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttr;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.SrqType;
import org.jspecify.annotations.Nullable;

/** Calls about shared receive queues. */
final class SrqCalls {
  /** Bit of comp_mask: the type is given. */
  private static final int MASK_TYPE = 1;

  static long createSrq(
      long pd, long attr, long xrcdHandle, long cqHandle, long struct, long srqNum) {
    int mask = Host.getInt(attr + IbvSrqInitAttrEx.COMP_MASK);
    SrqType type =
        (mask & MASK_TYPE) != 0
            ? SrqType.of(Host.getInt(attr + IbvSrqInitAttrEx.SRQ_TYPE))
            : SrqType.BASIC;
    CqBinding cq = Handles.getIfGiven(cqHandle, HandleKind.CQ);
    @Nullable CompletionQueue queue = cq == null ? null : cq.queue();
    SrqBinding binding = new SrqBinding(struct);
    SharedReceiveQueue srq =
        DomainCalls.pd(pd)
            .createSrq(
                new SrqInitAttr()
                    .srqType(type)
                    .srqContext(binding)
                    .attr(attr(attr + IbvSrqInitAttrEx.ATTR))
                    .xrcd(Handles.getIfGiven(xrcdHandle, HandleKind.XRCD))
                    .cq(queue));
    SrqAttr sizes = srq.query();
    binding.bind(srq, sizes.maxSge());
    setSizes(attr + IbvSrqInitAttrEx.ATTR, sizes);
    if (type == SrqType.XRC) {
      Host.setInt(srqNum, srq.srqNum());
    }
    Host.setInt(struct + IbvSrq.HANDLE, (int) Handles.add(srq.context(), binding));
    return 0;
  }

  static long destroySrq(long handle) {
    SrqBinding.get(handle).queue().destroy();
    Handles.remove(handle);
    return 0;
  }

  static long modifySrq(long handle, long attr, long mask) {
    SrqBinding.get(handle).queue().modify(attr(attr), (int) mask);
    return 0;
  }

  static long querySrq(long handle, long out) {
    SrqAttr attr = SrqBinding.get(handle).queue().query();
    setSizes(out, attr);
    Host.setInt(out + IbvSrqAttr.SRQ_LIMIT, attr.srqLimit());
    return 0;
  }

  private static SrqAttr attr(long address) {
    return new SrqAttr(
        Host.getInt(address + IbvSrqAttr.MAX_WR),
        Host.getInt(address + IbvSrqAttr.MAX_SGE),
        Host.getInt(address + IbvSrqAttr.SRQ_LIMIT));
  }

  /** Returns the sizes granted; creation does not change the limit. */
  private static void setSizes(long address, SrqAttr attr) {
    Host.setInt(address + IbvSrqAttr.MAX_WR, attr.maxWr());
    Host.setInt(address + IbvSrqAttr.MAX_SGE, attr.maxSge());
  }

  private SrqCalls() {}
}
