package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.ItersOption;
import dev.verbena.tools.kit.Ranges;
import dev.verbena.tools.kit.SizeOption;
import dev.verbena.tools.pingpong.end.PingpongOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options of the measuring ping-pongs: the common ones, and those about exchanges, which must be
 * the same at both ends.
 */
final class ExchangeOptions {
  private static final int ITERS = 1000;

  @Mixin private final PingpongOptions common = new PingpongOptions();

  @Option(
      names = {"-r", "--rx-depth"},
      paramLabel = "DEPTH",
      defaultValue = "500",
      description = "Receives posted at a time (default: ${DEFAULT-VALUE}).")
  private int rxDepth;

  @Mixin private final ItersOption iters = new ItersOption(ITERS);
  @Mixin private final SizeOption size;

  @Option(
      names = {"-c", "--chk"},
      description =
          "Check received data. Give it to both ends; the server checks, and prints errors. As with"
              + " the C tool, the exit code stays 0.")
  private boolean check;

  /** Options with this default message size. */
  ExchangeOptions(int size) {
    this.size = new SizeOption(size);
  }

  /**
   * Checks the ranges, which the option parser does not know.
   *
   * @param leastSize smallest message size in bytes
   * @param mostSize largest message size
   */
  void check(int leastSize, int mostSize) {
    common.check();
    size.check(leastSize, mostSize);
    Ranges.check("--rx-depth", rxDepth, 1, Integer.MAX_VALUE - 1);
    iters.check();
  }

  PingpongOptions common() {
    return common;
  }

  /** Message size in bytes. */
  int size() {
    return size.bytes();
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
