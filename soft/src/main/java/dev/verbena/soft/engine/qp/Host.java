package dev.verbena.soft.engine.qp;

import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.Tally;
import dev.verbena.wire.Address;
import org.jspecify.annotations.Nullable;

/** The engine of a device, as its own queue pairs and those of its neighbors see it. */
public interface Host {
  /** The device's time. */
  Clock clock();

  /** The device's counters. */
  Tally tally();

  /** The device's address. */
  Address address();

  /** The multicast groups of the device. */
  Multicast multicast();

  /** The queue pair with this number, or null. */
  @Nullable QpRuntime find(int qpNum);

  /**
   * Returns when no request of a peer is inside memory of this domain under a key that it looked up
   * before this call. The caller may hold a requester guard.
   */
  void quiesceAnswers(Domain domain);

  /** A device that is reached without packets ends; its last packets may still be in the link. */
  void neighborLeaves(Address neighbor);
}
