package dev.verbena.soft.sim;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A request while it is being made up. */
final class Draft {
  final WrOpcode opcode;
  final long wrId;
  final List<Sge> pieces = new ArrayList<>();
  int flags;
  boolean inline;
  int length;
  long base;
  int remoteOffset;
  int rkey;
  byte[] data = {};
  int imm;
  long compareAdd;
  long swap;
  boolean readsConstant;
  int landing;
  WcStatus outcome = WcStatus.SUCCESS;

  Draft(WrOpcode opcode, long wrId) {
    this.opcode = opcode;
    this.wrId = wrId;
  }

  Planned plan() {
    return new Planned(
        opcode,
        wrId,
        (flags & SendFlags.SIGNALED) != 0,
        length,
        remoteOffset,
        data,
        imm,
        compareAdd,
        swap,
        readsConstant,
        landing,
        outcome);
  }

  SendWr toSendWr() {
    SendWr wr =
        new SendWr()
            .wrId(wrId)
            .opcode(opcode)
            .sendFlags(flags)
            .immData(imm)
            .remoteAddr(base + remoteOffset)
            .rkey(rkey)
            .compareAdd(compareAdd)
            .swap(swap);
    if (inline) {
      return wr.sendFlags(flags | SendFlags.INLINE).sgList(Sge.of(MemorySegment.ofArray(data)));
    }
    return wr.sgList(pieces.toArray(Sge[]::new));
  }

  void build(QueuePairEx qp) {
    qp.wrId(wrId).wrFlags(flags);
    long remote = base + remoteOffset;
    switch (opcode) {
      case SEND -> qp.wrSend();
      case SEND_WITH_IMM -> qp.wrSendImm(imm);
      case RDMA_WRITE -> qp.wrRdmaWrite(rkey, remote);
      case RDMA_WRITE_WITH_IMM -> qp.wrRdmaWriteImm(rkey, remote, imm);
      case RDMA_READ -> qp.wrRdmaRead(rkey, remote);
      case ATOMIC_CMP_AND_SWP -> qp.wrAtomicCmpSwp(rkey, remote, compareAdd, swap);
      case ATOMIC_FETCH_AND_ADD -> qp.wrAtomicFetchAdd(rkey, remote, compareAdd);
      default -> throw new IllegalStateException("no builder for " + opcode);
    }
    if (inline) {
      qp.wrSetInlineData(MemorySegment.ofArray(data));
    } else {
      qp.wrSetSgeList(pieces.toArray(Sge[]::new));
    }
  }
}
