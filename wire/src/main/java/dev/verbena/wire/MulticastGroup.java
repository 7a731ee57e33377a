package dev.verbena.wire;

/**
 * Which IP group a multicast GID stands for (S8.7): {@code ::ffff:a.b.c.d}, and {@code
 * ff0e::ffff:a.b.c.d} as RoCE v1 writes it, for the IPv4 group a.b.c.d; every other {@code ff..}
 * for the IPv6 group of the same 16 bytes. Addresses are halves as {@link RoceAddress} has them;
 * what is no multicast GID stands for itself.
 */
public final class MulticastGroup {
  private static final long ROCE_V1_PREFIX = 0xFF0EL << 48;

  private MulticastGroup() {}

  /** Upper half of the group's IP address; the lower half is that of the GID. */
  public static long addressHi(long hi, long lo) {
    return isIpv4InRoceV1(hi, lo) ? 0 : hi;
  }

  /** Whether this is {@code ff0e::ffff:a.b.c.d} with a.b.c.d in 224.0.0.0/4. */
  private static boolean isIpv4InRoceV1(long hi, long lo) {
    return hi == ROCE_V1_PREFIX && RoceAddress.isMulticast(0, lo);
  }
}
