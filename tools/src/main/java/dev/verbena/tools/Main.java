package dev.verbena.tools;

import dev.verbena.tools.compare.CompareCommand;
import dev.verbena.tools.compare.ProbeCommand;
import dev.verbena.tools.demo.DemoCommand;
import dev.verbena.tools.demo.DemoServerCommand;
import dev.verbena.tools.kit.DeviceOption;
import dev.verbena.tools.kit.ProgressReporter;
import dev.verbena.tools.kit.Ticker;
import dev.verbena.tools.lab.LabCommand;
import dev.verbena.tools.perf.PerfTools;
import dev.verbena.tools.pingpong.RcPingpongCommand;
import dev.verbena.tools.pingpong.SrqPingpongCommand;
import dev.verbena.tools.pingpong.UcPingpongCommand;
import dev.verbena.tools.pingpong.UdPingpongCommand;
import dev.verbena.tools.pingpong.XsrqPingpongCommand;
import dev.verbena.tools.top.TopCommand;
import dev.verbena.tools.trace.TraceCommand;
import dev.verbena.verbs.DeviceSpec;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The {@code verbena} command. Exit codes: 0 done, 1 failed, 2 wrong usage. */
@Command(
    name = "verbena",
    description = {
      "RDMA verbs in pure Java: a software RoCE v2 device that needs no card, no kernel"
          + " module and no root.",
      ""
    },
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = VersionText.class,
    optionListHeading = "Options:%n",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nDevices are named as text:%n",
    footer = {
      "  soft0          the first free address of 127.0.0.1 to 127.0.0.31, or else ::1",
      "  soft:ADDRESS   an IPv4 or IPv6 address of this computer, for peers on the network",
      "  soft_ADDRESS   the same by its name, such as soft_10_77_0_1",
      "  soft:new       a device in memory, without a port, which only its process reaches",
      "  ib:NAME        a device on an InfiniBand subnet inside the process, such as ib:a?lmc=1",
      "  rdmacore:NAME  a device of the installed libibverbs, which its name alone, such as"
          + " mlx5_0,",
      "                 names as well",
      "'verbena run' takes those with an address: soft0, soft:ADDRESS and soft_ADDRESS.",
      "%nOptions follow '?', separated by '&', as in"
          + " soft0?faults=drop:0.05,seed:7&capture=FILE:",
      "  link=KIND      how to reach peers: auto (default) in memory within a process, by shared",
      "                 memory the user's other processes (Linux), and by UDP all others; packet",
      "                 always by packets in memory, udp always by the socket, shm by shared",
      "                 memory only",
      "  faults=LIST    faults for packets sent, with probabilities: drop:P, dup:P, reorder:P,",
      "                 corrupt:P, delay:P@2ms; the same seed:N repeats the same faults;",
      "                 dropnth:7+9 drops the packets with these numbers, counted from 1",
      "  capture=FILE   write all packets to a file for Wireshark",
      "  icrc=off       accept packets with a wrong checksum (ICRC)",
      "  ether=NAME     the network interface for raw Ethernet frames; needs the right to open it",
      "  vendor_part_id=N",
      "                 the part number that device queries report; some programs choose by"
          + " it",
      "",
      "Start with 'verbena demo'. See 'verbena COMMAND --help' for details. In the project's"
          + " sources,",
      "'verbena dist' makes a distribution with a Java runtime.",
      "Exit codes: 0 done, 1 failed, 2 wrong usage."
    })
public final class Main {
  private Main() {}

  /** Runs the command and ends this process with its exit code. */
  public static void main(String[] args) {
    // Scripts parse the numbers, and the texts are English anyway.
    Locale.setDefault(Locale.ROOT);
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(commandLine(out, err, Ticker.byThreads()).execute(args));
  }

  /**
   * The whole command, which writes to these.
   *
   * @param ticker says when to tell of a long run's progress
   */
  static CommandLine commandLine(PrintWriter out, PrintWriter err, Ticker ticker) {
    ProgressReporter reporter = new ProgressReporter(err, ticker);
    CommandLine command =
        new CommandLine(new Main())
            .addSubcommand(new DemoCommand(out, Main.class))
            .addSubcommand(new DemoServerCommand(out))
            .addSubcommand(new DevicesCommand(out, err))
            .addSubcommand(new DevinfoCommand(out))
            .addSubcommand(new AsyncwatchCommand(out))
            .addSubcommand(new RcPingpongCommand(out, reporter))
            .addSubcommand(new UcPingpongCommand(out, reporter))
            .addSubcommand(new UdPingpongCommand(out, reporter))
            .addSubcommand(new SrqPingpongCommand(out, reporter))
            .addSubcommand(new XsrqPingpongCommand(out, reporter));
    PerfTools.addTo(command, out, err, reporter);
    command.addSubcommand(new TopCommand(out));
    command.addSubcommand(new LabCommand(out)).addSubcommand(new TraceCommand(out));
    command.addSubcommand(new CompareCommand(out, Main.class)).addSubcommand(new ProbeCommand(out));
    command.addSubcommand(new RunCommand()).addSubcommand(new HelpCommand());
    StandardOptions.addTo(command);
    command.addMixin("version", new StandardOptions.Version());
    command.getSubcommands().values().forEach(StandardOptions::addTo);
    ErrorReport errors = new ErrorReport(err);
    return command
        .setOut(out)
        .setErr(err)
        .registerConverter(DeviceSpec.class, DeviceOption::parse)
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors)
        .setExecutionStrategy(parsed -> run(parsed, err))
        .setUsageHelpWidth(100)
        .setUsageHelpAutoWidth(false);
  }

  /** Handles help and version first; without a command, prints the help as an error. */
  private static int run(ParseResult parsed, PrintWriter err) {
    Integer help = CommandLine.executeHelpRequest(parsed);
    if (help != null) {
      return help;
    }
    if (!parsed.hasSubcommand()) {
      parsed.commandSpec().commandLine().usage(err);
      return CommandLine.ExitCode.USAGE;
    }
    return new RunLast().execute(parsed);
  }
}
