package dev.verbena.tck.torture;

import dev.verbena.verbs.WrOpcode;

/** What is done in one slot of a batch; used again for the next batch. */
final class Operation {
  WrOpcode opcode = WrOpcode.SEND;
  int length;

  /** The number that its bytes say. */
  long message;

  /** Of an atomic: what is added, or swapped in. */
  long operand;

  /** Of a compare-and-swap: whether it finds what it looks for. */
  boolean matches;

  boolean isAtomic() {
    return opcode == WrOpcode.ATOMIC_FETCH_AND_ADD || opcode == WrOpcode.ATOMIC_CMP_AND_SWP;
  }

  boolean writes() {
    return opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }

  boolean sends() {
    return opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM;
  }

  boolean hasImm() {
    return opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }

  @Override
  public String toString() {
    return opcode + " of " + length + " bytes, message " + message;
  }
}
