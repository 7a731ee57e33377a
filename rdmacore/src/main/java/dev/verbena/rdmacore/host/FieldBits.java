package dev.verbena.rdmacore.host;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** Whether values fit in the bits that members of structs have; C would cut off the rest. */
public final class FieldBits {
  /** Why a value does not fit, as "timeout=300 is not in ..."; null if it does. */
  public static @Nullable String unfit(String name, int value, int bits) {
    return value >>> bits == 0
        ? null
        : "%s=%d is not in 0 to %d: the struct of C has %d bits for it"
            .formatted(name, value, (1 << bits) - 1, bits);
  }

  /** The same for one byte. */
  static @Nullable String unfit(String name, int value) {
    return unfit(name, value, Byte.SIZE);
  }

  /** The first of several answers that is not null; null if all values fit. */
  static @Nullable String first(@Nullable String... unfit) {
    for (String each : unfit) {
      if (each != null) {
        return each;
      }
    }
    return null;
  }

  /**
   * Checks that a value fits, and returns it.
   *
   * @throws VerbsException EINVAL for one that has more bits
   */
  public static int requireFit(String verb, String name, int value, int bits) {
    String unfit = unfit(name, value, bits);
    if (unfit != null) {
      throw new VerbsException(verb, Errno.EINVAL, unfit);
    }
    return value;
  }

  private FieldBits() {}
}
