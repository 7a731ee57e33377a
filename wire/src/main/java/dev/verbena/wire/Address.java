package dev.verbena.wire;

/**
 * An address: the 16 bytes of a GID, which on RoCE v2 is an IP address. An IPv4 one is {@code
 * ::ffff:a.b.c.d} (S11.5).
 *
 * @param hi the first 8 bytes, read big-endian
 * @param lo the last 8 bytes, read big-endian
 */
public record Address(long hi, long lo) {
  /** All zeros, which is nobody's address. */
  public static final Address UNSPECIFIED = new Address(0, 0);

  /** The lower half of an IPv4 address has this above the address; its upper half is 0. */
  public static final long IPV4 = 0xFFFFL << 32;

  /**
   * 2^64 through the golden ratio: a product with it has each bit of an address in the top ones.
   */
  public static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static final int GROUPS = 8;

  /** The mapped form of an IPv4 address, whose first byte is in the top bits. */
  public static Address ofIpv4(int address) {
    return new Address(0, IPV4 | Integer.toUnsignedLong(address));
  }

  /** Whether this address has these halves. */
  public boolean is(long upper, long lower) {
    return lo == lower && hi == upper;
  }

  /** Whether this is an IPv4 address in its mapped form. */
  public boolean isIpv4() {
    return hi == 0 && lo >>> 32 == 0xFFFF;
  }

  /** The IPv4 address, if it is one: the first byte in the top bits. */
  public int ipv4() {
    return (int) lo;
  }

  /**
   * Whether this is a multicast GID: first byte 0xFF, or a mapped IPv4 address in 224.0.0.0/4
   * (S3.3.5).
   */
  public boolean isMulticast() {
    return hi >>> 56 == 0xFF || (hi == 0 && lo >>> 28 == 0xFFFF_E);
  }

  /** Whether this is an IPv6 address of fe80::/10, which is meaningful only on its link. */
  public boolean isLinkLocal() {
    return hi >>> 54 == 0xFE80 >>> 6;
  }

  /** As users write it: {@code 10.0.0.2}, or as IPv6 {@code fe80::2}. */
  @Override
  public String toString() {
    if (isIpv4()) {
      return (lo >>> 24 & 0xFF)
          + "."
          + (lo >>> 16 & 0xFF)
          + "."
          + (lo >>> 8 & 0xFF)
          + "."
          + (lo & 0xFF);
    }
    StringBuilder text = new StringBuilder(":");
    for (int i = 0; i < GROUPS; i++) {
      text.append(Long.toHexString(((i < 4 ? hi : lo) >>> ((3 - i % 4) * 16)) & 0xFFFF))
          .append(':');
    }
    // The longest run of zeros, the first if there are several, is left out.
    for (int zeros = GROUPS; zeros > 1; zeros--) {
      String run = ":0".repeat(zeros) + ":";
      int start = text.indexOf(run);
      if (start >= 0) {
        int end = start + run.length();
        String before = start == 0 ? "" : text.substring(1, start);
        return before + "::" + (end == text.length() ? "" : text.substring(end, text.length() - 1));
      }
    }
    return text.substring(1, text.length() - 1);
  }
}
