package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * Writes the IP and UDP headers in front of a RoCE packet (S12.1.2), which a socket neither takes
 * nor shows: for captures and for the GRH area. {@link IpUdpFrame} reads them.
 *
 * <p>Lengths named {@code packetLength} count from BTH to ICRC, in bytes.
 */
public final class IpUdpHeader {
  /** Bytes of an IPv4 header without options. */
  public static final int IPV4_LENGTH = 20;

  /** Bytes of an IPv6 header. */
  public static final int IPV6_LENGTH = 40;

  /** Bytes of a UDP header. */
  public static final int UDP_LENGTH = 8;

  /** IP protocol number of UDP. */
  public static final int PROTOCOL_UDP = 17;

  /** The don't-fragment flag in the 16 bits of flags and fragment offset. */
  public static final int DONT_FRAGMENT = 0x4000;

  /** Other bits of the same IPv4 field: "more fragments", and the offset. */
  static final int MORE_FRAGMENTS_OR_OFFSET = 0x3FFF;

  /** Offset of the checksum in an IPv4 header. */
  static final int IPV4_CHECKSUM = 10;

  private IpUdpHeader() {}

  /**
   * Bytes of IP and UDP header together.
   *
   * @param ipv4 whether the addresses are IPv4, see {@link Address#isIpv4}
   */
  public static int length(boolean ipv4) {
    return (ipv4 ? IPV4_LENGTH : IPV6_LENGTH) + UDP_LENGTH;
  }

  /**
   * Writes an IPv4 header without options, with don't-fragment and a valid checksum, for a UDP
   * datagram.
   *
   * @param src source address, first byte in the top bits
   * @param dst destination address
   * @param tos type of service, 8 bits
   * @param ttl time to live, 8 bits
   * @param id identification, 16 bits
   */
  public static void writeIpv4(
      MemorySegment segment,
      long offset,
      int src,
      int dst,
      int tos,
      int ttl,
      int id,
      int packetLength) {
    int total = IPV4_LENGTH + UDP_LENGTH + packetLength;
    segment.set(Layouts.INT, offset, 0x45 << 24 | (tos & 0xFF) << 16 | (total & 0xFFFF));
    segment.set(Layouts.INT, offset + 4, id << 16 | DONT_FRAGMENT);
    segment.set(Layouts.INT, offset + 8, (ttl & 0xFF) << 24 | PROTOCOL_UDP << 16);
    segment.set(Layouts.INT, offset + 12, src);
    segment.set(Layouts.INT, offset + 16, dst);
    segment.set(Layouts.SHORT, offset + IPV4_CHECKSUM, (short) ipv4Checksum(segment, offset));
  }

  /**
   * Writes an IPv6 header for a UDP datagram.
   *
   * @param src source address
   * @param dst destination address
   * @param trafficClass 8 bits
   * @param flowLabel 20 bits
   * @param hopLimit 8 bits
   */
  public static void writeIpv6(
      MemorySegment segment,
      long offset,
      Address src,
      Address dst,
      int trafficClass,
      int flowLabel,
      int hopLimit,
      int packetLength) {
    int first = 6 << 28 | (trafficClass & 0xFF) << 20 | (flowLabel & 0xFFFFF);
    int payload = UDP_LENGTH + packetLength;
    segment.set(Layouts.INT, offset, first);
    segment.set(Layouts.INT, offset + 4, payload << 16 | PROTOCOL_UDP << 8 | (hopLimit & 0xFF));
    segment.set(Layouts.LONG, offset + 8, src.hi());
    segment.set(Layouts.LONG, offset + 16, src.lo());
    segment.set(Layouts.LONG, offset + 24, dst.hi());
    segment.set(Layouts.LONG, offset + 32, dst.lo());
  }

  /** Writes a UDP header with checksum 0, as RoCE senders do (S12.1.1). */
  public static void writeUdp(
      MemorySegment segment, long offset, int srcPort, int dstPort, int packetLength) {
    segment.set(Layouts.INT, offset, srcPort << 16 | (dstPort & 0xFFFF));
    segment.set(Layouts.INT, offset + 4, (UDP_LENGTH + packetLength) << 16);
  }

  /**
   * The correct checksum of an IPv4 header without options: over the header with its checksum field
   * taken as 0.
   */
  public static int ipv4Checksum(MemorySegment segment, long offset) {
    int sum = 0;
    for (int i = 0; i < IPV4_LENGTH; i += 2) {
      sum += i == IPV4_CHECKSUM ? 0 : segment.get(Layouts.SHORT, offset + i) & 0xFFFF;
    }
    sum = (sum & 0xFFFF) + (sum >>> 16);
    sum = (sum & 0xFFFF) + (sum >>> 16);
    return ~sum & 0xFFFF;
  }
}
