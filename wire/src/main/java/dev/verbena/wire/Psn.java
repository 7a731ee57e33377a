package dev.verbena.wire;

/**
 * Packet sequence numbers: 24 bits, modular (S12.5.1). Every method accepts any int and uses its
 * low 24 bits; every returned PSN is in 0..0xFFFFFF.
 *
 * <p>Two PSNs have an order only while they are less than 2^23 apart, which is why at most 2^23-1
 * may be outstanding.
 */
public final class Psn {
  /** All bits of a PSN. */
  public static final int MASK = Layouts.LOW_24;

  /** The most PSNs that may be outstanding. */
  public static final int MAX_OUTSTANDING = (1 << 23) - 1;

  private Psn() {}

  /** The low 24 bits. */
  public static int mask(int psn) {
    return psn & MASK;
  }

  /** The PSN after this one. */
  public static int next(int psn) {
    return (psn + 1) & MASK;
  }

  /** The PSN {@code count} after this one, or before it if {@code count} is negative. */
  public static int add(int psn, int count) {
    return (psn + count) & MASK;
  }

  /** How many PSNs a message of so many bytes takes: at least one. */
  public static int count(long length, int mtu) {
    return length <= mtu ? 1 : (int) ((length + mtu - 1) / mtu);
  }

  /** {@code a - b} as a signed distance, -2^23..2^23-1. */
  public static int diff(int a, int b) {
    return (a - b) << 8 >> 8;
  }

  /** Whether a PSN is {@code first} or later, and before {@code end}; at most 2^23 PSNs apart. */
  public static boolean isWithin(int psn, int first, int end) {
    return ((psn - first) & MASK) < ((end - first) & MASK);
  }

  /** Negative, zero or positive as {@code a} is before, equal to or after {@code b}. */
  public static int compare(int a, int b) {
    return (a - b) << 8;
  }
}
