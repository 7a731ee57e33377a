package dev.verbena.soft.transport;

import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.soft.memory.Windows;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Iba;
import dev.verbena.wire.Address;
import org.jspecify.annotations.Nullable;

/**
 * The common parts of the protocol machines of one queue pair.
 *
 * @param service its transport service
 * @param parameters the values set by modify
 * @param status its state
 * @param keys the device's regions
 * @param domain its protection domain
 * @param windows the device's memory windows
 * @param owner the queue pair as owner of memory windows
 * @param tally its counters, which are part of the device's
 * @param events receives its events
 * @param clock time
 * @param acks decides when it asks for an acknowledgement and sends one
 * @param journal receives reports of what goes wrong
 */
public record QpCore(
    Service service,
    QpParameters parameters,
    QpStatus status,
    KeyTable keys,
    Domain domain,
    Windows windows,
    WindowOwner owner,
    Tally tally,
    QpEvents events,
    Clock clock,
    AckPolicy acks,
    Journal journal) {
  /**
   * The checks of S12.6.1 that requests and responses share, which drop a packet before its
   * sequence is checked.
   *
   * @param source the sender's address
   * @param pkey its P_Key
   * @return the counter for the drop, or null if it may pass
   */
  public @Nullable Counter obstacle(Address source, int pkey) {
    if (!status.receives()) {
      return Counter.DROPPED_QP_STATE;
    }
    if (service.connected && !source.equals(parameters.peer)) {
      return Counter.DROPPED_SOURCE;
    }
    return Iba.pkeysMatch(pkey, parameters.pkey) ? null : Counter.DROPPED_PKEY;
  }
}
