package dev.verbena.soft.link;

import dev.verbena.verbs.Counter;

/**
 * Where links count what only they see: {@link Counter#SEND_BLOCKED}, {@link
 * Counter#SOCKET_OVERFLOWS} and the faults. Called from senders and receivers at once.
 */
@FunctionalInterface
public interface LinkCounters {
  /** Adds {@code count} to a counter. */
  void add(Counter counter, long count);
}
