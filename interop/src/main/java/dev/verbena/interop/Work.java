package dev.verbena.interop;

import dev.verbena.verbs.WrOpcode;

/**
 * A signaled send work request for either side.
 *
 * @param wrId identifier
 * @param off start of the local data, from the buffer's start
 * @param length bytes of it
 * @param parts scatter/gather elements that it is cut into
 * @param imm immediate data
 * @param remoteAddr address at the peer
 * @param rkey key of the peer's memory
 * @param compareAdd value to compare with, or to add
 * @param swap value to store
 */
record Work(
    WrOpcode opcode,
    long wrId,
    long off,
    int length,
    int parts,
    int imm,
    long remoteAddr,
    int rkey,
    long compareAdd,
    long swap) {
  private static final int ATOMIC_BYTES = 8;

  static Work of(WrOpcode opcode, long wrId, long off, int length) {
    return new Work(opcode, wrId, off, length, 1, 0, 0, 0, 0, 0);
  }

  static Work compareAndSwap(long wrId, long off, long compare, long swap) {
    return new Work(
        WrOpcode.ATOMIC_CMP_AND_SWP, wrId, off, ATOMIC_BYTES, 1, 0, 0, 0, compare, swap);
  }

  static Work fetchAndAdd(long wrId, long off, long add) {
    return new Work(WrOpcode.ATOMIC_FETCH_AND_ADD, wrId, off, ATOMIC_BYTES, 1, 0, 0, 0, add, 0);
  }

  Work inParts(int count) {
    return new Work(opcode, wrId, off, length, count, imm, remoteAddr, rkey, compareAdd, swap);
  }

  Work withImm(int value) {
    return new Work(opcode, wrId, off, length, parts, value, remoteAddr, rkey, compareAdd, swap);
  }

  Work at(long address, int key) {
    return new Work(opcode, wrId, off, length, parts, imm, address, key, compareAdd, swap);
  }
}
