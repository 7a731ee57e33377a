package dev.verbena.tools.top;

import dev.verbena.tools.kit.Json;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.top.Rates.Measured;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Providers;
import dev.verbena.verbs.spi.DeviceMonitor;
import dev.verbena.verbs.spi.DeviceReport;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verbena top}: what the open devices of processes do, live. */
@Command(
    name = "top",
    description = {
      "Show what the open software devices of all your processes do, Java programs and those of"
          + " 'verbena run', again and again until you end it (Ctrl-C). Root sees the processes of"
          + " all users. Rates are those since the last look; 'in memory' are messages that needed"
          + " no packet.",
      "",
      "With --json each look is one line with all counters and how fast they grow."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  verbena top",
      "  verbena top -i 5 --json | jq -c '.devices[] | [.pid, .counters.retransmitted]'",
      "  verbena top --once --json       the counters as they are now, for a script"
    })
public final class TopCommand implements Callable<Integer> {
  private static final double LEAST = 0.1;
  private static final double MOST = 3600;
  private static final double NANOS_PER_SECOND = 1e9;

  /** A device answers within about a second. */
  private static final Duration PATIENCE = Duration.ofMillis(1500);

  private final PrintWriter out;

  @Option(
      names = {"-i", "--interval"},
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "How long from one look to the next (default: ${DEFAULT-VALUE}).")
  private double interval;

  @Option(
      names = "--once",
      description =
          "Print one table, of one interval, and end; with --json at once, without rates.")
  private boolean once;

  @Option(names = "--json", description = "Print a JSON object a line for each look.")
  private boolean json;

  /** Prints to {@code out}. */
  public TopCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (!(interval >= LEAST && interval <= MOST)) {
      throw ToolException.usage(
          "--interval=%s is not in %s to %.0f seconds".formatted(interval, LEAST, MOST));
    }
    Providers<DeviceMonitor> monitors =
        new Providers<>(
            "top", ServiceLoader.load(DeviceMonitor.class, TopCommand.class.getClassLoader()));
    Rates rates = new Rates();
    long pause = (long) (interval * NANOS_PER_SECOND);
    long next = System.nanoTime();
    boolean isFirst = true;
    while (true) {
      List<Measured> devices = rates.next(look(monitors));
      if (json) {
        out.println(Json.text(object(devices)));
      } else if (!isFirst) {
        show(Table.lines(devices));
      }
      out.flush();
      if (once && (json || !isFirst)) {
        return 0;
      }
      if (out.checkError()) {
        // Who has read it has gone, as head does.
        return 0;
      }
      isFirst = false;
      next = Math.max(next + pause, System.nanoTime());
      TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
    }
  }

  private static List<DeviceReport> look(Providers<DeviceMonitor> monitors)
      throws InterruptedException {
    List<DeviceReport> all = new ArrayList<>();
    for (DeviceMonitor monitor : monitors) {
      all.addAll(monitor.look(PATIENCE));
    }
    return all;
  }

  /** On a terminal each table takes the place of the last one. */
  private void show(List<String> lines) {
    TerminalNative.Size size = TerminalNative.size();
    if (once || size.rows() == 0) {
      lines.forEach(out::println);
      if (!once) {
        out.println();
      }
      return;
    }
    StringBuilder screen = new StringBuilder("\033[H");
    lines.stream()
        .limit(size.rows() - 1L)
        .map(line -> line.substring(0, Math.min(line.length(), size.columns())))
        .forEach(line -> screen.append(line).append("\033[K\r\n"));
    out.print(screen.append("\033[J"));
  }

  private static Map<String, Object> object(List<Measured> devices) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
    object.put("devices", devices.stream().map(TopCommand::object).toList());
    return object;
  }

  /** All counters: a device tells of those that are not 0, and says nothing if it is stopped. */
  private static Map<String, Long> counters(DeviceReport report) {
    Map<String, Long> all = new TreeMap<>();
    if (report.answers()) {
      for (Counter counter : Counter.values()) {
        all.put(counter.key(), 0L);
      }
    }
    all.putAll(report.counters());
    return all;
  }

  private static Map<String, Object> object(Measured device) {
    DeviceReport report = device.report();
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("user", report.user());
    object.put("pid", report.pid());
    object.put("program", report.program());
    object.put("device", report.device());
    object.put("answers", report.answers());
    object.put("objects", new TreeMap<>(report.objects()));
    object.put("counters", counters(report));
    object.put("per_second", device.perSecond());
    return object;
  }
}
