package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.VerbsException;
import picocli.CommandLine.Option;

/** The path MTU of connected queue pairs. */
final class PathMtuOption {
  @Option(
      names = {"-m", "--mtu"},
      paramLabel = "BYTES",
      defaultValue = "1024",
      description = "Path MTU: 256, 512, 1024, 2048 or 4096 (default: ${DEFAULT-VALUE}).")
  private int mtu;

  /** The path MTU; anything else is wrong usage. */
  Mtu value() {
    try {
      return Mtu.ofBytes(mtu);
    } catch (VerbsException e) {
      throw ToolException.usage("--mtu=" + mtu + " is not one of 256, 512, 1024, 2048, 4096");
    }
  }
}
