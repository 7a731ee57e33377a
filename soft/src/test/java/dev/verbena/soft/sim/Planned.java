package dev.verbena.soft.sim;

import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** A send request of a run, with all that the model must know to judge what comes of it. */
final class Planned {
  final WrOpcode opcode;
  final long wrId;
  final boolean signaled;
  final int length;

  /** Offset in the target, or in the constant data for a READ of that. */
  final int remoteOffset;

  /** What is sent or written. */
  final byte[] data;

  final int imm;
  final long compareAdd;
  final long swap;
  final boolean readsConstant;

  /** Where the result of a READ or atomic lands. */
  final int landing;

  /** The status that it must end with. */
  final WcStatus outcome;

  /** What a READ or atomic must have found; known once all before it are done. */
  byte @Nullable [] found;

  Planned(
      WrOpcode opcode,
      long wrId,
      boolean signaled,
      int length,
      int remoteOffset,
      byte[] data,
      int imm,
      long compareAdd,
      long swap,
      boolean readsConstant,
      int landing,
      WcStatus outcome) {
    this.opcode = opcode;
    this.wrId = wrId;
    this.signaled = signaled;
    this.length = length;
    this.remoteOffset = remoteOffset;
    this.data = data;
    this.imm = imm;
    this.compareAdd = compareAdd;
    this.swap = swap;
    this.readsConstant = readsConstant;
    this.landing = landing;
    this.outcome = outcome;
  }

  /** Whether it takes a receive of the peer. */
  boolean consumesReceive() {
    return switch (opcode) {
      case SEND, SEND_WITH_IMM, RDMA_WRITE_WITH_IMM -> true;
      default -> false;
    };
  }

  boolean hasImm() {
    return opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }

  boolean isSend() {
    return opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM;
  }

  /** What it does to the peer's memory when it succeeds. */
  void applyTo(Shadow target) {
    if (outcome != WcStatus.SUCCESS) {
      return;
    }
    switch (opcode) {
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> target.write(remoteOffset, data);
      case ATOMIC_CMP_AND_SWP -> {
        if (target.word(remoteOffset) == compareAdd) {
          target.word(remoteOffset, swap);
        }
      }
      case ATOMIC_FETCH_AND_ADD ->
          target.word(remoteOffset, target.word(remoteOffset) + compareAdd);
      default -> {}
    }
  }

  /** Bytes of the peer's memory that it changes. */
  int changedLength() {
    if (outcome != WcStatus.SUCCESS) {
      return 0;
    }
    return switch (opcode) {
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> length;
      case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> 8;
      default -> 0;
    };
  }

  @Override
  public String toString() {
    return opcode
        + " wr_id="
        + wrId
        + " length="
        + length
        + (signaled ? " signaled" : "")
        + " -> "
        + outcome;
  }
}
