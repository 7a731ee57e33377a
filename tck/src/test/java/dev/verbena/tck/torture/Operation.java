package dev.verbena.tck.torture;

import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.WrOpcode;

/** The operation in one slot of a batch; reused for the next batch. */
final class Operation {
  WrOpcode opcode = WrOpcode.SEND;
  int length;

  /** The message number in its bytes. */
  long message;

  /** For an atomic: the value to add, to swap in, or to write. */
  long operand;

  /** For a compare-and-swap: whether the comparison succeeds. */
  boolean matches;

  /** For a FLUSH: what it is to do, and for which memory. */
  int flushType;

  FlushLevel flushLevel = FlushLevel.RANGE;

  /** Whether only the completion of a later operation of the batch says that it is done. */
  boolean silent;

  /** Whether it changes the word of the atomics. */
  boolean isAtomic() {
    return fetches() || opcode == WrOpcode.ATOMIC_WRITE;
  }

  /** Whether its result is the word before. */
  boolean fetches() {
    return opcode == WrOpcode.ATOMIC_FETCH_AND_ADD || opcode == WrOpcode.ATOMIC_CMP_AND_SWP;
  }

  boolean flushes() {
    return opcode == WrOpcode.FLUSH;
  }

  /** Whether it is answered by itself, so that the answer to a later one does not do. */
  boolean isAnswered() {
    return opcode == WrOpcode.RDMA_READ || isAtomic() || flushes();
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
    return flushes() || (!sends() && length > 0);
  }

  boolean hasImm() {
    return opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }

  @Override
  public String toString() {
    return opcode + " of " + length + " bytes, message " + message;
  }
}
