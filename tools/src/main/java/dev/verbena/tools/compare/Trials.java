package dev.verbena.tools.compare;

import dev.verbena.tools.compare.Subject.Trial;
import dev.verbena.tools.compare.Subject.Unavailable;
import dev.verbena.tools.kit.JavaCommand;
import dev.verbena.tools.kit.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures figures in one or two separate processes. */
final class Trials {
  private static final String LISTENING = "listening on TCP port ";
  private static final String GARBAGE = "allocated_bytes_per_message";
  private static final String RESENT = "retransmitted";
  private static final double BYTES_PER_MIB = 1 << 20;
  private static final String SCRIPT = "VERBENA_SCRIPT";

  private final Class<?> main;
  private final int warmUp;
  private final List<String> runner;

  /**
   * Starts Java programs by this class.
   *
   * @param warmUp seconds that our links take longer than what they are compared with: where two
   *     processes share few processors, Java compiles that long
   */
  Trials(Class<?> main, int warmUp) {
    this(
        main,
        warmUp,
        Optional.ofNullable(System.getenv(SCRIPT))
            .map(script -> List.of(script, "run"))
            .orElse(List.of()));
  }

  /**
   * The same.
   *
   * @param runner the command that runs C programs, like {@code verbena run}; empty if there is
   *     none
   */
  Trials(Class<?> main, int warmUp, List<String> runner) {
    this.main = main;
    this.warmUp = warmUp;
    this.runner = runner;
  }

  /** A probe that needs no peer. */
  Trial probe(String probe, int bytes) {
    return seconds -> {
      try (Child child = Child.start(java(probe(probe, bytes, seconds)))) {
        return figure(child.finish());
      }
    };
  }

  /** A probe of many queue pairs in one process. */
  Trial many(String probe, int pairs, int bytes) {
    return seconds -> {
      try (Child child =
          Child.start(java(with(probe(probe, bytes, seconds), "--pairs=" + pairs)))) {
        return figure(child.finish());
      }
    };
  }

  /** Our devices in two processes, which WRITE 8 bytes to each other. */
  Trial linkLatency(String device) {
    return seconds ->
        pair(
            List.of(
                "compare-probe",
                ProbeCommand.LINK_LATENCY,
                "--device=" + device,
                "--seconds=" + seconds,
                "--warm-up=" + warmUp));
  }

  /** A probe of two processes with bare sockets. */
  Trial sockets(SocketProbe probe, int bytes) {
    return seconds -> pair(probe(probe.option(), bytes, seconds));
  }

  /** Our devices in two processes. */
  Trial link(String device, LinkTraffic traffic, double factor) {
    return seconds ->
        pair(List.of(
                "compare-probe",
                ProbeCommand.LINK,
                "--device=" + device,
                "--traffic=" + traffic.text(),
                "--seconds=" + seconds,
                "--warm-up=" + warmUp))
            .times(factor);
  }

  /** Either end may have the figure, and both may have left garbage and retransmitted packets. */
  private Figure pair(List<String> arguments) throws InterruptedException {
    try (Child server = Child.start(java(with(arguments, "--server")))) {
      String line = server.awaitLine(each -> each.startsWith(ProbeCommand.PORT));
      String port = Printed.after(line, ProbeCommand.PORT);
      try (Child client = Child.start(java(with(arguments, "--port", port)))) {
        List<String> lines = new ArrayList<>(client.finish());
        lines.addAll(server.finish());
        return figure(lines);
      }
    }
  }

  /** One of our performance tools between two processes: a field of the client's result. */
  Trial tool(String device, String field, double factor, String... command) {
    return seconds -> {
      List<String> arguments = with(List.of(command), "-d", device, "--json");
      arguments.addAll(duration(seconds));
      try (Child server = Child.start(java(with(arguments, "-p", "0")))) {
        String port = Printed.after(server.awaitLine(line -> line.contains(LISTENING)), LISTENING);
        try (Child client = Child.start(java(with(arguments, "-p", port, "127.0.0.1")))) {
          List<String> lines = client.finish();
          return figure(factor * Printed.field(lines, field), lines, server.finish());
        }
      }
    };
  }

  /** The same in gigabytes per second. */
  Trial bandwidth(String device, String... command) {
    return tool(device, "average_mib_per_s", BYTES_PER_MIB / 1e9, command);
  }

  /** One of perftest's programs on the drop-in, as long as our tool: a column of its result. */
  Trial program(int column, double factor, String... command) {
    return seconds -> {
      if (runner.isEmpty()) {
        throw new Unavailable("only bin/verbena can run C programs");
      }
      List<String> arguments = with(with(runner, "-d", "soft0?link=udp", "--report=json"), command);
      String at = Child.freePort();
      arguments.addAll(duration(seconds));
      arguments.addAll(List.of("-F", "-p", at));
      try (Child server = Child.start(arguments)) {
        server.awaitListening(at);
        try (Child client = Child.start(with(arguments, "127.0.0.1"))) {
          List<String> lines = client.finish();
          return figure(factor * Printed.result(lines)[column], lines, server.finish());
        }
      }
    };
  }

  /**
   * Options of perftest's programs and of our tools. They leave out a margin at the beginning,
   * which is the warm-up, and an equal one at the end.
   */
  private List<String> duration(int seconds) {
    int measured = Math.max(1, seconds / 2);
    int margin = measured + warmUp;
    int all = measured + 2 * margin;
    return List.of("-D", Integer.toString(all), "-f", Integer.toString(margin));
  }

  private List<String> java(List<String> arguments) {
    return JavaCommand.of(main, arguments);
  }

  private static List<String> probe(String probe, int bytes, int seconds) {
    return List.of("compare-probe", probe, "--bytes=" + bytes, "--seconds=" + seconds);
  }

  private static List<String> with(List<String> command, String... more) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(more));
    return all;
  }

  /** The figure of two programs, from what both tell of themselves in JSON. */
  static Figure figure(double value, List<String> client, List<String> server) {
    Figure figure = Figure.of(value);
    for (List<String> lines : List.of(client, server)) {
      figure =
          figure
              .withGarbage(Printed.optional(lines, GARBAGE).orElse(Double.NaN))
              .withResent(Printed.field(lines, RESENT));
    }
    return figure;
  }

  /** The figure of one or two probes, from what they have printed. */
  static Figure figure(List<String> lines) {
    Figure figure = Figure.of(Double.NaN);
    for (String line : lines) {
      if (line.startsWith(ProbeCommand.FIGURE)) {
        figure = new Figure(Printed.number(line), figure.garbage(), figure.resent());
      } else if (line.startsWith(ProbeCommand.GARBAGE)) {
        figure = figure.withGarbage(Printed.number(line));
      } else if (line.startsWith(ProbeCommand.RESENT)) {
        figure = figure.withResent(Printed.number(line));
      }
    }
    if (Double.isNaN(figure.value())) {
      throw ToolException.failure("the probe printed no figure");
    }
    return figure;
  }
}
