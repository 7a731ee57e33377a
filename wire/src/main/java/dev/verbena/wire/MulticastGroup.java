package dev.verbena.wire;

/**
 * Maps a multicast GID to an IP group (S8.7): {@code ::ffff:a.b.c.d}, and {@code
 * ff0e::ffff:a.b.c.d} as RoCE v1 writes it, to the IPv4 group a.b.c.d. Every other {@code ff..}
 * maps to the IPv6 group of the same 16 bytes, or, for an IPv4 address, by a hash to one of the
 * IPv4 groups for free use (239.0.0.0/8) (S8.1). A GID that is not multicast maps to itself.
 */
public final class MulticastGroup {
  private static final long ROCE_V1_PREFIX = 0xFF0EL << 48;

  /** 239.0.0.0/8. */
  private static final int FREE_IPV4 = 239 << 24;

  private static final int HASH_SHIFT = 40;

  private MulticastGroup() {}

  /**
   * The group's IP address.
   *
   * @param ipv4 whether the sender, or the member, has an IPv4 address
   */
  public static Address of(Address gid, boolean ipv4) {
    if (isIpv4InRoceV1(gid)) {
      return new Address(0, gid.lo());
    }
    boolean needsIpv4 = ipv4 && gid.hi() >>> 56 == 0xFF;
    return needsIpv4 ? Address.ofIpv4(FREE_IPV4 | (int) (hash(gid) >>> HASH_SHIFT)) : gid;
  }

  /** Mixes each byte into the upper bits, because programs count groups up in any byte. */
  private static long hash(Address gid) {
    return ((gid.hi() * Address.SPREAD) ^ gid.lo() ^ (gid.lo() >>> 32)) * Address.SPREAD;
  }

  /** Whether this is {@code ff0e::ffff:a.b.c.d} with a.b.c.d in 224.0.0.0/4. */
  private static boolean isIpv4InRoceV1(Address gid) {
    return gid.hi() == ROCE_V1_PREFIX && new Address(0, gid.lo()).isMulticast();
  }
}
