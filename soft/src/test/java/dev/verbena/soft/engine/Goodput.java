package dev.verbena.soft.engine;

import dev.verbena.soft.engine.BottleneckLink.Network;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.RunsLink;
import dev.verbena.soft.link.SendBatch;
import dev.verbena.soft.transport.CongestionControls;
import dev.verbena.soft.transport.Unlimited;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.Arrays;
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

  /** More than may be in flight. */
  private static final int OUTSTANDING = 16;

  private static final int HEADERS = 20;
  private static final int NO_LIMIT = 1 << 20;

  /** 4.2 ms, a usual choice on a local network. */
  private static final int TIMEOUT = 10;

  /**
   * How a sender sends: the payload of its packets, how many may be in flight, and how many leave
   * as a run, which is single packets on the way.
   */
  record Packets(Mtu mtu, int inFlight, int segments) {
    static final Packets SMALL = new Packets(Mtu.MTU_1024, 42, 1);

    /** The same in runs of which some are under way at a time. */
    static final Packets SMALL_IN_RUNS = new Packets(Mtu.MTU_1024, 42, 8);

    /** As a device over UDP sends by default, to a peer whose buffer it does not know. */
    static final Packets OF_DEVICE = new Packets(Mtu.MTU_4096, 50, SendBatch.CAPACITY);

    /** The same to a peer that has said that its buffer is large. */
    static final Packets TO_LARGE_BUFFER = new Packets(Mtu.MTU_4096, 151, SendBatch.CAPACITY);

    /** Bytes of room for all that may be in flight, and half as much that was sent again. */
    int room() {
      return inFlight * mtu.bytes() * 3 / 2;
    }

    Link over(BottleneckLink bottleneck) {
      return segments == 1 ? bottleneck : new RunsLink(bottleneck, segments);
    }
  }

  /** A network: gigabits per second, fraction lost, what is sent, and bytes of room before it. */
  record Way(double gigabits, double loss, Packets packets, int room) {
    private static final int DELAY_NANOS = 10_000;

    /** One with room enough. */
    Way(double gigabits, double loss, Packets packets) {
      this(gigabits, loss, packets, packets.room());
    }

    /** Nanoseconds that it takes for so many packets. */
    private double nanos(int count) {
      return count * nanosPerByte() * (packets.mtu().bytes() + HEADERS);
    }

    private double nanosPerByte() {
      return Byte.SIZE / gigabits;
    }

    private Network there() {
      return new Network(nanosPerByte(), DELAY_NANOS, room, loss, packets.inFlight());
    }

    private Network back() {
      return new Network(nanosPerByte(), DELAY_NANOS, NO_LIMIT, loss, packets.inFlight());
    }
  }

  /** A connection that always has WRITEs outstanding. */
  record Sender(Peer from, Peer to, Mtu mtu) {
    /** Between two devices. */
    static Sender between(Engine near, Engine far, Mtu mtu) {
      return new Sender(new Peer(near, MESSAGE), new Peer(far, MESSAGE), mtu);
    }

    void begin() {
      from.connectTo(to, 100, 200, TIMEOUT, mtu);
      to.connectTo(from, 200, 100, TIMEOUT, mtu);
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
   * Measures a number of connections for as long as the way takes for a number of packets, once for
   * each seed, which decides which packets are lost; returns the means, and the sum of overruns.
   */
  static Goodput mean(
      Way way, Supplier<CongestionControls> control, int connections, int count, long... seeds) {
    // If none are lost, one seed is like the other.
    long[] used = way.loss() == 0 ? Arrays.copyOf(seeds, 1) : seeds;
    double part = 0;
    double least = 0;
    double again = 0;
    long overruns = 0;
    for (long seed : used) {
      Goodput one = of(way, control, connections, count, seed);
      part += one.part / used.length;
      least += one.least / used.length;
      again += one.again / used.length;
      overruns += one.overruns;
    }
    return new Goodput(part, least, again, overruns);
  }

  private static Goodput of(
      Way way, Supplier<CongestionControls> control, int connections, int count, long seed) {
    double nanos = way.nanos(count);
    long[] now = {0};
    List<BottleneckLink> links = new ArrayList<>();
    try (Lab lab = new Lab(() -> now[0], false, false)) {
      Engine near =
          lab.farEngine(
              (link, counters) -> {
                links.add(new BottleneckLink(link, way.there(), seed));
                return way.packets().over(links.getFirst());
              },
              control);
      Engine far =
          lab.farEngine(
              (link, counters) -> way.packets().over(new BottleneckLink(link, way.back(), ~seed)),
              control);
      List<Sender> senders = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        senders.add(Sender.between(near, far, way.packets().mtu()));
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
      long all = 0;
      long least = Long.MAX_VALUE;
      for (long one : done) {
        all += one;
        least = Math.min(least, one);
      }
      return new Goodput(
          (double) all * MESSAGE / count / way.packets().mtu().bytes(),
          (double) least * connections / all,
          (double) near.tally().get(Counter.RETRANSMITTED) / near.tally().get(Counter.PACKETS_SENT),
          links.getFirst().dropped());
    }
  }
}
