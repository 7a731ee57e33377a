package dev.verbena.verbs.provider;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;

/** The exception for a verb that a device does not support: EOPNOTSUPP, with the verb's name. */
public final class Unsupported {
  /**
   * @param function the verb
   * @param sentence what is missing, with the capability field that says so
   */
  public static VerbsException verb(String function, String sentence) {
    return new VerbsException(function, Errno.EOPNOTSUPP, sentence);
  }

  private Unsupported() {}
}
