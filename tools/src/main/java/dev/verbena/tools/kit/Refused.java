package dev.verbena.tools.kit;

/** Options of C programs for features that do not exist here: recognised, and refused by name. */
public final class Refused {
  /** Rejects {@code option}, which asks for {@code feature}, as wrong usage if it was given. */
  public static void check(boolean given, String option, String feature) {
    if (given) {
      throw ToolException.usage(option + ": " + feature + " is not supported (EOPNOTSUPP)");
    }
  }

  private Refused() {}
}
