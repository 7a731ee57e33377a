package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.ProgressReporter;
import dev.verbena.tools.pingpong.end.PingpongEnd;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpInitAttr;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verbena rc-pingpong}: ibv_rc_pingpong, to whose C program it talks. */
@Command(
    name = "rc-pingpong",
    description = {
      "Exchange messages over a reliable connection. Works with libibverbs' ibv_rc_pingpong,"
          + " as client and as server."
    },
    footer = {"  verbena rc-pingpong -c", "  verbena rc-pingpong -c 127.0.0.1"})
public final class RcPingpongCommand implements Callable<Integer> {
  private static final int DEFAULT_SIZE = 4096;

  private final PrintWriter out;
  private final ProgressReporter reporter;

  @Mixin private final ExchangeOptions exchange = new ExchangeOptions(DEFAULT_SIZE);
  @Mixin private final PathMtuOption pathMtu = new PathMtuOption();

  @Option(
      names = {"-N", "--new_send"},
      description = "Post sends with the extended API, wrStart to wrComplete.")
  private boolean extendedApi;

  @Option(
      names = {"-t", "--ts"},
      description = "Print the time between receives, from the time stamps of their completions.")
  private boolean timestamps;

  @Mixin private final RefusedOptions refused = new RefusedOptions();

  /** Creates the command, which writes results to {@code out}. */
  public RcPingpongCommand(PrintWriter out, ProgressReporter reporter) {
    this.out = out;
    this.reporter = reporter;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    exchange.check(1, Integer.MAX_VALUE);
    refused.check();
    Mtu mtu = pathMtu.value();
    new PingpongSession(exchange, out, reporter)
        .stamped(timestamps)
        .play((end, messages) -> party(end, messages, ConnectedWiring.rc(end, mtu)));
    return 0;
  }

  private Party party(PingpongEnd end, Messages messages, Wiring wiring) {
    QpInitAttr attr = QpInitAttr.rc(end.cq());
    return extendedApi
        ? SingleParty.extended(end, attr, exchange, messages, wiring)
        : SingleParty.of(end, attr, exchange, messages, send -> wiring);
  }
}
