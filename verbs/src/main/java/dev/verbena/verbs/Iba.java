package dev.verbena.verbs;

import java.time.Duration;

/** Numbers that the InfiniBand Architecture Specification fixes for every fabric. */
public final class Iba {
  /** Q_Key of queue pair 1, where management datagrams go. */
  public static final int DEFAULT_QP1_QKEY = 0x8001_0000;

  /** Bytes of a management datagram (MAD). */
  public static final int MAD_LENGTH = 256;

  /** Bits of a packet sequence number (PSN). */
  public static final int PSN_BITS = 24;

  /** The P_Key of the default partition, as full member. */
  public static final int DEFAULT_PKEY = 0xffff;

  /** The bit of a P_Key that full members of its partition have. */
  public static final int PKEY_FULL_MEMBER = 0x8000;

  /** The bits of a P_Key that name the partition. */
  private static final int PKEY_PARTITION = 0x7fff;

  /** The first LID of a multicast group; those up to {@link #LID_MULTICAST_LAST} are groups. */
  public static final int LID_MULTICAST = 0xc000;

  /** The last LID of a multicast group. */
  public static final int LID_MULTICAST_LAST = 0xfffe;

  /** The LID that any port takes, for packets along a directed route. */
  public static final int LID_PERMISSIVE = 0xffff;

  /** The physical state of a port whose link is up ({@link PortAttr#physState()}). */
  public static final int LINK_UP = 5;

  /** The subnet prefix of GIDs that are valid in their own subnet only: fe80::/64. */
  public static final long DEFAULT_GID_PREFIX = 0xfe80L << 48;

  /** Propagation time of a subnet whose manager tells none, as a timer code. */
  static final int DEFAULT_SUBNET_TIMEOUT = 18;

  private static final Duration TIMER_UNIT = Duration.ofNanos(4096);
  private static final int MAX_TIMER = 31;

  /**
   * The time that a timer code stands for: 4.096 µs × 2^code.
   *
   * @param code 0 to 63; most codes have five bits
   * @throws VerbsException EINVAL for another code
   */
  public static Duration fromTimer(int code) {
    if (code < 0 || code >= Long.SIZE) {
      throw new VerbsException("timer", Errno.EINVAL, "timer code " + code + ", not 0 to 63");
    }
    // In two steps, for 2^63 is no long.
    return TIMER_UNIT.multipliedBy(1L << (code / 2)).multipliedBy(1L << (code - code / 2));
  }

  /**
   * The code of five bits for a time, rounded up to the next one there is: ⌈log2(time / 4.096 µs)⌉.
   * Longer times than 31 stands for, 2 h 27 min, are 31.
   */
  public static int toTimer(Duration time) {
    int code = 0;
    while (code < MAX_TIMER && fromTimer(code).compareTo(time) < 0) {
      code++;
    }
    return code;
  }

  /** Whether two P_Keys are of one partition, be their owners full members or limited ones. */
  public static boolean samePartition(int pkey, int other) {
    return ((pkey ^ other) & PKEY_PARTITION) == 0;
  }

  /** Whether two P_Keys name the same partition and at least one is a full member's. */
  public static boolean pkeysMatch(int pkey, int other) {
    return ((pkey ^ other) & PKEY_PARTITION) == 0 && ((pkey | other) & PKEY_FULL_MEMBER) != 0;
  }

  private Iba() {}
}
