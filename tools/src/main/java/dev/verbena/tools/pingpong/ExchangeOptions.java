package dev.verbena.tools.pingpong;

import dev.verbena.tools.ItersOption;
import dev.verbena.tools.Ranges;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the ping-pongs that measure can be told about their exchanges; both ends need the same. */
final class ExchangeOptions {
  private static final int ITERS = 1000;

  @Option(
      names = {"-r", "--rx-depth"},
      paramLabel = "DEPTH",
      defaultValue = "500",
      description = "Receives posted at a time (default: ${DEFAULT-VALUE}).")
  private int rxDepth;

  @Mixin private final ItersOption iters = new ItersOption(ITERS);

  @Option(
      names = {"-c", "--chk"},
      description =
          "Check received data. Give it to both ends; the server checks, and prints what is"
              + " wrong. As with the C tool, the exit code stays 0.")
  private boolean check;

  /** Checks the ranges that the option parser does not know. */
  void check() {
    Ranges.check("--rx-depth", rxDepth, 1, Integer.MAX_VALUE - 1);
    iters.check();
  }

  int rxDepth() {
    return rxDepth;
  }

  int iters() {
    return iters.count();
  }

  boolean checksData() {
    return check;
  }
}
