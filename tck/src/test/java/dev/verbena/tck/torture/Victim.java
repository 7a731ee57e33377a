package dev.verbena.tck.torture;

import dev.verbena.verbs.ConnectionData;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The queue pair at one end of a lane, as an attacker on its device sees it.
 *
 * @param atLeft whether it is the end that posts
 */
record Victim(Lane lane, boolean atLeft) {
  /** The one number of a packet that is wrong, and enough to keep the traffic safe. */
  enum Miss {
    /** The sequence number; protects connections. */
    PSN,
    /** The source address; protects connections. */
    SOURCE,
    /** The Q_Key; protects datagrams. */
    QKEY,
    /** The P_Key. */
    PARTITION,
    /** The service that the opcode belongs to. */
    SERVICE,
    /** The number of the queue pair, which nobody has. */
    NUMBER
  }

  /**
   * The most packets of a UC lane's batch under attack. Its target loses no more in a row, so that
   * it still takes what is further behind the batch for late.
   */
  static final int MOST_UC_PACKETS = 1 << 12;

  private static final Set<Miss> OF_CONNECTIONS = EnumSet.complementOf(EnumSet.of(Miss.QKEY));
  private static final Set<Miss> OF_DATAGRAMS =
      EnumSet.complementOf(EnumSet.of(Miss.PSN, Miss.SOURCE));

  private static final int PSN_MASK = 0xff_ffff;

  /** The distance to keep from PSNs in use on both sides: more than are ever under way. */
  private static final int MARGIN = 1 << 10;

  /** How much further {@link Attack#AHEAD} goes. */
  private static final int CLOSE = 1 << 16;

  /** How far behind late packets are at most; from 65,536 on they would be a new beginning. */
  private static final int LATE = 1 << 15;

  Service service() {
    return lane.service();
  }

  /** The misses that protect it. */
  Set<Miss> misses() {
    return service() == Service.UD ? OF_DATAGRAMS : OF_CONNECTIONS;
  }

  int qpn() {
    return atLeft ? lane.qp().qpNum() : target().endpoint().qpNum();
  }

  /** The lane's memory, and its target's queue pair. */
  ConnectionData target() {
    return Objects.requireNonNull(lane.target(), "the lane has connected");
  }

  /** Whether the lane has a queue pair with this number at either end. */
  boolean hasNumber(int qpn) {
    return qpn == lane.qp().qpNum() || qpn == target().endpoint().qpNum();
  }

  /** The PSN of a packet that this queue pair may expect right now. */
  int psnInUse(SplittableRandom random) {
    if (atLeft && random.nextInt(4) == 0) {
      return firstBack();
    }
    int next = lane.nextPsn();
    int underWay = next - lane.batchPsn() & PSN_MASK;
    return next - (random.nextBoolean() ? 0 : random.nextInt(underWay + 1)) & PSN_MASK;
  }

  /** The PSN that the lane expects of its target, which sends no request. */
  private int firstBack() {
    return target().endpoint().psn();
  }

  /**
   * A PSN that nobody may expect now.
   *
   * @param close whether it is to be closely ahead, if that is none
   */
  int unusedPsn(SplittableRandom random, boolean close) {
    if (service() == Service.UC) {
      int first = atLeft ? firstBack() : lane.batchPsn() - MOST_UC_PACKETS;
      return first - 1 - random.nextInt(LATE) & PSN_MASK;
    }
    int psn;
    do {
      psn =
          close
              ? lane.nextPsn() + MARGIN + 1 + random.nextInt(CLOSE) & PSN_MASK
              : random.nextInt(PSN_MASK + 1);
    } while (isNear(psn, lane.batchPsn(), lane.nextPsn()) || isNear(psn, firstBack(), firstBack()));
    return psn;
  }

  private static boolean isNear(int psn, int first, int last) {
    return (psn - first + MARGIN & PSN_MASK) <= (last - first & PSN_MASK) + 2 * MARGIN;
  }
}
