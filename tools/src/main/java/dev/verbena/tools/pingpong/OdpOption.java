package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.Refused;
import picocli.CommandLine.Option;

/** On-demand paging, which several of the examples can use but no device here has. */
final class OdpOption {
  @Option(
      names = {"-o", "--odp"},
      hidden = true,
      description = "Refused: on-demand paging.")
  private boolean odp;

  /** Throws if it was requested. */
  void check() {
    Refused.check(odp, "-o (--odp)", "on-demand paging");
  }
}
