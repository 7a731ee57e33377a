package dev.verbena.tools.kit;

import picocli.CommandLine.ExitCode;

/** A command failed for a reason that its message explains in full: no stack trace is wanted. */
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

  /** It was tried and failed: exit code 1. */
  public static ToolException failure(String message) {
    return new ToolException(message, ExitCode.SOFTWARE);
  }

  /** It was tried and failed because of {@code cause}: exit code 1. */
  public static ToolException failure(String message, Throwable cause) {
    return new ToolException(message, cause);
  }

  /** It was asked for in a way that cannot be done: exit code 2. */
  public static ToolException usage(String message) {
    return new ToolException(message, ExitCode.USAGE);
  }

  /** With which the command ends. */
  public int exitCode() {
    return exitCode;
  }
}
