package dev.verbena.verbs.provider;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/** How many objects of each kind a device has, and may have. */
public final class Population {
  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

  private final ToIntFunction<Kind> most;

  /**
   * None.
   *
   * @param most the limit for each kind
   */
  public Population(ToIntFunction<Kind> most) {
    this.most = most;
  }

  /** Counts one more; returns false if the limit is reached. */
  synchronized boolean add(Kind kind) {
    if (counts.getOrDefault(kind, 0) >= most.applyAsInt(kind)) {
      return false;
    }
    counts.merge(kind, 1, Integer::sum);
    return true;
  }

  /** Counts one less. */
  synchronized void remove(Kind kind) {
    counts.merge(kind, -1, Integer::sum);
  }

  /** How many there are of a kind. */
  public synchronized int count(Kind kind) {
    return counts.getOrDefault(kind, 0);
  }

  /** The exception for a refusal by {@link #add}. */
  public VerbsException full(String function, Kind kind) {
    return new VerbsException(
        function,
        Errno.ENOMEM,
        "the device's limit of " + most.applyAsInt(kind) + " " + kind.text() + "s is reached");
  }
}
