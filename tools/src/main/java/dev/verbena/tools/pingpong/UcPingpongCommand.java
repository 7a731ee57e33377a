package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.ProgressReporter;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpInitAttr;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code verbena uc-pingpong}: ibv_uc_pingpong, to whose C program it talks. */
@Command(
    name = "uc-pingpong",
    description = {
      "Exchange messages over an unreliable connection. Works with libibverbs' ibv_uc_pingpong, as"
          + " client and as server. Nothing is retransmitted: if a message is lost, both ends fail."
    },
    footer = {"  verbena uc-pingpong -c", "  verbena uc-pingpong -c 127.0.0.1"})
public final class UcPingpongCommand implements Callable<Integer> {
  private static final int DEFAULT_SIZE = 4096;

  private final PrintWriter out;
  private final ProgressReporter reporter;

  @Mixin private final ExchangeOptions exchange = new ExchangeOptions(DEFAULT_SIZE);
  @Mixin private final PathMtuOption pathMtu = new PathMtuOption();

  /** Creates the command, which writes results to {@code out}. */
  public UcPingpongCommand(PrintWriter out, ProgressReporter reporter) {
    this.out = out;
    this.reporter = reporter;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    exchange.check(1, Integer.MAX_VALUE);
    Mtu mtu = pathMtu.value();
    new PingpongSession(exchange, out, reporter)
        .play(
            (end, messages) ->
                SingleParty.of(
                    end,
                    QpInitAttr.uc(end.cq()),
                    exchange,
                    messages,
                    send -> ConnectedWiring.uc(end, mtu)));
    return 0;
  }
}
