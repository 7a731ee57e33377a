package dev.verbena.soft.transport;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The counters of one device, or of one queue pair of it; any thread may add. */
public final class Tally implements Counters {
  private final @Nullable Tally whole;
  // Written only by the constructor, so that readers need no lock.
  private final Map<Counter, LongAdder> adders = new EnumMap<>(Counter.class);

  /** Of a device, all zero. */
  public Tally() {
    this(null);
  }

  private Tally(@Nullable Tally whole) {
    this.whole = whole;
    for (Counter counter : Counter.values()) {
      adders.put(counter, new LongAdder());
    }
  }

  /** Of a queue pair of this device, all zero: what is counted there is counted here as well. */
  public Tally part() {
    return new Tally(this);
  }

  /** Counts one. */
  public void count(Counter counter) {
    add(counter, 1);
  }

  /** Counts several at once. */
  public void add(Counter counter, long amount) {
    addHere(counter, amount);
    if (whole != null) {
      whole.addHere(counter, amount);
    }
  }

  /** Counts what the device has counted already. */
  public void addHere(Counter counter, long amount) {
    adder(counter).add(amount);
  }

  @Override
  public long get(Counter counter) {
    return adder(counter).sum();
  }

  private LongAdder adder(Counter counter) {
    return Objects.requireNonNull(adders.get(counter));
  }
}
