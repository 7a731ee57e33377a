package dev.verbena.wire;

/**
 * The syndrome byte of an {@link Aeth} (S12.6.4): 000ccccc is an ACK with a credit code, 001ttttt
 * an RNR NAK with a timer code, 010xxxxx is reserved, 011nnnnn a NAK. All values are 0..255.
 */
public final class AethSyndrome {
  /** ACK without a limit on credits. */
  public static final int ACK_UNLIMITED = 0x1F;

  /** NAK: a packet is missing before the one received. */
  public static final int NAK_PSN_SEQUENCE_ERROR = 0x60;

  /** NAK: the request makes no sense to the responder. */
  public static final int NAK_INVALID_REQUEST = 0x61;

  /** NAK: key, range or rights forbid the access. */
  public static final int NAK_REMOTE_ACCESS_ERROR = 0x62;

  /** NAK: the responder cannot complete the request. */
  public static final int NAK_REMOTE_OPERATIONAL_ERROR = 0x63;

  /** NAK: invalid reliable datagram request. */
  public static final int NAK_INVALID_RD_REQUEST = 0x64;

  /** What {@link #credits} returns for "no limit". */
  public static final int UNLIMITED_CREDITS = Integer.MAX_VALUE;

  private static final int KIND_MASK = 0xE0;
  private static final int CODE_MASK = 0x1F;
  private static final int ACK = 0x00;
  private static final int RNR = 0x20;
  private static final int NAK = 0x60;

  /** Credit code to count, S12.5.11. */
  private static final int[] CREDITS = {
    0,
    1,
    2,
    3,
    4,
    6,
    8,
    12,
    16,
    24,
    32,
    48,
    64,
    96,
    128,
    192,
    256,
    384,
    512,
    768,
    1024,
    1536,
    2048,
    3072,
    4096,
    6144,
    8192,
    12288,
    16384,
    24576,
    32768,
    UNLIMITED_CREDITS
  };

  private AethSyndrome() {}

  /** The ACK with this credit code, 0..31. */
  public static int ack(int creditCode) {
    return ACK | (creditCode & CODE_MASK);
  }

  /** The RNR NAK with this timer code, 0..31; see {@link RnrTimer}. */
  public static int rnr(int timerCode) {
    return RNR | (timerCode & CODE_MASK);
  }

  /** Whether this is an ACK. */
  public static boolean isAck(int syndrome) {
    return (syndrome & KIND_MASK) == ACK;
  }

  /** Whether this is an RNR NAK. */
  public static boolean isRnr(int syndrome) {
    return (syndrome & KIND_MASK) == RNR;
  }

  /** Whether this is a NAK other than RNR, whether its code is known or not. */
  public static boolean isNak(int syndrome) {
    return (syndrome & KIND_MASK) == NAK;
  }

  /** The five low bits: credit code of an ACK, timer code of an RNR NAK, error code of a NAK. */
  public static int code(int syndrome) {
    return syndrome & CODE_MASK;
  }

  /** How many messages beyond the acknowledged ones an ACK allows, by its credit code. */
  public static int credits(int creditCode) {
    return CREDITS[creditCode & CODE_MASK];
  }

  /** The largest credit code, 0..30, that promises no more than {@code count} messages. */
  public static int creditCode(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("credit count " + count + " is negative");
    }
    if (count < 2) {
      return count;
    }
    // Two codes for each power of two: it, and one and a half times it.
    int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(count);
    return Math.min(2 * power + (count >> (power - 1) & 1), CODE_MASK - 1);
  }
}
