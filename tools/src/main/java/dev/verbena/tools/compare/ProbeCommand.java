package dev.verbena.tools.compare;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code verbena compare-probe}: one measurement in a separate process, so that no code is compiled
 * for another one. Prints what it knows of the result; a server prints its port first.
 */
@Command(name = "compare-probe", hidden = true, description = "One measurement of compare.")
public final class ProbeCommand implements Callable<Integer> {
  /** Precedes a figure. */
  static final String FIGURE = "figure ";

  /** Precedes the bytes of garbage that this process left for each operation. */
  static final String GARBAGE = "garbage ";

  /** Precedes the number of packets that this process retransmitted. */
  static final String RESENT = "resent ";

  /** Precedes the port of a server. */
  static final String PORT = "port ";

  /** The probe of a link between two processes. */
  static final String LINK = "link";

  /** The probe of a link by a ping-pong between two processes. */
  static final String LINK_LATENCY = "link-latency";

  private final PrintWriter out;

  @Parameters(paramLabel = "PROBE", description = "What to measure.")
  private String probe = "";

  @Option(names = "--seconds", defaultValue = "1", description = "How long.")
  private int seconds;

  @Option(names = "--warm-up", defaultValue = "0", description = "Seconds before these.")
  private int warmUp;

  @Option(names = "--bytes", defaultValue = "8", description = "Of a message.")
  private int bytes;

  @Option(names = "--device", defaultValue = "soft0", description = "The device, at both ends.")
  private String device = "";

  @Option(
      names = "--traffic",
      defaultValue = "RDMA_WRITE,8,1,1,1",
      description = "On a link: OPCODE,BYTES,QPS,LIST,POSTS.")
  private String traffic = "";

  @Option(names = "--pairs", defaultValue = "1", description = "Of queue pairs in this process.")
  private int pairs;

  @Option(names = "--server", description = "The other end of two processes.")
  private boolean server;

  @Option(names = "--port", paramLabel = "PORT", description = "Of the server.")
  private @Nullable Integer port;

  /** Prints to {@code out}. */
  public ProbeCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    switch (probe) {
      case "copy" -> tell(MemoryProbes.copy(bytes, seconds));
      case "fetch-add" -> tell(MemoryProbes.fetchAdd(seconds));
      case "cmp-swap" -> tell(MemoryProbes.compareAndSwap(seconds));
      case "hand-off" -> tell(MemoryProbes.handOff(seconds));
      case "loopback-latency" -> measureLoopback(LoopbackProbe::latency);
      case "loopback-write" -> measureLoopback(each -> each.bulk(false, bytes));
      case "loopback-read" -> measureLoopback(each -> each.bulk(true, bytes));
      case "loopback-list" -> measureLoopback(LoopbackProbe::lists);
      case "loopback-fetch-add" ->
          measureLoopback(each -> each.atomic(WrOpcode.ATOMIC_FETCH_AND_ADD));
      case "loopback-cmp-swap" -> measureLoopback(each -> each.atomic(WrOpcode.ATOMIC_CMP_AND_SWP));
      case "many-write" -> tell(ManyQueuePairs.writes(device, pairs, bytes, seconds));
      case "many-setup" -> tell(ManyQueuePairs.setup(device, pairs));
      case "many-memory" -> tell(ManyQueuePairs.memory(device, pairs));
      case LINK -> link();
      case LINK_LATENCY -> linkLatency();
      default -> sockets();
    }
    return 0;
  }

  private interface Measure {
    Figure run(LoopbackProbe probe) throws InterruptedException;
  }

  private void measureLoopback(Measure measure) throws InterruptedException {
    try (LoopbackProbe loopback = new LoopbackProbe(device, bytes, seconds)) {
      tell(measure.run(loopback));
    }
  }

  private void link() throws IOException, InterruptedException {
    LinkTraffic what = LinkTraffic.of(traffic);
    if (server) {
      tell(LinkEnd.serve(device, what, this::tellPort));
    } else {
      tell(LinkEnd.measure(device, what, serverPort(), seconds, warmUp));
    }
  }

  private void linkLatency() throws IOException, InterruptedException {
    if (server) {
      tell(LinkEnd.follow(device, this::tellPort));
    } else {
      tell(LinkEnd.lead(device, serverPort(), seconds, warmUp));
    }
  }

  private void sockets() throws IOException {
    SocketProbe kind =
        Arrays.stream(SocketProbe.values())
            .filter(each -> each.option().equals(probe))
            .findFirst()
            .orElseThrow(() -> ToolException.usage("no such probe: " + probe));
    Optional<Figure> figure =
        server
            ? kind.serve(bytes, seconds, this::tellPort)
            : kind.measure(serverPort(), bytes, seconds);
    figure.ifPresent(this::tell);
  }

  private int serverPort() {
    if (port == null) {
      throw ToolException.usage(probe + " needs --server or --port");
    }
    return port;
  }

  private void tellPort(int listening) {
    out.println(PORT + listening);
  }

  private void tell(Figure figure) {
    tell(FIGURE, figure.value());
    tell(GARBAGE, figure.garbage());
    tell(RESENT, figure.resent());
  }

  private void tell(String what, double number) {
    if (!Double.isNaN(number)) {
      out.println(what + number);
    }
  }
}
