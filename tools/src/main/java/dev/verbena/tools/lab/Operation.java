package dev.verbena.tools.lab;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.WrOpcode;
import java.util.Locale;

/** What the requester does. */
enum Operation {
  WRITE(WrOpcode.RDMA_WRITE, QpType.RC),
  READ(WrOpcode.RDMA_READ, QpType.RC),
  SEND(WrOpcode.SEND, QpType.RC),
  ADD(WrOpcode.ATOMIC_FETCH_AND_ADD, QpType.RC),
  UC_WRITE(WrOpcode.RDMA_WRITE, QpType.UC),
  UC_SEND(WrOpcode.SEND, QpType.UC);

  final WrOpcode opcode;
  final QpType type;

  Operation(WrOpcode opcode, QpType type) {
    this.opcode = opcode;
    this.type = type;
  }

  /** Whether the responder has to post a receive. */
  boolean needsReceive() {
    return opcode == WrOpcode.SEND;
  }

  /** As users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
