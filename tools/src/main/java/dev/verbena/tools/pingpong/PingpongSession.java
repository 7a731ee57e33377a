package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.Progress;
import dev.verbena.tools.kit.ProgressReporter;
import dev.verbena.tools.kit.SideChannel;
import dev.verbena.tools.pingpong.end.Destination;
import dev.verbena.tools.pingpong.end.Meeting;
import dev.verbena.tools.pingpong.end.PingpongBuffer;
import dev.verbena.tools.pingpong.end.PingpongEnd;
import dev.verbena.tools.pingpong.end.PingpongOptions;
import dev.verbena.verbs.QueuePair;
import java.io.IOException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** One end of any measuring ping-pong, from opening the device to the statistics. */
final class PingpongSession {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ExchangeOptions exchange;
  private final PingpongOptions options;
  private final PrintWriter out;
  private final ProgressReporter reporter;
  private int completions;
  private int headroom;
  private boolean stamped;
  private int addresses = 1;

  /** Creates this end's queue pairs, in INIT. */
  interface PartyMaker {
    /**
     * @param messages the memory to send from and receive into
     */
    Party make(PingpongEnd end, Messages messages);
  }

  /** A session for one queue pair, with checked options. */
  PingpongSession(ExchangeOptions exchange, PrintWriter out, ProgressReporter reporter) {
    this.exchange = exchange;
    this.options = exchange.common();
    this.out = out;
    this.reporter = reporter;
    completions = exchange.rxDepth() + 1;
  }

  /** A random first packet sequence number. */
  static int startPsn() {
    return RANDOM.nextInt(1 << 24);
  }

  /** Sets the number of queue pairs, each of which may have a send in flight. */
  PingpongSession queuePairs(int count) {
    completions = exchange.rxDepth() + count;
    return this;
  }

  /** Sets the room that a receive needs before the message. */
  PingpongSession headroom(int bytes) {
    headroom = bytes;
    return this;
  }

  /** Sets whether completions have time stamps. */
  PingpongSession stamped(boolean yes) {
    stamped = yes;
    return this;
  }

  /** Sets the number of addresses sent to the peer, at least one for each queue pair. */
  PingpongSession addresses(int count) {
    addresses = count;
    return this;
  }

  /** Opens the device, connects to the peer, plays, and destroys everything. */
  void play(PartyMaker maker) throws IOException, InterruptedException {
    long bytes = (long) headroom + exchange.size();
    try (PingpongEnd end = PingpongEnd.open(options, bytes, completions, stamped)) {
      Messages messages = new Messages(end.region(), headroom);
      play(end, maker.make(end, messages), messages);
    }
  }

  private void play(PingpongEnd end, Party party, Messages messages)
      throws IOException, InterruptedException {
    PingpongBuffer buffer = new PingpongBuffer(messages.message());
    if (options.isClient() && exchange.checksData()) {
      buffer.mark();
    }
    PingpongLoop loop = new PingpongLoop(exchange, end, party);
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
      Traffic traffic = new Traffic(messages.size(), exchange.iters(), run(loop, messages.size()));
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

  private long run(PingpongLoop loop, long size) throws InterruptedException {
    String what = "exchange of %d bytes".formatted(size);
    try (Progress progress = reporter.begin(what, exchange.iters())) {
      return loop.run(options.isClient(), progress);
    }
  }
}
