package dev.verbena.dropin;

import dev.verbena.rdmacore.layout.IbvSendWr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads lists of sends from the program's memory, for one thread, into objects that are used again
 * and again. What is wrong with a request is left to the device, which posts those before it.
 */
final class SendList {
  private static final @Nullable WrOpcode[] OPCODES = opcodes();

  /** What is kept for requests has a limit; the list has none, it may even be a ring. */
  private static final int MOST = 256;

  private final List<SendWr> requests = new ArrayList<>();
  private long rest;

  /**
   * Reads a list, or its beginning.
   *
   * @param first address of the first struct ibv_send_wr, or 0
   */
  @Nullable SendWr read(long first, QpType type) {
    int count = 0;
    long in = first;
    for (; in != 0 && count < MOST; in = Host.getLong(in + IbvSendWr.NEXT)) {
      SendWr wr = request(count);
      fill(wr, in, type);
      wr.next(null);
      if (count > 0) {
        requests.get(count - 1).next(wr);
      }
      count++;
    }
    rest = in;
    return count == 0 ? null : requests.getFirst();
  }

  /** Address of the first struct that was not read yet, or 0. */
  long rest() {
    return rest;
  }

  /** Address of the struct that a request of the list last read came from. */
  long address(long first, @Nullable SendWr wanted) {
    long in = first;
    for (SendWr wr : requests) {
      if (wr == wanted) {
        return in;
      }
      in = Host.getLong(in + IbvSendWr.NEXT);
    }
    return first;
  }

  private SendWr request(int index) {
    if (index == requests.size()) {
      requests.add(new SendWr());
    }
    return requests.get(index);
  }

  private static void fill(SendWr wr, long in, QpType type) {
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
    wr.sgList(SgList.read(wr.sgList(), Host.getLong(in + IbvSendWr.SG_LIST), elements, inline));
    wr.numSge(elements);
    if (opcode != null) {
      fillUnion(wr, opcode, in, type);
    }
  }

  /** What a request says beyond that lies in unions: only what belongs to it means anything. */
  private static void fillUnion(SendWr wr, WrOpcode opcode, long in, QpType type) {
    switch (opcode) {
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM, RDMA_READ, ATOMIC_WRITE ->
          wr.remoteAddr(Host.getLong(in + IbvSendWr.WR_RDMA_REMOTE_ADDR))
              .rkey(Host.getInt(in + IbvSendWr.WR_RDMA_RKEY));
      case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD ->
          wr.remoteAddr(Host.getLong(in + IbvSendWr.WR_ATOMIC_REMOTE_ADDR))
              .rkey(Host.getInt(in + IbvSendWr.WR_ATOMIC_RKEY))
              .compareAdd(Host.getLong(in + IbvSendWr.WR_ATOMIC_COMPARE_ADD))
              .swap(Host.getLong(in + IbvSendWr.WR_ATOMIC_SWAP));
      case BIND_MW -> {
        long mw = Host.getLong(in + IbvSendWr.BIND_MW_MW);
        wr.mw(mw == 0 ? null : MemoryCalls.mw(mw))
            .bindRkey(Host.getInt(in + IbvSendWr.BIND_MW_RKEY))
            .bindInfo(MemoryCalls.bindInfo(in + IbvSendWr.BIND_MW_BIND_INFO));
      }
      case TSO ->
          wr.tsoHdr(
                  HostNative.segment(
                      Host.getLong(in + IbvSendWr.TSO_HDR),
                      Host.getShort(in + IbvSendWr.TSO_HDR_SZ)))
              .mss(Host.getShort(in + IbvSendWr.TSO_MSS));
      default -> {
        // The others say no more than where they go.
      }
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
