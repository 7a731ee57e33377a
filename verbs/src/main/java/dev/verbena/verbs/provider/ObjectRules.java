package dev.verbena.verbs.provider;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ParentDomain;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** Rules for what small objects are made of, for every device. Each throws EINVAL. */
public final class ObjectRules {
  /** The type of a new window, which must be given. */
  public static MwType windowType(String function, @Nullable MwType type) {
    if (type == null) {
      throw refused(function, "no type given: TYPE_1 or TYPE_2");
    }
    return type;
  }

  /** Checks the domain under a new parent domain. */
  public static void underParent(String function, ProtectionDomain below) {
    if (below instanceof ParentDomain) {
      throw refused(function, below + " is itself a parent domain; pass the domain underneath");
    }
  }

  /** Checks the number of entries of a new table of work queues. */
  public static void tableSize(String function, int size) {
    if (Integer.bitCount(size) != 1) {
      throw refused(function, size + " entries, which is not a power of two");
    }
  }

  /** The channel of a completion queue, whose notifications are to be awaited. */
  public static <T> T channel(String function, Lifetime cq, @Nullable T channel) {
    if (channel == null) {
      throw refused(function, cq.name() + " has no completion channel");
    }
    return channel;
  }

  private static VerbsException refused(String function, String detail) {
    return new VerbsException(function, Errno.EINVAL, detail);
  }

  private ObjectRules() {}
}
