package dev.verbena.tools.kit;

/** Options of C programs that ask for what is not there: known, and refused by name. */
public final class Refused {
  /** Wrong usage if {@code option} was given, which asks for {@code feature}. */
  public static void check(boolean given, String option, String feature) {
    if (given) {
      throw ToolException.usage(option + ": " + feature + " is not supported (EOPNOTSUPP)");
    }
  }

  private Refused() {}
}
