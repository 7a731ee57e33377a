package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One registration: keys, rights, and the place of its addresses in memory. Immutable; changing a
 * registration replaces it in the {@link KeyTable} under the same keys.
 *
 * @param lkey key for local use
 * @param rkey key for peers
 * @param domain identity of the protection domain
 * @param access {@link dev.verbena.verbs.Access} bits
 * @param base address of the first byte in work requests
 * @param memory the memory
 * @param grant the queue pair that may use it, for a bound type 2 window; otherwise null
 */
public record Region(
    int lkey,
    int rkey,
    Domain domain,
    int access,
    long base,
    MemorySegment memory,
    @Nullable Grant grant)
    implements Registration {

  /** A region that any queue pair of the domain may use. */
  public Region(int lkey, int rkey, Domain domain, int access, long base, MemorySegment memory) {
    this(lkey, rkey, domain, access, base, memory, null);
  }

  @Override
  public long length() {
    return memory.byteSize();
  }

  /**
   * Checks everything but the key, in the order of S5.2: domain, rights, bounds without 64-bit
   * wrap.
   */
  public AccessFault check(Domain byDomain, int right, long addr, long length) {
    if (domain != byDomain) {
      return AccessFault.FOREIGN_DOMAIN;
    }
    if ((access & right) != right) {
      return AccessFault.MISSING_RIGHT;
    }
    long offset = addr - base;
    boolean inside = offset >= 0 && length >= 0 && offset <= memory.byteSize() - length;
    if (!inside) {
      return AccessFault.OUT_OF_BOUNDS;
    }
    return memory.scope().isAlive() ? AccessFault.NONE : AccessFault.MEMORY_GONE;
  }

  /**
   * Adds a range to {@code into} if it passes {@link #check}.
   *
   * @return NONE, or the fault; then nothing was added
   */
  AccessFault resolve(Domain byDomain, int right, long addr, long length, SpanList into) {
    AccessFault fault = check(byDomain, right, addr, length);
    if (fault == AccessFault.NONE) {
      into.add(memory, addr - base, length);
    }
    return fault;
  }

  /** Adds a checked range to {@code into}. */
  public void addTo(SpanList into, long addr, long length) {
    into.add(memory, addr - base, length);
  }

  /**
   * As {@link #check} for a peer's request that comes through this queue pair (S5.2.2).
   *
   * @param by the queue pair; checked last, because only an allowed request may claim a window
   */
  public AccessFault checkRemote(
      Domain byDomain, WindowOwner by, int right, long addr, long length) {
    AccessFault fault = check(byDomain, right, addr, length);
    return fault == AccessFault.NONE && grant != null && !grant.admits(by)
        ? AccessFault.FOREIGN_QUEUE_PAIR
        : fault;
  }

  /** The offset of an address of the region in {@link #memory()}. */
  public long offset(long addr) {
    return addr - base;
  }
}
