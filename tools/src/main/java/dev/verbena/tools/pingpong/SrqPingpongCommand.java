package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.ProgressReporter;
import dev.verbena.tools.kit.Ranges;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.pingpong.end.PingpongEnd;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verbena srq-pingpong}: ibv_srq_pingpong, to whose C program it talks. */
@Command(
    name = "srq-pingpong",
    description = {
      "Exchange messages over several reliable connections that share one receive queue. Works"
          + " with libibverbs' ibv_srq_pingpong, as client and as server."
    },
    footer = {"  verbena srq-pingpong -c", "  verbena srq-pingpong -c 127.0.0.1"})
public final class SrqPingpongCommand implements Callable<Integer> {
  private static final int DEFAULT_SIZE = 4096;

  /** Number of addresses that each end sends, whatever the number of its queue pairs. */
  private static final int ADDRESSES = 256;

  private final PrintWriter out;
  private final ProgressReporter reporter;

  @Mixin private final ExchangeOptions exchange = new ExchangeOptions(DEFAULT_SIZE);
  @Mixin private final PathMtuOption pathMtu = new PathMtuOption();

  @Option(
      names = {"-q", "--num-qp"},
      paramLabel = "COUNT",
      defaultValue = "16",
      description = "Queue pairs (default: ${DEFAULT-VALUE}). Must be the same at both ends.")
  private int qpCount;

  @Mixin private final OdpOption odp = new OdpOption();

  /** Creates the command, which writes results to {@code out}. */
  public SrqPingpongCommand(PrintWriter out, ProgressReporter reporter) {
    this.out = out;
    this.reporter = reporter;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    exchange.check(1, Integer.MAX_VALUE);
    odp.check();
    Mtu mtu = pathMtu.value();
    Ranges.check("--num-qp", qpCount, 1, ADDRESSES - 1);
    if (qpCount > exchange.rxDepth()) {
      throw ToolException.usage(
          "--rx-depth=%d is less than --num-qp=%d: there must be a receive for each queue pair"
              .formatted(exchange.rxDepth(), qpCount));
    }
    new PingpongSession(exchange, out, reporter)
        .queuePairs(qpCount)
        .addresses(ADDRESSES)
        .play((end, messages) -> party(end, messages, mtu));
    return 0;
  }

  private Party party(PingpongEnd end, Messages messages, Mtu mtu) {
    SharedReceiveQueue srq = end.pd().createSrq(SrqInitAttr.basic(exchange.rxDepth(), 1));
    List<QueuePair> qps = new ArrayList<>();
    for (int i = 0; i < qpCount; i++) {
      qps.add(end.pd().createQp(SingleParty.sized(QpInitAttr.rc(end.cq()), 0).srq(srq)));
    }
    return new SharedParty(
        srq, qps, ConnectedWiring.rc(end, mtu), messages.send(qps.getFirst()), messages.recv());
  }
}
