package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The packet header in the first 40 bytes of a UD receive (struct ibv_grh). Over IPv6 they hold the
 * packet's IP header; over IPv4, 20 meaningless bytes and then the packet's IP header. {@link #of}
 * tells them apart. GIDs of IPv4 addresses are mapped. The 40 bytes are always present, but valid
 * only if the completion has {@link WcFlags#GRH}.
 *
 * @param sgid source of the packet, and the destination of a reply
 * @param dgid destination of the packet: the local GID, or the GID of a multicast group
 * @param trafficClass IPv4 type of service or IPv6 traffic class, 8 bits
 * @param flowLabel 20 bits; over IPv4 of the meaningless bytes, as ibv_init_ah_from_wc takes them,
 *     which are 0 on a software device
 * @param hopLimit IPv4 time to live or IPv6 hop limit as it arrived, 8 bits
 * @param nextHeader protocol after the IP header: 17 (UDP) with RoCE v2
 */
public record Grh(
    Gid sgid, Gid dgid, int trafficClass, int flowLabel, int hopLimit, int nextHeader) {
  /** Bytes in front of the payload of a UD receive; byte_len counts them. */
  public static final int LENGTH = 40;

  private static final int IPV4 = 20;
  private static final int IPV4_WORDS = 5;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /**
   * Reads the area as ibv_init_ah_from_wc does. It may contain any bytes.
   *
   * @param area the memory of the receive, or its first 40 bytes
   * @throws VerbsException EINVAL for fewer than 40 bytes; EPROTONOSUPPORT if it holds no IP header
   */
  public static Grh of(MemorySegment area) {
    if (area.byteSize() < LENGTH) {
      throw new VerbsException(
          "grh", Errno.EINVAL, area.byteSize() + " bytes, a GRH area has " + LENGTH);
    }
    int first = area.get(INT, 0);
    boolean leadingSix = first >>> 28 == 6;
    if (leadingSix ? isIpv4(area) : byteAt(area, IPV4) >> 4 == 4) {
      return new Grh(
          ipv4(area, IPV4 + 12),
          ipv4(area, IPV4 + 16),
          byteAt(area, IPV4 + 1),
          flowLabel(first),
          byteAt(area, IPV4 + 8),
          byteAt(area, IPV4 + 9));
    }
    if (!leadingSix) {
      throw new VerbsException("grh", Errno.EPROTONOSUPPORT, "the GRH area holds no IP header");
    }
    return new Grh(
        ipv6(area, 8),
        ipv6(area, 24),
        first >>> 20 & 0xff,
        flowLabel(first),
        byteAt(area, 7),
        byteAt(area, 6));
  }

  /**
   * Whether a valid IPv4 header without options follows the first 20 bytes, even if those look like
   * the start of an IPv6 header: its checksum is correct.
   */
  private static boolean isIpv4(MemorySegment area) {
    if ((byteAt(area, IPV4) & 0xf) != IPV4_WORDS) {
      return false;
    }
    int sum = 0;
    for (int at = IPV4; at < LENGTH; at += 2) {
      sum += byteAt(area, at) << 8 | byteAt(area, at + 1);
    }
    return (sum & 0xffff) + (sum >>> 16) == 0xffff;
  }

  private static int flowLabel(int first) {
    return first & 0xfffff;
  }

  private static Gid ipv4(MemorySegment area, int at) {
    return new Gid(0, 0xffffL << 32 | Integer.toUnsignedLong(area.get(INT, at)));
  }

  private static Gid ipv6(MemorySegment area, int at) {
    return Gid.ofBytes(area.asSlice(at, 16).toArray(ValueLayout.JAVA_BYTE));
  }

  private static int byteAt(MemorySegment area, int at) {
    return area.get(ValueLayout.JAVA_BYTE, at) & 0xff;
  }
}
