package dev.verbena.tools.pingpong;

import dev.verbena.tools.SizeOption;
import dev.verbena.tools.ToolException;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendWr;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code verbena ud-pingpong}: ibv_ud_pingpong, to whose C program it talks. */
@Command(
    name = "ud-pingpong",
    description = {
      "Exchange datagrams, of one packet each. Speaks with libibverbs' ibv_ud_pingpong, as client"
          + " and as server. Nothing is repeated: after a lost message both ends fail."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExample, in two terminals:%n",
    footer = {"  verbena ud-pingpong -c", "  verbena ud-pingpong -c 127.0.0.1"})
public final class UdPingpongCommand implements Callable<Integer> {
  private static final int DEFAULT_SIZE = 1024;

  private final PrintWriter out;

  @Mixin private final PingpongOptions options = new PingpongOptions();
  @Mixin private final ExchangeOptions exchange = new ExchangeOptions();
  @Mixin private final SizeOption size = new SizeOption(DEFAULT_SIZE);

  /** Writes results to {@code out}. */
  public UdPingpongCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    exchange.check();
    size.check(0, Integer.MAX_VALUE - Grh.LENGTH);
    try (PingpongEnd end =
        PingpongEnd.open(options, Grh.LENGTH + size.bytes(), exchange.rxDepth() + 1)) {
      checkFits(end);
      Messages messages = new Messages(end.region(), Grh.LENGTH);
      QueuePair qp =
          end.pd().createQp(SingleParty.sized(QpInitAttr.ud(end.cq()), exchange.rxDepth()));
      SendWr send = messages.send(qp);
      Party party =
          new SingleParty(qp, new UdWiring(end, send), () -> qp.postSend(send), messages.recv());
      new PingpongSession(options, exchange, out).play(end, party, messages, 1);
    }
    return 0;
  }

  private void checkFits(PingpongEnd end) {
    int mtu = end.context().queryPort(options.ibPort()).activeMtu().bytes();
    if (size.bytes() > mtu) {
      throw ToolException.failure(
          "--size=%d is larger than port %d's MTU of %d bytes"
              .formatted(size.bytes(), options.ibPort(), mtu));
    }
  }
}
