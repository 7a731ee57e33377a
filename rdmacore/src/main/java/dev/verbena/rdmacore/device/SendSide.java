package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvSendWr;
import dev.verbena.rdmacore.layout.IbvSge;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SendWrField;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Posts send requests of a queue pair. */
final class SendSide extends PostSide<SendWr> {
  private final Handle pd;
  private final QpType type;
  private final int maxInline;
  private final Regions regions;

  /**
   * @param pd of the domain whose address handles may be named
   * @param regions whose memory may be inline data
   * @param type of the queue pair
   */
  SendSide(Target target, Handle pd, Regions regions, QpType type) {
    super(target, IbvSendWr.LAYOUT.size(), IbvSendWr.NEXT);
    this.pd = pd;
    this.type = type;
    this.maxInline = target.inlineBytes();
    this.regions = regions;
  }

  @Override
  @Nullable SendWr after(SendWr request) {
    return request.next();
  }

  @Override
  @Nullable String write(SendWr wr, long out) {
    WrOpcode opcode = wr.opcode();
    if (opcode == null) {
      return "the work request has no opcode";
    }
    if (opcode.uses(SendWrField.BIND_MW)
        || opcode.uses(SendWrField.TSO)
        || opcode.uses(SendWrField.FLUSH)) {
      return opcode + " is not posted to devices of libibverbs in this release";
    }
    String refusal = refuseElements(wr.sgList(), wr.numSge());
    if (refusal != null) {
      return refusal;
    }
    int shared =
        opcode.uses(SendWrField.IMM_DATA)
            ? Integer.reverseBytes(wr.immData())
            : wr.invalidateRkey();
    Host.setLong(out + IbvSendWr.WR_ID, wr.wrId());
    Host.setLong(out + IbvSendWr.SG_LIST, elements(out));
    Host.setInt(out + IbvSendWr.NUM_SGE, wr.numSge());
    Host.setInt(out + IbvSendWr.OPCODE, opcode.number());
    Host.setInt(out + IbvSendWr.SEND_FLAGS, wr.sendFlags());
    Host.setInt(out + IbvSendWr.IMM_DATA, shared);
    Host.setInt(out + IbvSendWr.QP_TYPE_XRC_REMOTE_SRQN, wr.remoteSrqn());
    refusal = writeDestination(wr, opcode, out);
    if (refusal != null) {
      return refusal;
    }
    return (wr.sendFlags() & SendFlags.INLINE) != 0
        ? writeInline(wr, out)
        : writeElements(wr.sgList(), wr.numSge(), out);
  }

  /** Writes the fields in unions, of which only those of the request's operation are valid. */
  private @Nullable String writeDestination(SendWr wr, WrOpcode opcode, long out) {
    if (type == QpType.UD) {
      return writeAddress(wr, out);
    }
    if (opcode.uses(SendWrField.COMPARE_ADD)) {
      Host.setLong(out + IbvSendWr.WR_ATOMIC_REMOTE_ADDR, wr.remoteAddr());
      Host.setLong(out + IbvSendWr.WR_ATOMIC_COMPARE_ADD, wr.compareAdd());
      Host.setLong(out + IbvSendWr.WR_ATOMIC_SWAP, wr.swap());
      Host.setInt(out + IbvSendWr.WR_ATOMIC_RKEY, wr.rkey());
    } else {
      Host.setLong(out + IbvSendWr.WR_RDMA_REMOTE_ADDR, wr.remoteAddr());
      Host.setInt(out + IbvSendWr.WR_RDMA_RKEY, wr.rkey());
    }
    return null;
  }

  private @Nullable String writeAddress(SendWr wr, long out) {
    if (!(wr.ah() instanceof NativeAddressHandle ah)) {
      return "a request on a UD queue pair needs an address handle of its context, not " + wr.ah();
    }
    if (!ah.isOf(pd)) {
      return ah + " does not belong to this queue pair's protection domain";
    }
    // Whoever closes it passes this side before its struct ends.
    if (ah.isClosed()) {
      return ah + " is closed";
    }
    Host.setLong(out + IbvSendWr.WR_UD_AH, ah.address());
    Host.setInt(out + IbvSendWr.WR_UD_REMOTE_QPN, wr.remoteQpn());
    Host.setInt(out + IbvSendWr.WR_UD_REMOTE_QKEY, wr.remoteQkey());
    return null;
  }

  /** Copies inline data, which C would read from the addresses of its elements. */
  private @Nullable String writeInline(SendWr wr, long out) {
    long total = 0;
    for (int i = 0; i < wr.numSge(); i++) {
      total += wr.sgList()[i].length();
    }
    if (total > maxInline) {
      return total + " bytes of inline data, this QP has max_inline_data=" + maxInline;
    }
    long at = inlineOffset(out);
    for (int i = 0; i < wr.numSge(); i++) {
      Sge sge = wr.sgList()[i];
      String refusal = copyInline(sge, at);
      if (refusal != null) {
        return refusal;
      }
      long element = elements(out) + i * IbvSge.LAYOUT.size();
      writeElement(element, memory().address() + at, sge.length(), 0);
      at += sge.length();
    }
    return null;
  }

  private @Nullable String copyInline(Sge sge, long at) {
    if (sge.length() == 0) {
      return null;
    }
    try {
      MemorySegment segment = sge.segment();
      if (segment != null) {
        if (sge.length() > segment.byteSize() - sge.segmentOffset()) {
          return "inline data beyond the end of its segment: " + sge;
        }
        MemorySegment.copy(segment, sge.segmentOffset(), memory(), at, sge.length());
        return null;
      }
      RegisteredMemory registered = regions.find(sge.lkey());
      if (registered == null || !registered.covers(sge.addr(), sge.length())) {
        return "inline data at a bare address that the lkey does not cover ("
            + sge
            + "): use Sge.of(segment)";
      }
      registered.copy(sge.addr(), sge.length(), memory(), at);
      return null;
    } catch (IllegalStateException | InternalError e) {
      return "the memory of the inline data is gone: closed, or a file cut short";
    } catch (WrongThreadException e) {
      return "the inline data belongs to another thread's confined arena";
    }
  }
}
