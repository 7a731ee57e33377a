package dev.verbena.tools.kit;

/** Ranges of option values, which the option parser does not know. */
public final class Ranges {
  /** Rejects a value out of its range, as wrong usage. */
  public static void check(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw ToolException.usage("%s=%d is not in %d to %d".formatted(option, value, least, most));
    }
  }

  private Ranges() {}
}
