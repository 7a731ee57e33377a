package dev.verbena.soft.link;

import dev.verbena.verbs.Counter;

/**
 * Counts what only links see: {@link Counter#SEND_BLOCKED}, {@link Counter#SEND_LOST}, {@link
 * Counter#SOCKET_OVERFLOWS} and the faults. Called by senders and receivers concurrently.
 */
@FunctionalInterface
public interface LinkCounters {
  /** Adds {@code count} to a counter. */
  void add(Counter counter, long count);
}
