package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * The 40 bytes in front of the payload of a UD receive (S3.3.1). For IPv6 they are the IP header of
 * the packet (S3.3.2); for IPv4 they are 20 zero bytes and then the IP header, here rebuilt with ID
 * 0, don't-fragment and a valid checksum, because a socket does not hand it over (S3.3.3).
 *
 * <p>Lengths named {@code packetLength} count from BTH to ICRC, in bytes.
 */
public final class Grh {
  /** Bytes of the area. */
  public static final int LENGTH = 40;

  /** What {@link #ipVersion} returns if the area holds no IP header. */
  public static final int NO_IP = 0;

  /** Next header of RoCE v1; {@link IpUdpHeader#PROTOCOL_UDP} is that of RoCE v2. */
  public static final int NEXT_HEADER_ROCE_V1 = 0x1B;

  private static final int IPV4 = LENGTH - IpUdpHeader.IPV4_LENGTH;

  private Grh() {}

  /**
   * Fills the area for a packet.
   *
   * @param srcHi upper half of the source address, see {@link RoceAddress}
   * @param srcLo lower half of the source address
   * @param dstHi upper half of the destination address, of the same IP version
   * @param dstLo lower half of the destination address
   * @param trafficClass IPv4 type of service or IPv6 traffic class, 8 bits
   * @param flowLabel 20 bits; not used for IPv4
   * @param hopLimit IPv4 time to live or IPv6 hop limit, 8 bits
   */
  public static void write(
      MemorySegment segment,
      long offset,
      long srcHi,
      long srcLo,
      long dstHi,
      long dstLo,
      int trafficClass,
      int flowLabel,
      int hopLimit,
      int packetLength) {
    if (RoceAddress.isIpv4Mapped(srcHi, srcLo)) {
      segment.set(Layouts.LONG, offset, 0);
      segment.set(Layouts.LONG, offset + 8, 0);
      segment.set(Layouts.INT, offset + 16, 0);
      int src = RoceAddress.ipv4(srcLo);
      int dst = RoceAddress.ipv4(dstLo);
      IpUdpHeader.writeIpv4(
          segment, offset + IPV4, src, dst, trafficClass, hopLimit, 0, packetLength);
    } else {
      IpUdpHeader.writeIpv6(
          segment,
          offset,
          srcHi,
          srcLo,
          dstHi,
          dstLo,
          trafficClass,
          flowLabel,
          hopLimit,
          packetLength);
    }
  }

  /**
   * Which header the area holds, by the rule of ibv_init_ah_from_wc (S3.3.4).
   *
   * @return 4, 6 or {@link #NO_IP}
   */
  public static int ipVersion(MemorySegment segment, long offset) {
    int first = segment.get(Layouts.BYTE, offset) & 0xFF;
    int behind = segment.get(Layouts.BYTE, offset + IPV4) & 0xFF;
    if (first >> 4 != 6) {
      return behind >> 4 == 4 ? 4 : NO_IP;
    }
    if ((behind & 0x0F) != IpUdpHeader.IPV4_LENGTH / 4) {
      return 6;
    }
    int carried = segment.get(Layouts.SHORT, offset + IPV4 + 10) & 0xFFFF;
    return carried == IpUdpHeader.ipv4Checksum(segment, offset + IPV4) ? 4 : 6;
  }

  /** Upper half of the source GID, which is the destination of a reply. */
  public static long sgidHi(MemorySegment segment, long offset, int ipVersion) {
    return ipVersion == 4 ? 0 : segment.get(Layouts.LONG, offset + 8);
  }

  /** Lower half of the source GID. */
  public static long sgidLo(MemorySegment segment, long offset, int ipVersion) {
    return ipVersion == 4
        ? RoceAddress.fromIpv4(segment.get(Layouts.INT, offset + IPV4 + 12))
        : segment.get(Layouts.LONG, offset + 16);
  }

  /** Upper half of the destination GID, which is the local one. */
  public static long dgidHi(MemorySegment segment, long offset, int ipVersion) {
    return ipVersion == 4 ? 0 : segment.get(Layouts.LONG, offset + 24);
  }

  /** Lower half of the destination GID. */
  public static long dgidLo(MemorySegment segment, long offset, int ipVersion) {
    return ipVersion == 4
        ? RoceAddress.fromIpv4(segment.get(Layouts.INT, offset + IPV4 + 16))
        : segment.get(Layouts.LONG, offset + 32);
  }

  /** IPv4 type of service or IPv6 traffic class, 8 bits. */
  public static int trafficClass(MemorySegment segment, long offset, int ipVersion) {
    return ipVersion == 4
        ? segment.get(Layouts.BYTE, offset + IPV4 + 1) & 0xFF
        : segment.get(Layouts.INT, offset) >>> 20 & 0xFF;
  }

  /** IPv4 time to live or IPv6 hop limit, 8 bits. */
  public static int hopLimit(MemorySegment segment, long offset, int ipVersion) {
    return segment.get(Layouts.BYTE, offset + (ipVersion == 4 ? IPV4 + 8 : 7)) & 0xFF;
  }

  /** IPv4 protocol or IPv6 next header, 8 bits. */
  public static int nextHeader(MemorySegment segment, long offset, int ipVersion) {
    return segment.get(Layouts.BYTE, offset + (ipVersion == 4 ? IPV4 + 9 : 6)) & 0xFF;
  }

  /** Flow label, 20 bits: always of the first four bytes, so 0 for IPv4 (S3.3.4). */
  public static int flowLabel(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset) & 0xFFFFF;
  }
}
