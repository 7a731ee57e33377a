package dev.verbena.tools.pingpong;

import dev.verbena.tools.ToolException;
import picocli.CommandLine.Option;

/** Options of ibv_rc_pingpong that ask for what is not there, refused by name. */
final class RefusedOptions {
  @Option(
      names = {"-o", "--odp"},
      hidden = true,
      description = "Refused: on-demand paging.")
  private boolean odp;

  @Option(
      names = {"-P", "--prefetch"},
      hidden = true,
      description = "Refused: prefetch for on-demand paging.")
  private boolean prefetch;

  @Option(
      names = {"-O", "--iodp"},
      hidden = true,
      description = "Refused: implicit on-demand paging.")
  private boolean implicitOdp;

  @Option(
      names = {"-j", "--dm"},
      hidden = true,
      description = "Refused: device memory.")
  private boolean deviceMemory;

  /** Throws if one of them was given. */
  void check() {
    refuse(odp, "-o (--odp)", "on-demand paging");
    refuse(prefetch, "-P (--prefetch)", "prefetch for on-demand paging");
    refuse(implicitOdp, "-O (--iodp)", "implicit on-demand paging");
    refuse(deviceMemory, "-j (--dm)", "device memory");
  }

  private static void refuse(boolean given, String option, String feature) {
    if (given) {
      throw ToolException.usage(option + ": " + feature + " is not supported (EOPNOTSUPP)");
    }
  }
}
