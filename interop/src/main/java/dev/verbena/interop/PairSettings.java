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
 * @param rnrRetry RNR retries, 7 is for ever
 * @param lossy whether the path loses packets
 */
record PairSettings(
    Mtu mtu, OptionalInt psn, int regionAccess, int qpAccess, int rnrRetry, boolean lossy) {
  /** Bytes of each side's memory region. */
  static final int BUFFER = (1 << 20) + (64 << 10);

  /** Work requests that fit into each queue. */
  static final int QUEUE = 64;

  private static final int ALL =
      Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  // Codes of the ACK timeout, 4.096 µs · 2^code.
  private static final int HALF_A_SECOND = 17;
  private static final int QUARTER_OF_A_SECOND = 16;
  private static final int FIFTEENTH_OF_A_SECOND = 14;

  private static final int PACKETS_ON_LOSSY_PATH = 256;

  /** All rights, on a path that loses nothing. */
  static final PairSettings USUAL =
      new PairSettings(Mtu.MTU_1024, OptionalInt.empty(), ALL, ALL, 6, false);

  PairSettings withMtu(Mtu value) {
    return new PairSettings(value, psn, regionAccess, qpAccess, rnrRetry, lossy);
  }

  PairSettings withPsn(int value) {
    return new PairSettings(mtu, OptionalInt.of(value), regionAccess, qpAccess, rnrRetry, lossy);
  }

  PairSettings withoutRegionAccess(int bits) {
    return new PairSettings(mtu, psn, regionAccess & ~bits, qpAccess, rnrRetry, lossy);
  }

  PairSettings withoutQpAccess(int bits) {
    return new PairSettings(mtu, psn, regionAccess, qpAccess & ~bits, rnrRetry, lossy);
  }

  PairSettings withRnrRetry(int value) {
    return new PairSettings(mtu, psn, regionAccess, qpAccess, value, lossy);
  }

  PairSettings onLossyPath() {
    return new PairSettings(mtu, psn, regionAccess, qpAccess, rnrRetry, true);
  }

  /**
   * Our ACK timeout's code. It is long because the guest may get no CPU for a while, and we give up
   * after {@link #retry()} retries without progress.
   */
  int ourTimeout() {
    return lossy ? QUARTER_OF_A_SECOND : HALF_A_SECOND;
  }

  /**
   * The kernel's: short where packets get lost, because rxe resumes a READ whose response has a gap
   * only when the timer expires.
   */
  int kernelTimeout() {
    return lossy ? FIFTEENTH_OF_A_SECOND : HALF_A_SECOND;
  }

  /** Retransmissions; on rxe, 7 is for ever. */
  int retry() {
    return lossy ? 7 : 6;
  }

  /** How long a completion may take. */
  Duration patience() {
    return Duration.ofSeconds(lossy ? 30 : 10);
  }

  /** The longest message to send: with loss, rxe would take half a minute for 4096 packets. */
  int longestMessage() {
    return lossy ? PACKETS_ON_LOSSY_PATH * mtu.bytes() : Integer.MAX_VALUE;
  }
}
