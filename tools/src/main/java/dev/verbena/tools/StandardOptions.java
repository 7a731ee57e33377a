package dev.verbena.tools;

import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options that every command has, and the top level's own. */
final class StandardOptions {
  /** Adds stack traces to error messages; {@link ErrorReport} looks for this name. */
  static final String VERBOSE = "--verbose";

  /** Shows the help of a command. */
  static final class Help {
    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "Show this help and exit.")
    boolean help;
  }

  /** Shows the version; the top level only. */
  static final class Version {
    @Option(
        names = {"-V", "--version"},
        versionHelp = true,
        description = "Show the version and exit.")
    boolean version;
  }

  /** Shows more of errors. */
  static final class Verbose {
    @Option(names = VERBOSE, description = "Show a stack trace with an error.")
    boolean verbose;
  }

  /** Adds them to a command, as far as it does not have them itself. */
  static void addTo(CommandLine command) {
    if (command.getCommandSpec().findOption("--help") == null) {
      command.addMixin("help", new Help());
    }
    if (command.getCommandSpec().findOption(VERBOSE) == null) {
      command.addMixin("verbose", new Verbose());
    }
  }

  private StandardOptions() {}
}
