package dev.verbena.tools.demo;

import dev.verbena.tools.kit.DeviceOption;
import dev.verbena.tools.kit.ItersOption;
import dev.verbena.tools.kit.JavaCommand;
import dev.verbena.tools.kit.Json;
import dev.verbena.tools.kit.ResultFiles;
import dev.verbena.tools.kit.SizeOption;
import dev.verbena.tools.trace.Trace;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.WcException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verbena demo}: two processes move data by RDMA and show the speed. */
@Command(
    name = "demo",
    description = {
      "Start a server process next to this one, and run SEND, RDMA WRITE, WRITE with immediate"
          + " data, READ and both atomics between them, with software devices over real UDP."
          + " Checks all data, then shows the latency of 8-byte messages and the bandwidth of"
          + " messages of --size bytes."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  verbena demo",
      "  verbena demo --device rxe0                               on a device of libibverbs",
      "  verbena demo --device 'soft0?faults=drop:0.01,seed:7'    with 1 %% of the packets lost",
      "  verbena demo --device 'soft0?capture=demo.pcapng'        500 MB of packets for Wireshark",
      "  verbena demo --svg demo.svg --device 'soft0?faults=drop:0.1,seed:7'"
          + "    a picture of what happens"
    })
public final class DemoCommand implements Callable<Integer> {
  /** A busy computer takes long to start a process; one that has ended is noticed at once. */
  private static final Duration START_PATIENCE = Duration.ofSeconds(60);

  private static final int CONTROL_MILLIS = 15_000;

  /** Payload of a bandwidth row, if time allows. */
  private static final long ROW_BYTES = 128L << 20;

  private static final int SMALL_SIZE = 8;
  private static final int DEFAULT_SIZE = 1 << 20;
  private static final int DEFAULT_ITERS = 2000;

  /** Of the large messages in a picture: three packets of the default path MTU. */
  private static final int DRAWN_SIZE = 10_000;

  private final PrintWriter out;
  private final Class<?> main;

  @Mixin private final DeviceOption device = new DeviceOption();

  @Option(
      names = "--server-device",
      paramLabel = "DEVICE",
      description = "The server's device, if different.")
  private @Nullable DeviceSpec serverDevice;

  @Mixin private final SizeOption size = new SizeOption(DEFAULT_SIZE);
  @Mixin private final ItersOption iters = new ItersOption(DEFAULT_ITERS);

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Seed of the data (default: a new one).")
  private @Nullable Long seed;

  @Option(
      names = "--json",
      description = "Print the result as one JSON object, and nothing else, on standard output.")
  private boolean json;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description =
          "Draw the packets in a file, as an image. Each operation runs only once with 8 bytes, and"
              + " once with --size bytes of at most "
              + DRAWN_SIZE
              + ".")
  private @Nullable Path svg;

  /**
   * Creates the command, which writes results to {@code out}.
   *
   * @param main class that starts the server process in the same way as this one
   */
  public DemoCommand(PrintWriter out, Class<?> main) {
    this.out = out;
    this.main = main;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    size.check(SMALL_SIZE, Round.MAX_SIZE);
    iters.check();
    ResultFiles.check("--svg", svg);
    DemoDevices devices = DemoDevices.of(device.spec(), serverDevice);
    long dataSeed = seed != null ? seed : new SecureRandom().nextInt(Integer.MAX_VALUE);
    if (svg == null) {
      run(devices, dataSeed);
    } else {
      draw(svg, devices, dataSeed);
    }
    return 0;
  }

  /** A capture that the user has not asked for is gone afterwards. */
  private void draw(Path image, DemoDevices devices, long dataSeed)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("verbena-demo");
    Path captured = folder.resolve("demo.pcapng");
    try {
      Path wanted = devices.clientCapture();
      run(wanted == null ? devices.clientCapture(captured) : devices, dataSeed);
      Trace.draw(wanted == null ? captured : wanted, image);
    } finally {
      Files.deleteIfExists(captured);
      Files.delete(folder);
    }
  }

  private void run(DemoDevices devices, long dataSeed) throws IOException, InterruptedException {
    // The client's device first: if it cannot be opened, no server process tells why.
    try (DemoEnd end = DemoEnd.open(devices.client(), false, size.bytes(), dataSeed);
        ServerProcess server = ServerProcess.start(serverCommand(devices.server(), dataSeed))) {
      run(server, end, dataSeed);
    }
  }

  private List<String> serverCommand(DeviceSpec serverSpec, long dataSeed) {
    return JavaCommand.of(
        main,
        List.of(
            DemoServerCommand.NAME,
            "--device=" + serverSpec,
            "--size=" + size.bytes(),
            "--seed=" + dataSeed));
  }

  private void run(ServerProcess server, DemoEnd end, long dataSeed)
      throws IOException, InterruptedException {
    int port = server.awaitPort(START_PATIENCE);
    try (Socket control = new Socket()) {
      control.setTcpNoDelay(true);
      control.setSoTimeout(CONTROL_MILLIS);
      try {
        control.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONTROL_MILLIS);
        ConnectionData remote = ConnectionData.exchange(control, end.local());
        end.connect(remote);
        if (!json) {
          introduce(server, end, remote, dataSeed);
        }
        DemoClient client = new DemoClient(end, remote, control);
        List<Measurement> rows = svg == null ? measure(client) : runOnce(client);
        if (json) {
          out.println(Json.text(object(rows, end, dataSeed)));
        } else {
          report(rows, end);
        }
      } catch (IOException e) {
        throw server.failure("stopped talking (" + e.getMessage() + ")");
      } catch (WcException e) {
        throw server.failure("no longer answers (" + e.getMessage() + ")");
      }
    }
  }

  private void introduce(ServerProcess server, DemoEnd end, ConnectionData remote, long dataSeed) {
    String way = device.spec().isSoftware() ? "RoCE v2 over UDP port 4791, " : "";
    out.println("Two processes on this computer, " + way + "data seed " + dataSeed);
    out.println(
        "  client  pid %-8d QP 0x%06x  at %s"
            .formatted(
                ProcessHandle.current().pid(),
                end.qp().qpNum(),
                end.local().endpoint().gid().toInetAddress().getHostAddress()));
    out.println(
        "  server  pid %-8d QP 0x%06x  at %s"
            .formatted(
                server.pid(),
                remote.endpoint().qpNum(),
                remote.endpoint().gid().toInetAddress().getHostAddress()));
    out.println();
  }

  private List<Measurement> measure(DemoClient client) throws IOException {
    List<Measurement> rows = new ArrayList<>();
    for (Operation operation : Operation.values()) {
      rows.add(client.latency(operation, SMALL_SIZE, iters.count()));
      if (!operation.isAtomic()) {
        rows.add(client.bandwidth(operation, size.bytes(), ROW_BYTES));
      }
    }
    return rows;
  }

  private List<Measurement> runOnce(DemoClient client) throws IOException {
    List<Measurement> rows = new ArrayList<>();
    for (Operation operation : Operation.values()) {
      rows.add(client.once(operation, SMALL_SIZE));
      if (!operation.isAtomic()) {
        rows.add(client.once(operation, Math.min(size.bytes(), DRAWN_SIZE)));
      }
    }
    return rows;
  }

  private void report(List<Measurement> rows, DemoEnd end) {
    new ResultTable(out).print(rows);
    out.println();
    if (svg == null) {
      out.println(
          "All data was checked on both sides. Small messages run one at a time, from post to");
      out.println(
          "completion; of the large ones "
              + Round.LARGE
              + " are in flight at once. The server sleeps.");
    } else {
      out.println("All data was checked on both sides. The packets of each message, as the client");
      out.println("sends and gets them, are drawn in " + svg + "; open it in a browser.");
      out.println("Each was sent once, by code that Java had not compiled yet: without --svg the");
      out.println("times are those that last.");
    }
    printFaults(end);
    out.println();
    out.println("Where to go next:");
    out.println("  verbena devinfo -v            what the device can do");
    out.println("  verbena rc-pingpong           wait for a client: another verbena, or the C");
    out.println("                                program ibv_rc_pingpong on another computer");
    out.println("  verbena demo --device 'soft0?faults=drop:0.01,seed:7'      lose packets");
    out.println("  verbena lab read --capture read.pcapng                     open in Wireshark");
    out.println(
        "  verbena demo --svg demo.svg   each operation once, and a picture of its packets");
    out.println("and in the sources of Verbena:");
    out.println("  README.md                     20 lines of Java that do an RDMA WRITE");
    out.println("  docs/rosetta.md               from libibverbs' names to Verbena's");
  }

  private static Map<String, Object> object(List<Measurement> rows, DemoEnd end, long dataSeed) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("test", "demo");
    object.put("device", end.context().device().name());
    object.put("seed", dataSeed);
    object.put("faults", faults(end));
    object.put("results", rows.stream().map(Measurement::fields).toList());
    return object;
  }

  private void printFaults(DemoEnd end) {
    Map<String, Long> counts = faults(end);
    if (!counts.isEmpty()) {
      StringJoiner text = new StringJoiner(", ");
      counts.forEach((name, count) -> text.add(name + "=" + count));
      out.println("Faults that the client's device caused: " + text + ".");
    }
  }

  /** How often each kind of fault hit the client's packets, by the name of its counter. */
  private static Map<String, Long> faults(DemoEnd end) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (Counter counter :
        List.of(
            Counter.FAULTS_DROPPED,
            Counter.FAULTS_DUPLICATED,
            Counter.FAULTS_REORDERED,
            Counter.FAULTS_DELAYED,
            Counter.FAULTS_CORRUPTED)) {
      Counters all = end.context().counters();
      long count = all.has(counter) ? all.get(counter) : 0;
      if (count > 0) {
        counts.put(counter.key(), count);
      }
    }
    return counts;
  }
}
