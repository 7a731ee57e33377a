package dev.verbena.tools.pingpong;

import dev.verbena.tools.SizeOption;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendWr;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code verbena uc-pingpong}: ibv_uc_pingpong, to whose C program it talks. */
@Command(
    name = "uc-pingpong",
    description = {
      "Exchange messages over an unreliable connection. Speaks with libibverbs' ibv_uc_pingpong,"
          + " as client and as server. Nothing is repeated: after a lost message both ends fail."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExample, in two terminals:%n",
    footer = {"  verbena uc-pingpong -c", "  verbena uc-pingpong -c 127.0.0.1"})
public final class UcPingpongCommand implements Callable<Integer> {
  private static final int DEFAULT_SIZE = 4096;

  private final PrintWriter out;

  @Mixin private final PingpongOptions options = new PingpongOptions();
  @Mixin private final ExchangeOptions exchange = new ExchangeOptions();
  @Mixin private final SizeOption size = new SizeOption(DEFAULT_SIZE);
  @Mixin private final PathMtuOption pathMtu = new PathMtuOption();

  /** Writes results to {@code out}. */
  public UcPingpongCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    exchange.check();
    size.check(1, Integer.MAX_VALUE);
    Mtu mtu = pathMtu.value();
    try (PingpongEnd end = PingpongEnd.open(options, size.bytes(), exchange.rxDepth() + 1)) {
      Messages messages = new Messages(end.region(), 0);
      QueuePair qp =
          end.pd().createQp(SingleParty.sized(QpInitAttr.uc(end.cq()), exchange.rxDepth()));
      SendWr send = messages.send(qp);
      Party party =
          new SingleParty(
              qp, ConnectedWiring.uc(end, mtu), () -> qp.postSend(send), messages.recv());
      new PingpongSession(options, exchange, out).play(end, party, messages, 1);
    }
    return 0;
  }
}
