package dev.verbena.soft.transport;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The counters of one device, or of one queue pair of it; any thread may add. */
@SuppressWarnings("EnumOrdinal") // each packet is counted: one load finds its counter
public final class Tally implements Counters {
  private final @Nullable Tally whole;

  /** By ordinal. */
  private final LongAdder[] adders = new LongAdder[Counter.values().length];

  /** Of a device, all zero. */
  public Tally() {
    this(null);
  }

  private Tally(@Nullable Tally whole) {
    this.whole = whole;
    Arrays.setAll(adders, i -> new LongAdder());
  }

  /** Of a queue pair of this device, all zero: what is counted there is counted here as well. */
  public Tally part() {
    return new Tally(this);
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

  /** Counts what the device has counted already. */
  public void addHere(Counter counter, long amount) {
    adders[counter.ordinal()].add(amount);
  }

  @Override
  public long get(Counter counter) {
    return adders[counter.ordinal()].sum();
  }
}
