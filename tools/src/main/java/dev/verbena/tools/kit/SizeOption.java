package dev.verbena.tools.kit;

import picocli.CommandLine.Option;

/** The message size in bytes, for commands that send messages. */
public final class SizeOption {
  @Option(
      names = {"-s", "--size"},
      paramLabel = "BYTES",
      description = "Bytes of a message (default: ${DEFAULT-VALUE}).")
  private int size;

  /** An option with this default. */
  public SizeOption(int size) {
    this.size = size;
  }

  /** The bytes. */
  public int bytes() {
    return size;
  }

  /** Rejects a size outside a range, as wrong usage. */
  public void check(int least, int most) {
    Ranges.check("--size", size, least, most);
  }
}
