package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.ToolException;
import picocli.CommandLine.Option;

/** On-demand paging, which several of the examples can use and no device here has. */
final class OdpOption {
  @Option(
      names = {"-o", "--odp"},
      hidden = true,
      description = "Refused: on-demand paging.")
  private boolean odp;

  /** Throws if it was asked for. */
  void check() {
    refuse(odp, "-o (--odp)", "on-demand paging");
  }

  /** Wrong usage if an option was given that asks for what is not there. */
  static void refuse(boolean given, String option, String feature) {
    if (given) {
      throw ToolException.usage(option + ": " + feature + " is not supported (EOPNOTSUPP)");
    }
  }
}
