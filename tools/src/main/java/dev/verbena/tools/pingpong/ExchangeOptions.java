package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.ItersOption;
import dev.verbena.tools.kit.Ranges;
import dev.verbena.tools.kit.SizeOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What the ping-pongs that measure can be told: what all can, and about their exchanges, where both
 * ends need the same.
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
          "Check received data. Give it to both ends; the server checks, and prints what is"
              + " wrong. As with the C tool, the exit code stays 0.")
  private boolean check;

  /** With this default size of a message. */
  ExchangeOptions(int size) {
    this.size = new SizeOption(size);
  }

  /**
   * Checks the ranges that the option parser does not know.
   *
   * @param leastSize the least bytes of a message
   * @param mostSize the most
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

  /** Bytes of a message. */
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
