package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The 40 bytes in front of the payload of a UD receive (S3.3.1). For IPv6 they are the IP header of
 * the packet (S3.3.2); for IPv4 they are 20 zero bytes and then the IP header, here rebuilt with ID
 * 0, don't-fragment and a valid checksum, because a socket does not return it (S3.3.3). On
 * InfiniBand they are the packet's GRH, if it has one.
 *
 * <p>Lengths named {@code packetLength} count from BTH to ICRC, in bytes.
 */
public final class Grh {
  /** Bytes of the area. */
  public static final int LENGTH = 40;

  /** Next header of InfiniBand's own GRH, instead of UDP: an InfiniBand packet follows. */
  public static final int NEXT_HEADER_IBA = 0x1B;

  private static final int NEXT_HEADER = 6;
  private static final int IPV4 = LENGTH - IpUdpHeader.IPV4_LENGTH;

  private Grh() {}

  /**
   * Fills the area for a packet.
   *
   * @param src source address
   * @param dst destination address, of the same IP version
   * @param trafficClass IPv4 type of service or IPv6 traffic class, 8 bits
   * @param flowLabel 20 bits; not used for IPv4
   * @param hopLimit IPv4 time to live or IPv6 hop limit, 8 bits
   */
  public static void write(
      MemorySegment segment,
      long offset,
      Address src,
      Address dst,
      int trafficClass,
      int flowLabel,
      int hopLimit,
      int packetLength) {
    if (src.isIpv4()) {
      segment.set(Layouts.LONG, offset, 0);
      segment.set(Layouts.LONG, offset + 8, 0);
      segment.set(Layouts.INT, offset + 16, 0);
      IpUdpHeader.writeIpv4(
          segment, offset + IPV4, src.ipv4(), dst.ipv4(), trafficClass, hopLimit, 0, packetLength);
    } else {
      IpUdpHeader.writeIpv6(
          segment, offset, src, dst, trafficClass, flowLabel, hopLimit, packetLength);
    }
  }

  /**
   * Fills the area with the global route header of an InfiniBand packet: an IPv6 header without UDP
   * after it. The parameters are those of {@link #write}.
   */
  public static void writeIba(
      MemorySegment segment,
      long offset,
      Address src,
      Address dst,
      int trafficClass,
      int flowLabel,
      int hopLimit,
      int packetLength) {
    IpUdpHeader.writeIpv6(
        segment,
        offset,
        src,
        dst,
        trafficClass,
        flowLabel,
        hopLimit,
        packetLength - IpUdpHeader.UDP_LENGTH);
    segment.set(ValueLayout.JAVA_BYTE, offset + NEXT_HEADER, (byte) NEXT_HEADER_IBA);
  }
}
