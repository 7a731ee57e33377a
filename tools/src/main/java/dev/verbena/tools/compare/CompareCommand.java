package dev.verbena.tools.compare;

import dev.verbena.tools.compare.Bound.Verdict;
import dev.verbena.tools.kit.ResultFiles;
import dev.verbena.tools.kit.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code verbena compare}: our device, other installed programs, and the limits of the computer.
 */
@Command(
    name = "compare",
    description = {
      "Measure this device beside other ways to move bytes, and beside what this computer can do at"
          + " all, in turns, and judge the ratios of the medians. A row is ok, short of its goal,"
          + " missed, or absent, if something that it must be compared with is not installed (see"
          + " --install). All rows take about 40 minutes, on a computer that does nothing else, and"
          + " up to three times as long where the host of a virtual one moves its processors. Exit"
          + " code 0 only if nothing is missed or absent."
    },
    optionListHeading = "%nOptions:%n")
public final class CompareCommand implements Callable<Integer> {
  private static final int ROUNDS = 3;
  private static final int SECONDS = 4;
  private static final int WARM_UP = 8;
  private static final int QUICK_ROUNDS = 1;
  private static final int QUICK_SECONDS = 2;

  private static final int PRACTICE = 5;

  /** Set by the script after installation. */
  private static final String INSTALLED = "VERBENA_INSTALLED";

  private final PrintWriter out;
  private final IntFunction<List<Metric>> metrics;
  private final DoubleSupplier handOff;

  @Parameters(
      arity = "0..*",
      paramLabel = "METRIC",
      description = "Rows whose names contain one of these (default: all).")
  private List<String> wanted = new ArrayList<>();

  @Option(names = "--list", description = "Print the names of the rows, and measure nothing.")
  private boolean list;

  @Option(
      names = "--quick",
      description = "One short round instead of " + ROUNDS + ": to see whether all works.")
  private boolean quick;

  @Option(
      names = "--install",
      description =
          "First install what is compared with: iperf3, qperf, UCX, libfabric and perftest by"
              + " apt-get as root, and Aeron by Maven.")
  private boolean install;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write all figures to a file as well.")
  private @Nullable Path json;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw how far each row reaches what is asked of it, in a file.")
  private @Nullable Path svg;

  /** Prints to {@code out}; children are started by {@code main}. */
  public CompareCommand(PrintWriter out, Class<?> main) {
    this(out, warmUp -> new Metrics(new Trials(main, warmUp)).all(), MemoryProbes::handOffNow);
  }

  /**
   * Prints to {@code out}.
   *
   * @param metrics makes the rows; takes the seconds that our links warm up
   * @param handOff see {@link Rounds}
   */
  CompareCommand(PrintWriter out, IntFunction<List<Metric>> metrics, DoubleSupplier handOff) {
    this.out = out;
    this.metrics = metrics;
    this.handOff = handOff;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (install && System.getenv(INSTALLED) == null) {
      throw ToolException.usage("only the script can install: bin/verbena compare --install");
    }
    ResultFiles.check("--json", json);
    ResultFiles.check("--svg", svg);
    List<Metric> chosen =
        metrics.apply(quick ? 0 : WARM_UP).stream().filter(this::isWanted).toList();
    if (chosen.isEmpty()) {
      throw ToolException.usage("no metric's name contains " + wanted + "; see --list");
    }
    if (list) {
      chosen.forEach(each -> out.println("%-22s %s".formatted(each.name(), each.title())));
      return 0;
    }
    out.println(Table.header());
    for (int i = 0; i < PRACTICE; i++) {
      // Until Java has compiled it, it is slower than later.
      double _ = handOff.getAsDouble();
    }
    List<Row> rows = new ArrayList<>();
    Rounds rounds =
        quick
            ? new Rounds(QUICK_ROUNDS, QUICK_SECONDS, handOff)
            : new Rounds(ROUNDS, SECONDS, handOff);
    for (Metric metric : chosen) {
      Row row = rounds.measure(metric);
      rows.add(row);
      Table.print(out, row);
    }
    for (Row row : Summary.of(rows)) {
      rows.add(row);
      Table.print(out, row);
    }
    if (json != null) {
      Files.writeString(json, Table.json(rows) + System.lineSeparator());
    }
    if (svg != null) {
      Files.writeString(svg, Chart.svg(rows));
    }
    return rows.stream().allMatch(row -> row.verdict().compareTo(Verdict.ABSENT) < 0) ? 0 : 1;
  }

  private boolean isWanted(Metric metric) {
    return wanted.isEmpty() || wanted.stream().anyMatch(metric.name()::contains);
  }
}
