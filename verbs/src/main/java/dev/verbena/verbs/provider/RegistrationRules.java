package dev.verbena.verbs.provider;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Checks of memory to register, for every device. Refuses memory of the heap, which moves, and of
 * confined arenas, which other threads cannot touch.
 */
public final class RegistrationRules {
  /** Stands for any thread but the caller's. */
  private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

  private static final long PAGE = 4096;
  private static final int WRITES = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

  private static final int ALL_CHANGES =
      ReregFlags.CHANGE_TRANSLATION | ReregFlags.CHANGE_PD | ReregFlags.CHANGE_ACCESS;

  /** Checks that rights are consistent. */
  public static void access(String function, int access) {
    boolean remoteWrites = (access & (Access.REMOTE_WRITE | Access.REMOTE_ATOMIC)) != 0;
    if (remoteWrites && (access & Access.LOCAL_WRITE) == 0) {
      throw refused(function, "REMOTE_WRITE and REMOTE_ATOMIC also need LOCAL_WRITE");
    }
  }

  /** Checks memory; {@code access} was checked before. */
  public static void memory(String function, MemorySegment memory, int access) {
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
      throw refused(
          function, "the memory is read-only, and the rights " + hex(access) + " allow writing");
    }
    if (memory.byteSize() == 0) {
      throw refused(
          function, "the segment has no bytes; one made of a bare address needs reinterpret(size)");
    }
  }

  /** Checks addresses that the caller has chosen. */
  public static void iova(String function, long iova, long length, int access) {
    if (iova != 0 && (access & Access.ZERO_BASED) != 0) {
      throw refused(
          function, "a ZERO_BASED region starts at 0, not at 0x" + Long.toHexString(iova));
    }
    if (Long.compareUnsigned(iova + (length - 1), iova) < 0) {
      throw refused(
          function,
          length + " bytes from 0x" + Long.toHexString(iova) + " extend beyond the address space");
    }
  }

  /**
   * Zeroed memory of an arena of its own, which is closed if there is not enough.
   *
   * @throws VerbsException EINVAL for fewer bytes than 1, ENOMEM without memory
   */
  public static MemorySegment allocate(String function, Arena arena, long bytes) {
    if (bytes < 1) {
      arena.close();
      throw refused(function, bytes + " bytes; a region has at least 1");
    }
    try {
      return arena.allocate(bytes, PAGE);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new VerbsException(
          function, Errno.ENOMEM, "no memory for " + bytes + " bytes: " + e.getMessage(), e);
    }
  }

  /**
   * Checks what a change of a region names.
   *
   * @param flags {@link ReregFlags}
   * @param access the new rights; 0 if none are given
   */
  public static void changes(String function, int flags, int access) {
    if (flags == 0 || (flags & ~ALL_CHANGES) != 0) {
      throw refused(
          function,
          "flags " + hex(flags) + " are not of CHANGE_TRANSLATION, CHANGE_PD, CHANGE_ACCESS");
    }
    if (access != 0 && (flags & ReregFlags.CHANGE_ACCESS) == 0) {
      throw refused(function, "access rights without CHANGE_ACCESS");
    }
  }

  /** An argument that the flags of a change require. */
  public static <T> T given(String function, @Nullable T argument, String what) {
    if (argument == null) {
      throw refused(function, "no " + what + ", although the flags require one");
    }
    return argument;
  }

  private static String hex(int bits) {
    return "0x" + Integer.toHexString(bits);
  }

  private static VerbsException refused(String function, String detail) {
    return new VerbsException(function, Errno.EINVAL, detail);
  }

  private RegistrationRules() {}
}
