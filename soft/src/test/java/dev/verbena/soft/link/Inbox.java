package dev.verbena.soft.link;

import dev.verbena.verbs.Counter;
import dev.verbena.wire.Address;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Keeps what a link delivers and counts. */
public final class Inbox implements Receiver, LinkCounters {
  /** A datagram with everything the link told about it; never compared as a whole. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Mail(
      byte[] bytes,
      Address source,
      Address destination,
      int srcPort,
      int ttl,
      int tos,
      int place,
      long now) {}

  private static final long PATIENCE_NANOS = 10_000_000_000L;

  public final List<Mail> mails = new ArrayList<>();
  private final Map<Counter, Long> counts = new EnumMap<>(Counter.class);

  @Override
  public void datagram(Arrival arrival, long now) {
    byte[] bytes =
        arrival.datagram.asSlice(arrival.offset, arrival.length).toArray(ValueLayout.JAVA_BYTE);
    mails.add(
        new Mail(
            bytes,
            arrival.source,
            arrival.destination,
            arrival.srcPort,
            arrival.hopLimit,
            arrival.trafficClass,
            arrival.place,
            now));
  }

  @Override
  public synchronized void add(Counter counter, long count) {
    counts.merge(counter, count, Long::sum);
  }

  public synchronized long count(Counter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  /** Waits on the link until it has delivered that many in all. */
  public void expect(Link link, int total) {
    long start = System.nanoTime();
    while (mails.size() < total) {
      long left = PATIENCE_NANOS - (System.nanoTime() - start);
      if (left <= 0) {
        throw new AssertionError("only " + mails.size() + " of " + total + " datagrams arrived");
      }
      if (link.receive(this, total - mails.size(), System.nanoTime()) == 0) {
        link.await(left);
      }
    }
  }
}
