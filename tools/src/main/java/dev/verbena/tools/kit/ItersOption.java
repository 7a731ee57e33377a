package dev.verbena.tools.kit;

import picocli.CommandLine.Option;

/** How often a command repeats what it measures. */
public final class ItersOption {
  @Option(
      names = {"-n", "--iters"},
      paramLabel = "COUNT",
      description = "Exchanges or messages to measure (default: ${DEFAULT-VALUE}).")
  private int iters;

  /** An option with this default. */
  public ItersOption(int iters) {
    this.iters = iters;
  }

  /** The count. */
  public int count() {
    return iters;
  }

  /** Rejects values less than one, as wrong usage. */
  public void check() {
    Ranges.check("--iters", iters, 1, Integer.MAX_VALUE);
  }
}
