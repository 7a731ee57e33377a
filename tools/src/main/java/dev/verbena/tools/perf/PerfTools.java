package dev.verbena.tools.perf;

import dev.verbena.tools.kit.ProgressReporter;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The eight tools, by name: latency and bandwidth of each verb. */
public final class PerfTools {
  /**
   * Adds the tools to the command; they write results to {@code out} and, with {@code --json}, all
   * else to {@code err}.
   */
  public static void addTo(
      CommandLine command, PrintWriter out, PrintWriter err, ProgressReporter reporter) {
    for (Verb verb : Verb.values()) {
      String name = verb.name().toLowerCase(Locale.ROOT);
      command.addSubcommand(
          described(
              name + "-lat",
              new LatencyCommand(name + "-lat", verb, out, err, reporter),
              "time",
              verb));
      command.addSubcommand(
          described(
              name + "-bw",
              new BandwidthCommand(name + "-bw", verb, out, err, reporter),
              "rate",
              verb));
    }
  }

  private static CommandLine described(String name, Object tool, String measure, Verb verb) {
    CommandLine command = new CommandLine(tool);
    command.setCommandName(name);
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    usage.description(
        "Measure the %s of %ss between two ends. Works with perftest's ib_%s, as client and as"
                .formatted(measure, verb.name(), name.replace('-', '_'))
            + " server.");
    usage.footer("  verbena " + name, "  verbena " + name + " 127.0.0.1");
    return command;
  }

  private PerfTools() {}
}
