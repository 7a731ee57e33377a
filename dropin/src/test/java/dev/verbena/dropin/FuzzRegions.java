package dev.verbena.dropin;

import dev.verbena.dropin.object.Handles;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

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
  private static final int CHOICE = 0xff;

  private final MemorySegment memory = Arena.global().allocate(PAGES * PAGE, PAGE).fill(FILLER);
  private final MemoryRegion writable;
  private final MemoryRegion readable;

  /** Registers both regions, and makes their handles and those of a window of each type. */
  FuzzRegions(Context context, ProtectionDomain pd) {
    writable =
        pd.regMr(
            memory.asSlice(WRITABLE * PAGE, PAGE),
            Access.LOCAL_WRITE,
            Access.REMOTE_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_ATOMIC,
            Access.MW_BIND);
    readable = pd.regMr(memory.asSlice(READABLE * PAGE, PAGE), Access.REMOTE_READ, Access.MW_BIND);
    Handles.add(context, writable);
    Handles.add(context, readable);
    Handles.add(context, pd.allocMw(MwType.TYPE_1));
    Handles.add(context, pd.allocMw(MwType.TYPE_2));
  }

  /** For receives. */
  MemoryRegion writable() {
    return writable;
  }

  /** The key of a region for local accesses, or this one. */
  int lkey(int key) {
    return switch (key & CHOICE) {
      case WRITABLE -> writable.lkey();
      case READABLE -> readable.lkey();
      default -> key;
    };
  }

  /** The key of a region for accesses of peers, or this one. */
  int rkey(int key) {
    return switch (key & CHOICE) {
      case WRITABLE -> writable.rkey();
      case READABLE -> readable.rkey();
      default -> key;
    };
  }

  /** The address to go with a key. */
  long address(int key, long any) {
    int choice = key & CHOICE;
    boolean ours = choice == WRITABLE || choice == READABLE;
    return ours ? memory.address() + Long.remainderUnsigned(any, PAGES * PAGE) : any;
  }

  /** Fails if a request has written where none may. */
  void requireUntouched() {
    for (long at = 0; at < memory.byteSize(); at++) {
      if (at / PAGE != WRITABLE && memory.get(ValueLayout.JAVA_BYTE, at) != FILLER) {
        throw new AssertionError(
            "a request has changed byte " + at % PAGE + " of page " + at / PAGE);
      }
    }
  }
}
