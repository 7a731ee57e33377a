package dev.verbena.tools.pingpong;

import dev.verbena.verbs.QueuePair;
import java.io.IOException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** One end of a ping-pong of any kind, from its first receives to the statistics. */
final class PingpongSession {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final PingpongOptions options;
  private final ExchangeOptions exchange;
  private final PrintWriter out;

  PingpongSession(PingpongOptions options, ExchangeOptions exchange, PrintWriter out) {
    this.options = options;
    this.exchange = exchange;
    this.out = out;
  }

  /** A first packet sequence number. */
  static int startPsn() {
    return RANDOM.nextInt(1 << 24);
  }

  /**
   * Meets the peer, plays, and takes everything down.
   *
   * @param party this end's queue pairs, in INIT
   * @param messages where they send from and receive into
   * @param addresses how many the peer is told, at least one for each queue pair
   */
  void play(PingpongEnd end, Party party, Messages messages, int addresses)
      throws IOException, InterruptedException {
    PingpongBuffer buffer = new PingpongBuffer(messages.message());
    if (options.isClient() && exchange.checksData()) {
      buffer.mark();
    }
    PingpongLoop loop = new PingpongLoop(options, exchange, end, party);
    loop.prepare();
    List<Destination> local = new ArrayList<>();
    for (QueuePair qp : party.qps()) {
      local.add(end.local(qp.qpNum(), startPsn()));
    }
    Meeting meeting = new Meeting(options, out, addresses);
    try (SideChannel channel = meeting.open(local)) {
      meeting.hold(
          channel,
          local,
          remote -> {
            for (int i = 0; i < local.size(); i++) {
              party.connect(i, local.get(i), remote.get(i));
            }
          });
      Traffic traffic =
          new Traffic(messages.size(), exchange.iters(), loop.run(options.isClient()));
      out.println(traffic.bandwidthLine());
      out.println(traffic.latencyLine());
      end.receiveTimes().forEach(out::println);
      channel.part();
    }
    if (!options.isClient() && exchange.checksData()) {
      buffer.invalidPages().forEach(page -> out.println("invalid data in page " + page));
    }
    loop.acknowledgeEvents();
    party.destroy();
    end.release();
  }
}
