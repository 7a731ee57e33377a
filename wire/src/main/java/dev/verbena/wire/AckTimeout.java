package dev.verbena.wire;

/** Local ACK timeout codes, 0..31 (S12.5.7; qp_attr.timeout). */
public final class AckTimeout {
  /** What {@link #nanos} returns for code 0: the timer is off. */
  public static final long INFINITE = Long.MAX_VALUE;

  private static final long UNIT_NANOS = 4096;

  private AckTimeout() {}

  /** 4.096 µs × 2^code in nanoseconds, or {@link #INFINITE} for code 0. */
  public static long nanos(int code) {
    int exponent = code & 0x1F;
    return exponent == 0 ? INFINITE : UNIT_NANOS << exponent;
  }
}
