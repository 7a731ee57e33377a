package dev.verbena.dropin;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that requests of fuzzers may reach, between memory that they must not change: a page that
 * is not registered, one with all rights, one that may only be read, and one that is not
 * registered. Where a request has a key of their choice, its low byte may choose one of the regions
 * instead, and then its address lies somewhere in the four pages.
 */
final class FuzzRegions {
  private static final int PAGE = 4096;
  private static final int PAGES = 4;
  private static final int WRITABLE = 1;
  private static final int READABLE = 2;
  private static final byte FILLER = 0x5a;

  private final MemorySegment memory = Arena.global().allocate(PAGES * PAGE, PAGE).fill(FILLER);
  private final MemorySegment untouched = Arena.global().allocate(PAGE).fill(FILLER);
  private final MemoryRegion writable;
  private final MemoryRegion readable;

  /** Registers both regions. */
  FuzzRegions(ProtectionDomain pd) {
    writable =
        pd.regMr(
            memory.asSlice(WRITABLE * PAGE, PAGE),
            Access.LOCAL_WRITE,
            Access.REMOTE_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_ATOMIC,
            Access.MW_BIND);
    readable = pd.regMr(memory.asSlice(READABLE * PAGE, PAGE), Access.REMOTE_READ, Access.MW_BIND);
  }

  /** The one with all rights. */
  MemoryRegion writable() {
    return writable;
  }

  /** The one that may only be read. */
  MemoryRegion readable() {
    return readable;
  }

  /** The key of a region for local accesses, or this one. */
  int lkey(int key) {
    return switch (FuzzMemory.choice(key)) {
      case WRITABLE -> writable.lkey();
      case READABLE -> readable.lkey();
      default -> key;
    };
  }

  /** The key of a region for accesses of peers, or this one. */
  int rkey(int key) {
    return switch (FuzzMemory.choice(key)) {
      case WRITABLE -> writable.rkey();
      case READABLE -> readable.rkey();
      default -> key;
    };
  }

  /** The address to go with a key, or another number that chooses a region. */
  long address(long key, long any) {
    return chooses(key) ? memory.address() + Long.remainderUnsigned(any, PAGES * PAGE) : any;
  }

  /** The length to go with such a number: mostly less than a region has. */
  long length(long key, long any) {
    return chooses(key) ? Long.remainderUnsigned(any, 2 * PAGE) : any;
  }

  private static boolean chooses(long key) {
    int choice = FuzzMemory.choice(key);
    return choice == WRITABLE || choice == READABLE;
  }

  /** Fails if a request has written where none may. */
  void requireUntouched() {
    for (long page = 0; page < PAGES; page++) {
      long changed = memory.asSlice(page * PAGE, PAGE).mismatch(untouched);
      if (page != WRITABLE && changed >= 0) {
        throw new AssertionError("a request has changed byte " + changed + " of page " + page);
      }
    }
  }
}
