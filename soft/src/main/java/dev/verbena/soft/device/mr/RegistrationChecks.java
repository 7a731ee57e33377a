package dev.verbena.soft.device.mr;

import dev.verbena.soft.device.life.Limits;
import dev.verbena.soft.device.life.Unsupported;
import dev.verbena.soft.memory.MappingNative;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/**
 * What memory can be registered, with which rights (S5.1.1, S5.1.3). Memory of the heap, which
 * moves, and of confined arenas, which other threads cannot touch, is refused.
 */
final class RegistrationChecks {
  /** Stands for any thread but the caller's. */
  private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

  private static final int WRITES = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

  /**
   * Checks rights.
   *
   * @return those in force: optional ones that this device does not have are dropped
   */
  static int access(String function, int access) {
    if ((access & Access.HUGETLB) != 0 && (access & Access.ON_DEMAND) == 0) {
      throw refused(function, "HUGETLB is for ON_DEMAND regions only");
    }
    int needed = access & ~Access.OPTIONAL_RANGE;
    if ((needed & (Access.ON_DEMAND | Access.HUGETLB)) != 0) {
      throw Unsupported.verb(
          function, "the software device has no ON_DEMAND regions; access is " + hex(access));
    }
    if ((needed & ~Limits.ACCESS) != 0) {
      throw refused(function, "unknown rights " + hex(needed & ~Limits.ACCESS));
    }
    boolean remoteWrites = (needed & (Access.REMOTE_WRITE | Access.REMOTE_ATOMIC)) != 0;
    if (remoteWrites && (needed & Access.LOCAL_WRITE) == 0) {
      throw refused(function, "REMOTE_WRITE and REMOTE_ATOMIC also need LOCAL_WRITE");
    }
    return needed;
  }

  /** Checks memory; {@code access} was checked before. */
  static void memory(String function, MemorySegment memory, int access) {
    if (!memory.isNative()) {
      throw refused(
          function,
          "heap memory moves: allocate from Arena.ofShared(), or use allocMr or a direct buffer");
    }
    if (!memory.scope().isAlive()) {
      throw refused(function, "the arena of this memory is closed");
    }
    if (!memory.isAccessibleBy(ANOTHER)) {
      throw refused(
          function,
          "memory of a confined arena is for one thread only: allocate from Arena.ofShared()");
    }
    if (memory.isReadOnly() && (access & WRITES) != 0) {
      throw refused(function, "the memory is read-only, the rights " + hex(access) + " are not");
    }
    if (memory.byteSize() == 0) {
      throw refused(
          function, "the segment has no bytes; one made of a bare address needs reinterpret(size)");
    }
    if (!MappingNative.isMapped(memory)) {
      throw new VerbsException(
          function,
          Errno.EFAULT,
          memory.byteSize()
              + " bytes at 0x"
              + hex(memory.address())
              + ": there is no memory in a part of them; a segment that reinterpret has made must"
              + " be all mapped");
    }
  }

  /** Checks addresses of the caller's choice. */
  static void iova(String function, long iova, long length, int access) {
    if (iova != 0 && (access & Access.ZERO_BASED) != 0) {
      throw refused(function, "a ZERO_BASED region starts at 0, not at 0x" + hex(iova));
    }
    if (Long.compareUnsigned(iova + (length - 1), iova) < 0) {
      throw refused(
          function, length + " bytes from 0x" + hex(iova) + " extend beyond the address space");
    }
  }

  private static String hex(int bits) {
    return "0x" + Integer.toHexString(bits);
  }

  private static String hex(long address) {
    return Long.toHexString(address);
  }

  private static VerbsException refused(String function, String detail) {
    return new VerbsException(function, Errno.EINVAL, detail);
  }

  private RegistrationChecks() {}
}
