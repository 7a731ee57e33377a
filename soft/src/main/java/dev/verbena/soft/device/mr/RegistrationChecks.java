package dev.verbena.soft.device.mr;

import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.memory.MappingNative;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.RegistrationRules;
import dev.verbena.verbs.provider.Unsupported;
import java.lang.foreign.MemorySegment;

/**
 * The checks of this device for memory to register and its rights, in addition to {@link
 * RegistrationRules} (S5.1.1, S5.1.3).
 */
final class RegistrationChecks {
  /**
   * Checks rights.
   *
   * @return the effective rights, without optional ones that this device lacks
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
    RegistrationRules.access(function, needed);
    return needed;
  }

  /** Checks memory; {@code access} was checked before. */
  static void memory(String function, MemorySegment memory, int access) {
    RegistrationRules.memory(function, memory, access);
    if (!MappingNative.isMapped(memory)) {
      throw new VerbsException(
          function,
          Errno.EFAULT,
          memory.byteSize()
              + " bytes at 0x"
              + Long.toHexString(memory.address())
              + ": there is no memory in a part of them; all of a segment made by reinterpret must"
              + " be mapped");
    }
  }

  private static String hex(int bits) {
    return "0x" + Integer.toHexString(bits);
  }

  private static VerbsException refused(String function, String detail) {
    return new VerbsException(function, Errno.EINVAL, detail);
  }

  private RegistrationChecks() {}
}
