package dev.verbena.tools;

import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of every command, and those of the top level. */
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

  /** Shows the version; top level only. */
  static final class Version {
    @Option(
        names = {"-V", "--version"},
        versionHelp = true,
        description = "Show the version and exit.")
    boolean version;
  }

  /** Shows details of errors. */
  static final class Verbose {
    @Option(names = VERBOSE, description = "Show a stack trace for errors.")
    boolean verbose;
  }

  /** Adds the options to a command, except those that it has itself. */
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
