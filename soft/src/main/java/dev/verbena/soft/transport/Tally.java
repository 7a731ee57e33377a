package dev.verbena.soft.transport;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The counters of one device, or of one queue pair of it; any thread may add. */
@SuppressWarnings("EnumOrdinal") // each packet is counted: one load finds its counter
public final class Tally implements Counters {
  private final @Nullable Tally whole;

  /** By ordinal. */
  private final LongAdder[] adders = new LongAdder[Counter.values().length];

  /** By ordinal; null if there is none. */
  private final @Nullable GuardedCount[] guarded = new @Nullable GuardedCount[adders.length];

  /** The parts that have not ended. Also the lock for itself and for their end. */
  private final Set<Tally> parts = new HashSet<>();

  /**
   * What some part counts under a guard, under the lock of {@link #parts}: only for these is there
   * something to add up, and ends of queue pairs ask for others.
   */
  private final Set<Counter> guardedInParts = EnumSet.noneOf(Counter.class);

  /** The tally of a device, all zero. */
  public Tally() {
    this(null);
  }

  private Tally(@Nullable Tally whole) {
    this.whole = whole;
    Arrays.setAll(adders, i -> new LongAdder());
  }

  /** The tally of a queue pair of this device, all zero; its counts are added here as well. */
  public Tally part() {
    Tally part = new Tally(this);
    synchronized (parts) {
      parts.add(part);
    }
    return part;
  }

  /**
   * The queue pair has ended: its guarded counts are no longer used, and the device keeps their
   * counts.
   */
  public void end() {
    Tally device = whole;
    if (device == null) {
      return;
    }
    synchronized (device.parts) {
      if (device.parts.remove(this)) {
        for (int i = 0; i < guarded.length; i++) {
          device.adders[i].add(counted(i));
        }
      }
    }
  }

  /** What counts for this counter under one guard. */
  public GuardedCount guarded(Counter counter) {
    return guarded(counter, null);
  }

  /**
   * What counts for this counter under one guard.
   *
   * @param companion what is counted at the same time; null if nothing is
   */
  public synchronized GuardedCount guarded(Counter counter, @Nullable GuardedCount companion) {
    int ordinal = counter.ordinal();
    GuardedCount count = guarded[ordinal];
    if (count == null) {
      count = companion == null ? new GuardedCount() : companion.beside();
      guarded[ordinal] = count;
      Tally device = whole;
      if (device != null) {
        device.addUp(counter);
      }
    }
    return count;
  }

  private void addUp(Counter counter) {
    synchronized (parts) {
      guardedInParts.add(counter);
    }
  }

  private long counted(int ordinal) {
    GuardedCount count = guarded[ordinal];
    return count == null ? 0 : count.get();
  }

  /** Counts one. */
  public void count(Counter counter) {
    adders[counter.ordinal()].increment();
    if (whole != null) {
      whole.adders[counter.ordinal()].increment();
    }
  }

  /** Counts several at once. */
  public void add(Counter counter, long amount) {
    adders[counter.ordinal()].add(amount);
    if (whole != null) {
      whole.adders[counter.ordinal()].add(amount);
    }
  }

  /** Counts packets and their bytes, each by its counter. */
  public void traffic(Counter ofPackets, long packets, Counter ofBytes, long bytes) {
    adders[ofPackets.ordinal()].add(packets);
    adders[ofBytes.ordinal()].add(bytes);
    if (whole != null) {
      whole.adders[ofPackets.ordinal()].add(packets);
      whole.adders[ofBytes.ordinal()].add(bytes);
    }
  }

  /** Counts received packets in this tally only, because the device counts whole batches. */
  public void received(int packets, long bytes) {
    adders[Counter.PACKETS_RECEIVED.ordinal()].add(packets);
    adders[Counter.BYTES_RECEIVED.ordinal()].add(bytes);
  }

  @Override
  public long get(Counter counter) {
    int ordinal = counter.ordinal();
    synchronized (parts) {
      long sum = adders[ordinal].sum() + counted(ordinal);
      if (guardedInParts.contains(counter)) {
        for (Tally part : parts) {
          sum += part.counted(ordinal);
        }
      }
      return sum;
    }
  }

  @Override
  public String toString() {
    return text();
  }
}
