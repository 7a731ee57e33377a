package dev.verbena.soft.transport;

import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.soft.memory.Windows;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.RocePacket;
import org.jspecify.annotations.Nullable;

/**
 * What the protocol machines of one queue pair have in common.
 *
 * @param service its transport service
 * @param parameters what the application set by modify
 * @param status its state
 * @param keys the device's regions
 * @param domain its protection domain
 * @param windows the device's memory windows
 * @param owner it, as the owner of windows
 * @param tally its counters, which are part of the device's
 * @param events where its events go
 * @param clock time
 * @param sabotage deliberate mistakes
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
    Sabotage sabotage) {
  /**
   * The checks of S12.6.1 that responses have in common with requests.
   *
   * @return what counts the packet as dropped, or null if it may pass
   */
  public @Nullable Counter obstacle(RocePacket packet, long srcHi, long srcLo) {
    if (!status.receives()) {
      return Counter.DROPPED_QP_STATE;
    }
    if (srcHi != parameters.peerHi() || srcLo != parameters.peerLo()) {
      return Counter.DROPPED_SOURCE;
    }
    return Responder.pkeysMatch(packet.pkey(), parameters.pkey()) ? null : Counter.DROPPED_PKEY;
  }
}
