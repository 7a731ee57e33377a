package dev.verbena.tools.pingpong;

import dev.verbena.tools.SizeOption;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
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
      "Exchange messages over a reliable connection. Speaks with libibverbs' ibv_rc_pingpong,"
          + " as client and as server."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExample, in two terminals:%n",
    footer = {"  verbena rc-pingpong -c", "  verbena rc-pingpong -c 127.0.0.1"})
public final class RcPingpongCommand implements Callable<Integer> {
  private static final int DEFAULT_SIZE = 4096;

  private final PrintWriter out;

  @Mixin private final PingpongOptions options = new PingpongOptions();

  @Mixin private final ExchangeOptions exchange = new ExchangeOptions();
  @Mixin private final SizeOption size = new SizeOption(DEFAULT_SIZE);
  @Mixin private final PathMtuOption pathMtu = new PathMtuOption();

  @Option(
      names = {"-N", "--new_send"},
      description = "Post sends with the extended API, wrStart to wrComplete.")
  private boolean extendedApi;

  @Option(
      names = {"-t", "--ts"},
      description = "Tell the time between receives, by the time stamps of their completions.")
  private boolean timestamps;

  @Mixin private final RefusedOptions refused = new RefusedOptions();

  /** Writes results to {@code out}. */
  public RcPingpongCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    exchange.check();
    size.check(1, Integer.MAX_VALUE);
    refused.check();
    Mtu mtu = pathMtu.value();
    int cqe = exchange.rxDepth() + 1;
    try (PingpongEnd end = PingpongEnd.open(options, size.bytes(), cqe, timestamps)) {
      Messages messages = new Messages(end.region(), 0);
      Party party = party(end, messages, mtu);
      new PingpongSession(options, exchange, out).play(end, party, messages, 1);
    }
    return 0;
  }

  private Party party(PingpongEnd end, Messages messages, Mtu mtu) {
    QpInitAttr attr = SingleParty.sized(QpInitAttr.rc(end.cq()), exchange.rxDepth());
    Wiring wiring = ConnectedWiring.rc(end, mtu);
    if (extendedApi) {
      QueuePairEx qp = end.pd().createQpEx(attr.sendOps(SendOps.SEND));
      return new SingleParty(qp, wiring, new ExtendedSend(qp, messages), messages.recv());
    }
    QueuePair qp = end.pd().createQp(attr);
    SendWr send = messages.send(qp);
    return new SingleParty(qp, wiring, () -> qp.postSend(send), messages.recv());
  }
}
