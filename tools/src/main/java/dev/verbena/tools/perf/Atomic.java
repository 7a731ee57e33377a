package dev.verbena.tools.perf;

import dev.verbena.verbs.WrOpcode;

/** Which atomic is measured, by perftest's names. */
enum Atomic {
  FETCH_AND_ADD(WrOpcode.ATOMIC_FETCH_AND_ADD),
  CMP_AND_SWAP(WrOpcode.ATOMIC_CMP_AND_SWP);

  private final WrOpcode opcode;

  Atomic(WrOpcode opcode) {
    this.opcode = opcode;
  }

  WrOpcode opcode() {
    return opcode;
  }
}
