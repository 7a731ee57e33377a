package dev.verbena.soft.engine;

import dev.verbena.soft.engine.qp.Multicast;
import dev.verbena.soft.engine.tx.PeerWindows;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.CongestionControls;
import dev.verbena.soft.transport.Tally;
import java.util.random.RandomGenerator;

/**
 * The parts of an engine that are passed in, so that a seed and a virtual clock reproduce a run.
 *
 * @param name of the device, for the thread and for messages
 * @param clock engine time
 * @param random source of keys, queue pair numbers and first PSNs; need not be thread-safe
 * @param tally the device's counters
 * @param threaded whether a thread makes progress when nobody polls; otherwise only polling and
 *     {@code Engine.step} do
 * @param loopback whether peers in this process are reached without packets; both devices must
 *     allow it
 * @param checkIcrc whether packets with a wrong ICRC are dropped
 * @param admission decides which datagrams to multicast groups it takes
 * @param congestion decides how much may be in flight to a destination
 */
public record EngineOptions(
    String name,
    Clock clock,
    RandomGenerator random,
    Tally tally,
    boolean threaded,
    boolean loopback,
    boolean checkIcrc,
    Multicast.Admission admission,
    CongestionControls congestion) {

  /**
   * The usual options: queue pairs to one destination share a peer window ({@link PeerWindows}).
   */
  public EngineOptions(
      String name,
      Clock clock,
      RandomGenerator random,
      Tally tally,
      boolean threaded,
      boolean loopback,
      boolean checkIcrc,
      Multicast.Admission admission) {
    this(name, clock, random, tally, threaded, loopback, checkIcrc, admission, new PeerWindows());
  }
}
