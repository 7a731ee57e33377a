package dev.verbena.tools;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.RdmaException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports failures to the user: one line that starts with the command, and a stack trace only if
 * {@code --verbose} was given or the failure is a bug.
 */
final class ErrorReport implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private final PrintWriter err;

  ErrorReport(PrintWriter err) {
    this.err = err;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    err.println(command.getCommandSpec().qualifiedName() + ": " + e.getMessage());
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(
      Exception e, CommandLine command, @Nullable ParseResult parsed) {
    String message = messageOf(e);
    boolean bug = message == null;
    err.println(
        command.getCommandSpec().qualifiedName() + ": " + (bug ? "internal error: " + e : message));
    if (bug || isVerbose(parsed)) {
      e.printStackTrace(err);
    }
    err.flush();
    return e instanceof ToolException tool ? tool.exitCode() : ExitCode.SOFTWARE;
  }

  /** The message for the user; null for an unexpected failure. */
  private static @Nullable String messageOf(Exception e) {
    return switch (e) {
      case ToolException tool -> tool.getMessage();
      case RdmaException rdma -> rdma.getMessage();
      case UncheckedIOException io -> ioMessage(io.getCause());
      case IOException io -> ioMessage(io);
      case InterruptedException interrupted -> "interrupted";
      default -> null;
    };
  }

  private static String ioMessage(@Nullable IOException e) {
    return e == null ? "input/output error" : String.valueOf(e.getMessage());
  }

  private static boolean isVerbose(@Nullable ParseResult parsed) {
    for (ParseResult level = parsed; level != null; level = level.subcommand()) {
      if (level.hasMatchedOption(StandardOptions.VERBOSE)) {
        return true;
      }
    }
    return false;
  }
}
