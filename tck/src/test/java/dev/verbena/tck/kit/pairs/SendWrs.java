package dev.verbena.tck.kit.pairs;

import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WrOpcode;

/** Signaled send work requests for postSend. */
public final class SendWrs {

  /** SEND. */
  public static SendWr send(long wrId, Sge... list) {
    return of(wrId, WrOpcode.SEND, list);
  }

  /** SEND with immediate data. */
  public static SendWr sendImm(long wrId, int imm, Sge... list) {
    return of(wrId, WrOpcode.SEND_WITH_IMM, list).immData(imm);
  }

  /** RDMA WRITE to an offset in the peer's memory. */
  public static SendWr write(long wrId, QpEnd target, long offset, Sge... list) {
    return to(of(wrId, WrOpcode.RDMA_WRITE, list), target, offset);
  }

  /** RDMA WRITE with immediate data to an offset in the peer's memory. */
  public static SendWr writeImm(long wrId, int imm, QpEnd target, long offset, Sge... list) {
    return to(of(wrId, WrOpcode.RDMA_WRITE_WITH_IMM, list), target, offset).immData(imm);
  }

  /** RDMA READ from an offset in the peer's memory. */
  public static SendWr read(long wrId, QpEnd target, long offset, Sge... list) {
    return to(of(wrId, WrOpcode.RDMA_READ, list), target, offset);
  }

  /** Compare and swap at an offset in the peer's memory; the old value goes to {@code landing}. */
  public static SendWr compareSwap(
      long wrId, QpEnd target, long offset, long compare, long swap, Sge landing) {
    return to(of(wrId, WrOpcode.ATOMIC_CMP_AND_SWP, landing), target, offset)
        .compareAdd(compare)
        .swap(swap);
  }

  /** Fetch and add at an offset in the peer's memory; the old value goes to {@code landing}. */
  public static SendWr fetchAdd(long wrId, QpEnd target, long offset, long add, Sge landing) {
    return to(of(wrId, WrOpcode.ATOMIC_FETCH_AND_ADD, landing), target, offset).compareAdd(add);
  }

  /** Makes a list of these in this order, and returns its head. */
  public static SendWr list(SendWr... wrs) {
    for (int i = 0; i + 1 < wrs.length; i++) {
      wrs[i].next(wrs[i + 1]);
    }
    return wrs[0];
  }

  private static SendWr of(long wrId, WrOpcode opcode, Sge... list) {
    return new SendWr().wrId(wrId).opcode(opcode).sendFlags(SendFlags.SIGNALED).sgList(list);
  }

  private static SendWr to(SendWr wr, QpEnd target, long offset) {
    return wr.rkey(target.rkey()).remoteAddr(target.addr(offset));
  }

  private SendWrs() {}
}
