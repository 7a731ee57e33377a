package dev.verbena.wire;

/**
 * Addresses as two longs: the 16 bytes of a GID read big-endian. An IPv4 address is {@code
 * ::ffff:a.b.c.d}, that is hi = 0 and lo = 0x0000FFFFaabbccdd (S11.5).
 */
public final class RoceAddress {
  private static final long MAPPED_PREFIX = 0xFFFFL << 32;

  private RoceAddress() {}

  /** Whether this is an IPv4 address in its mapped form. */
  public static boolean isIpv4Mapped(long hi, long lo) {
    return hi == 0 && lo >>> 32 == 0xFFFF;
  }

  /** The IPv4 address of a mapped one, first byte in the top bits. */
  public static int ipv4(long lo) {
    return (int) lo;
  }

  /** The lower half of the mapped form of an IPv4 address; the upper half is 0. */
  public static long fromIpv4(int address) {
    return MAPPED_PREFIX | (address & 0xFFFFFFFFL);
  }

  /**
   * Whether this is a multicast GID: first byte 0xFF, or a mapped IPv4 address in 224.0.0.0/4
   * (S3.3.5).
   */
  public static boolean isMulticast(long hi, long lo) {
    return hi >>> 56 == 0xFF || (isIpv4Mapped(hi, lo) && (lo >>> 28 & 0x0F) == 0x0E);
  }
}
