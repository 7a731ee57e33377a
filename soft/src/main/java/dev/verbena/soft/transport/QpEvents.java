package dev.verbena.soft.transport;

import dev.verbena.verbs.EventType;

/** Receives a queue pair's asynchronous events. May be called under any of its guards. */
@FunctionalInterface
public interface QpEvents {
  /** Raises an event of the queue pair. */
  void raise(EventType type);
}
