package dev.verbena.dropin;

import dev.verbena.dropin.object.QpBinding;
import dev.verbena.dropin.struct.SgList;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvSendWr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SendWrField;
import dev.verbena.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** Reads and posts lists of struct ibv_send_wr. */
final class SendList extends WrList<SendWr, QpBinding> {
  private static final @Nullable WrOpcode[] OPCODES = opcodes();

  SendList() {
    super(IbvSendWr.NEXT);
  }

  @Override
  SendWr make() {
    return new SendWr();
  }

  @Override
  void link(SendWr wr, @Nullable SendWr next) {
    wr.next(next);
  }

  @Override
  void post(QpBinding target, @Nullable SendWr first) {
    target.queue().postSend(first);
  }

  @Override
  void fill(SendWr wr, long in, QpBinding target) {
    int number = Host.getInt(in + IbvSendWr.OPCODE);
    WrOpcode opcode = number >= 0 && number < OPCODES.length ? OPCODES[number] : null;
    int flags = Host.getInt(in + IbvSendWr.SEND_FLAGS);
    int elements = Host.getInt(in + IbvSendWr.NUM_SGE);
    int shared = Host.getInt(in + IbvSendWr.IMM_DATA);
    wr.wrId(Host.getLong(in + IbvSendWr.WR_ID))
        .opcode(opcode)
        .sendFlags(flags)
        .immData(Integer.reverseBytes(shared))
        .invalidateRkey(shared)
        .remoteSrqn(Host.getInt(in + IbvSendWr.QP_TYPE_XRC_REMOTE_SRQN));
    boolean inline = (flags & SendFlags.INLINE) != 0;
    long list = Host.getLong(in + IbvSendWr.SG_LIST);
    wr.sgList(SgList.read(wr.sgList(), list, elements, target.maxSendSge(), inline))
        .numSge(elements);
    if (opcode != null) {
      fillUnion(wr, opcode, in, target.type());
    }
  }

  /** Reads the fields in unions, of which only those of the request's operation are valid. */
  private static void fillUnion(SendWr wr, WrOpcode opcode, long in, QpType type) {
    if (opcode.uses(SendWrField.COMPARE_ADD)) {
      wr.remoteAddr(Host.getLong(in + IbvSendWr.WR_ATOMIC_REMOTE_ADDR))
          .rkey(Host.getInt(in + IbvSendWr.WR_ATOMIC_RKEY))
          .compareAdd(Host.getLong(in + IbvSendWr.WR_ATOMIC_COMPARE_ADD))
          .swap(Host.getLong(in + IbvSendWr.WR_ATOMIC_SWAP));
    } else if (opcode.uses(SendWrField.REMOTE)) {
      wr.remoteAddr(Host.getLong(in + IbvSendWr.WR_RDMA_REMOTE_ADDR))
          .rkey(Host.getInt(in + IbvSendWr.WR_RDMA_RKEY));
    }
    if (opcode.uses(SendWrField.BIND_MW)) {
      long mw = Host.getLong(in + IbvSendWr.BIND_MW_MW);
      wr.mw(mw == 0 ? null : MemoryCalls.mw(mw))
          .bindRkey(Host.getInt(in + IbvSendWr.BIND_MW_RKEY))
          .bindInfo(MemoryCalls.bindInfo(in + IbvSendWr.BIND_MW_BIND_INFO));
    }
    if (opcode.uses(SendWrField.TSO)) {
      wr.tsoHdr(
              HostNative.segment(
                  Host.getLong(in + IbvSendWr.TSO_HDR), Host.getShort(in + IbvSendWr.TSO_HDR_SZ)))
          .mss(Host.getShort(in + IbvSendWr.TSO_MSS));
    }
    if (type == QpType.UD) {
      wr.ah(DomainCalls.ah(Host.getLong(in + IbvSendWr.WR_UD_AH)))
          .remoteQpn(Host.getInt(in + IbvSendWr.WR_UD_REMOTE_QPN))
          .remoteQkey(Host.getInt(in + IbvSendWr.WR_UD_REMOTE_QKEY));
    }
  }

  private static @Nullable WrOpcode[] opcodes() {
    int last = 0;
    for (WrOpcode opcode : WrOpcode.values()) {
      last = Math.max(last, opcode.number());
    }
    @Nullable WrOpcode[] byNumber = new WrOpcode[last + 1];
    for (WrOpcode opcode : WrOpcode.values()) {
      byNumber[opcode.number()] = opcode;
    }
    return byNumber;
  }
}
