package dev.verbena.interop.sides;

import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.WrOpcode;

/**
 * A signaled send work request for either side.
 *
 * @param wrId identifier
 * @param off start of the local data, from the buffer's start
 * @param length bytes of it
 * @param parts number of scatter/gather elements
 * @param imm immediate data
 * @param remote the peer's memory
 * @param operands of an atomic
 * @param flush what a FLUSH does
 */
public record Work(
    WrOpcode opcode,
    long wrId,
    long off,
    int length,
    int parts,
    int imm,
    Remote remote,
    Operands operands,
    Flush flush) {
  /**
   * Memory of the peer.
   *
   * @param rkey its key, or the one to invalidate
   */
  record Remote(long addr, int rkey) {}

  /**
   * The values of an atomic.
   *
   * @param first value to compare with, or to add
   * @param swap value to store
   */
  record Operands(long first, long swap) {}

  /**
   * The parameters of a FLUSH.
   *
   * @param type {@link FlushType} bits
   */
  record Flush(int type, FlushLevel level) {}

  private static final Remote NOWHERE = new Remote(0, 0);
  private static final Operands NONE = new Operands(0, 0);
  private static final Flush USUAL = new Flush(FlushType.GLOBAL, FlushLevel.RANGE);

  public static Work of(WrOpcode opcode, long wrId, long off, int length) {
    return new Work(opcode, wrId, off, length, 1, 0, NOWHERE, NONE, USUAL);
  }

  public static Work compareAndSwap(long wrId, long off, long compare, long swap) {
    return of(WrOpcode.ATOMIC_CMP_AND_SWP, wrId, off, Long.BYTES).withValues(compare, swap);
  }

  public static Work fetchAndAdd(long wrId, long off, long add) {
    return of(WrOpcode.ATOMIC_FETCH_AND_ADD, wrId, off, Long.BYTES).withValues(add, 0);
  }

  /** Writes the 8 bytes at {@code off}. */
  public static Work atomicWrite(long wrId, long off) {
    return of(WrOpcode.ATOMIC_WRITE, wrId, off, Long.BYTES);
  }

  /** Flushes this many bytes at the peer. */
  public static Work flush(long wrId, int length) {
    return of(WrOpcode.FLUSH, wrId, 0, length);
  }

  /** Invalidates one of its own keys. */
  public static Work localInvalidate(long wrId, int key) {
    return of(WrOpcode.LOCAL_INV, wrId, 0, 0).at(0, key);
  }

  private Work withValues(long first, long second) {
    Operands values = new Operands(first, second);
    return new Work(opcode, wrId, off, length, parts, imm, remote, values, flush);
  }

  public Work flushing(int type, FlushLevel level) {
    Flush how = new Flush(type, level);
    return new Work(opcode, wrId, off, length, parts, imm, remote, operands, how);
  }

  public Work inParts(int count) {
    return new Work(opcode, wrId, off, length, count, imm, remote, operands, flush);
  }

  public Work withImm(int value) {
    return new Work(opcode, wrId, off, length, parts, value, remote, operands, flush);
  }

  public Work at(long address, int key) {
    Remote memory = new Remote(address, key);
    return new Work(opcode, wrId, off, length, parts, imm, memory, operands, flush);
  }
}
