package dev.verbena.interop;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Mtu;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * How both sides of a connection are made.
 *
 * @param mtu path MTU
 * @param psn first PSN that each side sends; empty: each draws its own
 * @param regionAccess {@link Access} bits of the memory region
 * @param qpAccess {@link Access} bits of the queue pair
 * @param timeout the ACK timeout's code: 4.096 µs · 2^timeout
 * @param retry retransmissions; on rxe, 7 is for ever
 * @param rnrRetry RNR retries, 7 is for ever
 * @param patience how long a completion may take
 */
record PairSettings(
    Mtu mtu,
    OptionalInt psn,
    int regionAccess,
    int qpAccess,
    int timeout,
    int retry,
    int rnrRetry,
    Duration patience) {
  /** Bytes of each side's memory region. */
  static final int BUFFER = (1 << 20) + (64 << 10);

  /** Work requests that fit into each queue. */
  static final int QUEUE = 64;

  private static final int ALL =
      Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  /**
   * For a path that loses nothing: the timeout of 0.5 s is for a guest that gets no CPU.
   *
   * @see #forLossyPath()
   */
  static final PairSettings USUAL =
      new PairSettings(
          Mtu.MTU_1024, OptionalInt.empty(), ALL, ALL, 17, 6, 6, Duration.ofSeconds(10));

  PairSettings withMtu(Mtu value) {
    return new PairSettings(value, psn, regionAccess, qpAccess, timeout, retry, rnrRetry, patience);
  }

  PairSettings withPsn(int value) {
    return new PairSettings(
        mtu, OptionalInt.of(value), regionAccess, qpAccess, timeout, retry, rnrRetry, patience);
  }

  PairSettings withoutRegionAccess(int bits) {
    return new PairSettings(
        mtu, psn, regionAccess & ~bits, qpAccess, timeout, retry, rnrRetry, patience);
  }

  PairSettings withoutQpAccess(int bits) {
    return new PairSettings(
        mtu, psn, regionAccess, qpAccess & ~bits, timeout, retry, rnrRetry, patience);
  }

  PairSettings withRnrRetry(int value) {
    return new PairSettings(mtu, psn, regionAccess, qpAccess, timeout, retry, value, patience);
  }

  /** Repeats a lost packet after 67 ms, and as often as it can. */
  PairSettings forLossyPath() {
    return new PairSettings(
        mtu, psn, regionAccess, qpAccess, 14, 7, rnrRetry, patience.multipliedBy(3));
  }
}
