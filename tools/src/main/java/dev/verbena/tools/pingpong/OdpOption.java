package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.Refused;
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
    Refused.check(odp, "-o (--odp)", "on-demand paging");
  }
}
