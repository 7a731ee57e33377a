package dev.verbena.interop;

import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
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
 * @param rkey key of the peer's memory, or the one to invalidate
 * @param compareAdd value to compare with, or to add
 * @param swap value to store
 * @param flushType {@link FlushType} bits
 * @param flushLevel what a FLUSH reaches
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
    long swap,
    int flushType,
    FlushLevel flushLevel) {

  static Work of(WrOpcode opcode, long wrId, long off, int length) {
    return new Work(
        opcode, wrId, off, length, 1, 0, 0, 0, 0, 0, FlushType.GLOBAL, FlushLevel.RANGE);
  }

  static Work compareAndSwap(long wrId, long off, long compare, long swap) {
    return of(WrOpcode.ATOMIC_CMP_AND_SWP, wrId, off, Long.BYTES).withValues(compare, swap);
  }

  static Work fetchAndAdd(long wrId, long off, long add) {
    return of(WrOpcode.ATOMIC_FETCH_AND_ADD, wrId, off, Long.BYTES).withValues(add, 0);
  }

  /** Writes the 8 bytes at {@code off}. */
  static Work atomicWrite(long wrId, long off) {
    return of(WrOpcode.ATOMIC_WRITE, wrId, off, Long.BYTES);
  }

  /** Flushes so many bytes at the peer. */
  static Work flush(long wrId, int length) {
    return of(WrOpcode.FLUSH, wrId, 0, length);
  }

  /** Invalidates one of its own keys. */
  static Work localInvalidate(long wrId, int key) {
    return of(WrOpcode.LOCAL_INV, wrId, 0, 0).at(0, key);
  }

  private Work withValues(long first, long second) {
    return new Work(
        opcode,
        wrId,
        off,
        length,
        parts,
        imm,
        remoteAddr,
        rkey,
        first,
        second,
        flushType,
        flushLevel);
  }

  Work flushing(int type, FlushLevel level) {
    return new Work(
        opcode, wrId, off, length, parts, imm, remoteAddr, rkey, compareAdd, swap, type, level);
  }

  Work inParts(int count) {
    return new Work(
        opcode,
        wrId,
        off,
        length,
        count,
        imm,
        remoteAddr,
        rkey,
        compareAdd,
        swap,
        flushType,
        flushLevel);
  }

  Work withImm(int value) {
    return new Work(
        opcode,
        wrId,
        off,
        length,
        parts,
        value,
        remoteAddr,
        rkey,
        compareAdd,
        swap,
        flushType,
        flushLevel);
  }

  Work at(long address, int key) {
    return new Work(
        opcode,
        wrId,
        off,
        length,
        parts,
        imm,
        address,
        key,
        compareAdd,
        swap,
        flushType,
        flushLevel);
  }
}
