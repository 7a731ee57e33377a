package dev.verbena.soft.transport;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one device; any thread may add. */
public final class Tally implements Counters {
  // Written only by the constructor, so that readers need no lock.
  private final Map<Counter, LongAdder> adders = new EnumMap<>(Counter.class);

  /** All zero. */
  public Tally() {
    for (Counter counter : Counter.values()) {
      adders.put(counter, new LongAdder());
    }
  }

  /** Counts one. */
  public void count(Counter counter) {
    add(counter, 1);
  }

  /** Counts several at once. */
  public void add(Counter counter, long amount) {
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
