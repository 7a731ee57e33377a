package dev.verbena.soft.transport;

import dev.verbena.wire.Address;

/** The congestion controls of a device; for any thread. */
@FunctionalInterface
public interface CongestionControls {
  /** One for a queue pair that is connected to this destination; to be ended. */
  CongestionControl to(Address destination);
}
