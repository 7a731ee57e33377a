package dev.verbena.soft.engine;

import dev.verbena.soft.engine.BottleneckLink.Network;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.RunsLink;
import dev.verbena.soft.transport.CongestionControls;
import dev.verbena.soft.transport.Unlimited;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The throughput of connections between two devices through a bottleneck, in virtual time. Each
 * always has some WRITEs of 64 KiB outstanding.
 *
 * @param part fraction of the bottleneck's capacity that was used
 * @param least the slowest connection's throughput, as a fraction of an even share
 * @param again fraction of the packets that were retransmitted
 * @param overruns packets for which the bottleneck had no room
 */
record Goodput(double part, double least, double again, long overruns) {
  static final int MESSAGE = 1 << 16;
  private static final int OUTSTANDING = 8;
  static final int PAYLOAD = 1024;
  private static final int PACKET = PAYLOAD + 20;
  private static final int IN_FLIGHT = 42;
  private static final int NO_LIMIT = 1 << 20;

  /** 4.2 ms, a usual choice on a local network. */
  private static final int TIMEOUT = 10;

  /**
   * A network: gigabits per second, bytes of room before it, fraction lost, and the packets of a
   * run, which are single packets on the way.
   */
  record Way(double gigabits, int room, double loss, int segments) {
    private static final int DELAY_NANOS = 10_000;

    Way(double gigabits, int room, double loss) {
      this(gigabits, room, loss, 1);
    }

    /** The same with packets that leave in runs, of which some are under way at a time. */
    Way inRuns() {
      return new Way(gigabits, room, loss, IN_FLIGHT / 5);
    }

    private Link over(BottleneckLink bottleneck) {
      return segments == 1 ? bottleneck : new RunsLink(bottleneck, segments);
    }

    double nanosPerByte() {
      return Byte.SIZE / gigabits;
    }

    private Network there() {
      return new Network(nanosPerByte(), DELAY_NANOS, room, loss, IN_FLIGHT);
    }

    private Network back() {
      return new Network(nanosPerByte(), DELAY_NANOS, NO_LIMIT, loss, IN_FLIGHT);
    }
  }

  /** A connection that always has WRITEs outstanding. */
  record Sender(Peer from, Peer to) {
    /** Between two devices. */
    static Sender between(Engine near, Engine far) {
      return new Sender(new Peer(near, MESSAGE), new Peer(far, MESSAGE));
    }

    void begin() {
      from.connectTo(to, 100, 200, TIMEOUT);
      to.connectTo(from, 200, 100, TIMEOUT);
      for (int i = 0; i < OUTSTANDING; i++) {
        from.write(i, to, MESSAGE);
      }
    }

    /** Replaces completed WRITEs; returns how many there were. */
    int goOn() {
      int count = 0;
      for (WorkCompletion wc = from.pollOnly(); wc != null; wc = from.pollOnly()) {
        if (wc.status() != WcStatus.SUCCESS) {
          throw new AssertionError("a connection has ended: " + wc);
        }
        count++;
        from.write(wc.wrId(), to, MESSAGE);
      }
      return count;
    }
  }

  /** Always allows as much as the path takes. */
  static CongestionControls fixed() {
    return destination -> new Unlimited();
  }

  /**
   * Measures a number of connections for some nanoseconds; a seed decides which packets are lost.
   */
  static Goodput of(
      Way way, Supplier<CongestionControls> control, int connections, long nanos, long seed) {
    long[] now = {0};
    List<BottleneckLink> links = new ArrayList<>();
    try (Lab lab = new Lab(() -> now[0], false, false)) {
      Engine near =
          lab.farEngine(
              (link, counters) -> {
                links.add(new BottleneckLink(link, way.there(), seed));
                return way.over(links.getFirst());
              },
              control);
      Engine far =
          lab.farEngine(
              (link, counters) -> way.over(new BottleneckLink(link, way.back(), ~seed)), control);
      List<Sender> senders = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        senders.add(Sender.between(near, far));
      }
      senders.forEach(Sender::begin);
      long[] done = new long[connections];
      while (now[0] < nanos) {
        boolean nearAgain = near.step(now[0]);
        boolean again = far.step(now[0]) || nearAgain;
        for (int i = 0; i < connections; i++) {
          done[i] += senders.get(i).goOn();
        }
        if (!again) {
          now[0] = Math.max(now[0] + 1, Math.min(near.nextDeadline(), far.nextDeadline()));
        }
      }
      double most = nanos / (way.nanosPerByte() * PACKET) * PAYLOAD;
      long all = 0;
      long least = Long.MAX_VALUE;
      for (long one : done) {
        all += one;
        least = Math.min(least, one);
      }
      return new Goodput(
          all * MESSAGE / most,
          (double) least * connections / all,
          (double) near.tally().get(Counter.RETRANSMITTED) / near.tally().get(Counter.PACKETS_SENT),
          links.getFirst().dropped());
    }
  }
}
