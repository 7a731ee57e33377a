package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.Refused;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of ibv_rc_pingpong for features that do not exist here, refused by name. */
final class RefusedOptions {
  @Mixin private final OdpOption odp = new OdpOption();

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
    odp.check();
    Refused.check(prefetch, "-P (--prefetch)", "prefetch for on-demand paging");
    Refused.check(implicitOdp, "-O (--iodp)", "implicit on-demand paging");
    Refused.check(deviceMemory, "-j (--dm)", "device memory");
  }
}
