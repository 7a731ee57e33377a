package dev.verbena.soft.memory;

import dev.verbena.verbs.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that reads as zeros and discards writes, at any address and of any length (S5.1.4). For
 * local use only.
 *
 * @param lkey its key
 * @param domain identity of the protection domain
 */
public record NullRegion(int lkey, Domain domain) implements Registration {
  private static final long PIECE = 1 << 20;
  private static final MemorySegment ZEROS = Arena.global().allocate(PIECE).asReadOnly();

  /** Shared by all, because it is never read. */
  private static final MemorySegment SINK = Arena.global().allocate(PIECE);

  /** None, because it is not for peers. */
  @Override
  public int rkey() {
    return 0;
  }

  @Override
  public int access() {
    return Access.LOCAL_WRITE;
  }

  @Override
  public long base() {
    return 0;
  }

  @Override
  public long length() {
    return Long.MAX_VALUE;
  }

  @Override
  public MemorySegment memory() {
    return MemorySegment.NULL;
  }

  AccessFault resolve(Domain byDomain, int right, long length, SpanList into) {
    if (domain != byDomain) {
      return AccessFault.FOREIGN_DOMAIN;
    }
    MemorySegment memory = (right & Access.LOCAL_WRITE) != 0 ? SINK : ZEROS;
    for (long left = length; left > 0; left -= PIECE) {
      into.add(memory, 0, Math.min(left, PIECE));
    }
    return AccessFault.NONE;
  }
}
