package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.ProgressReporter;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.pingpong.end.PingpongEnd;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.QpInitAttr;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code verbena ud-pingpong}: ibv_ud_pingpong, to whose C program it talks. */
@Command(
    name = "ud-pingpong",
    description = {
      "Exchange datagrams, of one packet each. Works with libibverbs' ibv_ud_pingpong, as client"
          + " and as server. Nothing is retransmitted: if a message is lost, both ends fail."
    },
    footer = {"  verbena ud-pingpong -c", "  verbena ud-pingpong -c 127.0.0.1"})
public final class UdPingpongCommand implements Callable<Integer> {
  private static final int DEFAULT_SIZE = 1024;

  private final PrintWriter out;
  private final ProgressReporter reporter;

  @Mixin private final ExchangeOptions exchange = new ExchangeOptions(DEFAULT_SIZE);

  /** Creates the command, which writes results to {@code out}. */
  public UdPingpongCommand(PrintWriter out, ProgressReporter reporter) {
    this.out = out;
    this.reporter = reporter;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    exchange.check(0, Integer.MAX_VALUE - Grh.LENGTH);
    new PingpongSession(exchange, out, reporter).headroom(Grh.LENGTH).play(this::party);
    return 0;
  }

  private Party party(PingpongEnd end, Messages messages) {
    checkFits(end);
    return SingleParty.of(
        end, QpInitAttr.ud(end.cq()), exchange, messages, send -> new UdWiring(end, send));
  }

  private void checkFits(PingpongEnd end) {
    int mtu = end.context().queryPort(exchange.common().peer().ibPort()).activeMtu().bytes();
    if (exchange.size() > mtu) {
      throw ToolException.failure(
          "--size=%d is larger than port %d's MTU of %d bytes"
              .formatted(exchange.size(), exchange.common().peer().ibPort(), mtu));
    }
  }
}
