package dev.verbena.tck.torture;

import dev.verbena.verbs.WrOpcode;

/** The operation in one slot of a batch; reused for the next batch. */
final class Operation {
  WrOpcode opcode = WrOpcode.SEND;
  int length;

  /** The message number in its bytes. */
  long message;

  /** For an atomic: the value to add or to swap in. */
  long operand;

  /** For a compare-and-swap: whether the comparison succeeds. */
  boolean matches;

  boolean isAtomic() {
    return opcode == WrOpcode.ATOMIC_FETCH_AND_ADD || opcode == WrOpcode.ATOMIC_CMP_AND_SWP;
  }

  boolean writes() {
    return opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }

  boolean sends() {
    return opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM || invalidates();
  }

  boolean invalidates() {
    return opcode == WrOpcode.SEND_WITH_INV;
  }

  /** Whether it needs a key, which an operation without data does not. */
  boolean usesKey() {
    return !sends() && length > 0;
  }

  boolean hasImm() {
    return opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }

  @Override
  public String toString() {
    return opcode + " of " + length + " bytes, message " + message;
  }
}
