package dev.verbena.tools.kit;

import picocli.CommandLine.ExitCode;

/** A failure of a command that its message explains in full, so that no stack trace is needed. */
public final class ToolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private ToolException(String message, int exitCode) {
    super(message);
    this.exitCode = exitCode;
  }

  private ToolException(String message, Throwable cause) {
    super(message, cause);
    this.exitCode = ExitCode.SOFTWARE;
  }

  /** The command was tried and failed: exit code 1. */
  public static ToolException failure(String message) {
    return new ToolException(message, ExitCode.SOFTWARE);
  }

  /** The command was tried and failed because of {@code cause}: exit code 1. */
  public static ToolException failure(String message, Throwable cause) {
    return new ToolException(message, cause);
  }

  /** The command was used in a way that cannot work: exit code 2. */
  public static ToolException usage(String message) {
    return new ToolException(message, ExitCode.USAGE);
  }

  /** The exit code of the command. */
  public int exitCode() {
    return exitCode;
  }
}
