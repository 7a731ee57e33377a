package dev.verbena.interop.sides;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOps;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Settings of both sides of a connection.
 *
 * @param type RC or UD
 * @param mtu path MTU
 * @param psn first PSN that each side sends; empty lets each side choose its own
 * @param regionAccess {@link Access} bits of the memory region; FLUSH_PERSISTENT is for those sides
 *     only that can register such memory, {@link Side#isPersistent}
 * @param qpAccess {@link Access} bits of the queue pair
 * @param sendOps {@link SendOps} bits of operations that only the extended API can post; 0 for the
 *     usual API
 * @param rnrRetry RNR retries, 7 for no limit
 * @param lossy whether the path loses packets
 */
public record PairSettings(
    QpType type,
    Mtu mtu,
    OptionalInt psn,
    int regionAccess,
    int qpAccess,
    int sendOps,
    int rnrRetry,
    boolean lossy) {
  /** Bytes of each side's memory region. */
  public static final int BUFFER = (1 << 20) + (64 << 10);

  /** Work requests that fit into each queue. */
  static final int QUEUE = 64;

  /** The PSN before the first one, 0. */
  public static final int LAST_PSN = (1 << 24) - 1;

  private static final int ALL =
      Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  // Codes of the ACK timeout, 4.096 µs · 2^code.
  private static final int HALF_A_SECOND = 17;
  private static final int QUARTER_OF_A_SECOND = 16;
  private static final int FIFTEENTH_OF_A_SECOND = 14;

  private static final int PACKETS_ON_LOSSY_PATH = 256;

  /** All rights, on a path that loses nothing. */
  public static final PairSettings USUAL =
      new PairSettings(QpType.RC, Mtu.MTU_1024, OptionalInt.empty(), ALL, ALL, 0, 6, false);

  public PairSettings ofType(QpType value) {
    return new PairSettings(value, mtu, psn, regionAccess, qpAccess, sendOps, rnrRetry, lossy);
  }

  public PairSettings withMtu(Mtu value) {
    return new PairSettings(type, value, psn, regionAccess, qpAccess, sendOps, rnrRetry, lossy);
  }

  public PairSettings withPsn(int value) {
    return new PairSettings(
        type, mtu, OptionalInt.of(value), regionAccess, qpAccess, sendOps, rnrRetry, lossy);
  }

  public PairSettings withRegionAccess(int bits) {
    return new PairSettings(
        type, mtu, psn, regionAccess | bits, qpAccess, sendOps, rnrRetry, lossy);
  }

  public PairSettings withoutRegionAccess(int bits) {
    return new PairSettings(
        type, mtu, psn, regionAccess & ~bits, qpAccess, sendOps, rnrRetry, lossy);
  }

  public PairSettings withQpAccess(int bits) {
    return new PairSettings(
        type, mtu, psn, regionAccess, qpAccess | bits, sendOps, rnrRetry, lossy);
  }

  public PairSettings withoutQpAccess(int bits) {
    return new PairSettings(
        type, mtu, psn, regionAccess, qpAccess & ~bits, sendOps, rnrRetry, lossy);
  }

  public PairSettings withSendOps(int bits) {
    return new PairSettings(type, mtu, psn, regionAccess, qpAccess, bits, rnrRetry, lossy);
  }

  public PairSettings withRnrRetry(int value) {
    return new PairSettings(type, mtu, psn, regionAccess, qpAccess, sendOps, value, lossy);
  }

  public PairSettings onLossyPath() {
    return new PairSettings(type, mtu, psn, regionAccess, qpAccess, sendOps, rnrRetry, true);
  }

  /** What every side can register. */
  int usualRegionAccess() {
    return regionAccess & ~Access.FLUSH_PERSISTENT;
  }

  /**
   * Our ACK timeout's code. It is long because the guest may get no CPU for a while, and we give up
   * after {@link #retry()} retries without progress.
   */
  int ourTimeout() {
    return lossy ? QUARTER_OF_A_SECOND : HALF_A_SECOND;
  }

  /**
   * The kernel's timeout code. It is short on a lossy path, because rxe resumes a READ with a gap
   * in its response only when the timer expires.
   */
  int kernelTimeout() {
    return lossy ? FIFTEENTH_OF_A_SECOND : HALF_A_SECOND;
  }

  /** Retransmissions; 7 means no limit on rxe. */
  int retry() {
    return lossy ? 7 : 6;
  }

  /** The longest time for a completion. */
  Duration patience() {
    return Duration.ofSeconds(lossy ? 30 : 10);
  }

  /** The longest message to send: with loss, rxe would take half a minute for 4096 packets. */
  public int longestMessage() {
    return lossy ? PACKETS_ON_LOSSY_PATH * mtu.bytes() : Integer.MAX_VALUE;
  }
}
