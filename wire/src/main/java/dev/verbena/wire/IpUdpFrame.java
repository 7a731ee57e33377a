package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Reads the IP and UDP headers in front of a RoCE packet, behind any header that {@link LinkType}
 * knows or none, as in a capture file or from a packet socket. {@link IpUdpHeader} writes them.
 *
 * <p>A reusable view: after a parse that returned true the accessors describe that frame. Not
 * thread-safe.
 */
public final class IpUdpFrame {

  private boolean ipv4;
  private Address src = Address.UNSPECIFIED;
  private Address dst = Address.UNSPECIFIED;
  private int trafficClass;
  private int hopLimit;
  private int flowLabel;
  private int identification;
  private boolean dontFragment;
  private int srcPort;
  private int dstPort;
  private int udpChecksum;
  private long ipOffset;
  private long payloadOffset;
  private int payloadLength;

  /** A view that describes nothing yet. */
  public IpUdpFrame() {}

  /**
   * Reads a frame of a capture.
   *
   * @param linkType what the frame starts with, see {@link LinkType}
   * @param frame memory that holds the frame
   * @param offset of its first byte
   * @param length bytes of the frame, including padding after the IP packet
   * @return false if it is not a complete UDP datagram over IPv4 or IPv6
   * @throws IndexOutOfBoundsException if the range is not inside the segment: the caller's mistake
   */
  public boolean parse(int linkType, MemorySegment frame, long offset, long length) {
    long ip = LinkType.ipOffset(linkType, frame, offset, length);
    return ip >= 0 && parseIp(frame, ip, offset + length - ip);
  }

  /**
   * Reads a frame that starts with an IP header.
   *
   * @param frame memory that holds the frame
   * @param offset of the IP header
   * @param length bytes of the frame, including padding after the IP packet
   * @return false if it is not a complete UDP datagram over IPv4 or IPv6
   * @throws IndexOutOfBoundsException if the range is not inside the segment: the caller's mistake
   */
  public boolean parseIp(MemorySegment frame, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, frame.byteSize());
    if (length < 1) {
      return false;
    }
    return switch (frame.get(Layouts.BYTE, offset) >> 4 & 0x0F) {
      case 4 -> parseIpv4(frame, offset, length);
      case 6 -> parseIpv6(frame, offset, length);
      default -> false;
    };
  }

  private boolean parseIpv4(MemorySegment frame, long offset, long length) {
    if (length < IpUdpHeader.IPV4_LENGTH || (frame.get(Layouts.BYTE, offset) & 0xF0) != 0x40) {
      return false;
    }
    int headerLength = (frame.get(Layouts.BYTE, offset) & 0x0F) * 4;
    int total = frame.get(Layouts.SHORT, offset + 2) & 0xFFFF;
    int flags = frame.get(Layouts.SHORT, offset + 6) & 0xFFFF;
    if (headerLength < IpUdpHeader.IPV4_LENGTH
        || total > length
        || (flags & IpUdpHeader.MORE_FRAGMENTS_OR_OFFSET) != 0
        || frame.get(Layouts.BYTE, offset + 9) != IpUdpHeader.PROTOCOL_UDP
        || !parseUdp(frame, offset + headerLength, total - headerLength)) {
      return false;
    }
    ipv4 = true;
    ipOffset = offset;
    trafficClass = frame.get(Layouts.BYTE, offset + 1) & 0xFF;
    identification = frame.get(Layouts.SHORT, offset + 4) & 0xFFFF;
    dontFragment = (flags & IpUdpHeader.DONT_FRAGMENT) != 0;
    hopLimit = frame.get(Layouts.BYTE, offset + 8) & 0xFF;
    flowLabel = 0;
    src = Address.ofIpv4(frame.get(Layouts.INT, offset + 12));
    dst = Address.ofIpv4(frame.get(Layouts.INT, offset + 16));
    return true;
  }

  private boolean parseIpv6(MemorySegment frame, long offset, long length) {
    if (length < IpUdpHeader.IPV6_LENGTH || (frame.get(Layouts.BYTE, offset) & 0xF0) != 0x60) {
      return false;
    }
    int payload = frame.get(Layouts.SHORT, offset + 4) & 0xFFFF;
    if (payload > length - IpUdpHeader.IPV6_LENGTH
        || frame.get(Layouts.BYTE, offset + 6) != IpUdpHeader.PROTOCOL_UDP
        || !parseUdp(frame, offset + IpUdpHeader.IPV6_LENGTH, payload)) {
      return false;
    }
    int first = frame.get(Layouts.INT, offset);
    ipv4 = false;
    ipOffset = offset;
    trafficClass = first >>> 20 & 0xFF;
    flowLabel = first & 0xFFFFF;
    identification = 0;
    dontFragment = true;
    hopLimit = frame.get(Layouts.BYTE, offset + 7) & 0xFF;
    src = address(frame, offset + 8);
    dst = address(frame, offset + 24);
    return true;
  }

  private static Address address(MemorySegment frame, long offset) {
    return new Address(
        frame.get(Layouts.LONG, offset), frame.get(Layouts.LONG, offset + Long.BYTES));
  }

  /**
   * Reads a UDP header whose datagram must fill the IP packet, since the ICRC covers both lengths.
   */
  private boolean parseUdp(MemorySegment frame, long offset, int available) {
    if (available < IpUdpHeader.UDP_LENGTH
        || (frame.get(Layouts.SHORT, offset + 4) & 0xFFFF) != available) {
      return false;
    }
    srcPort = frame.get(Layouts.SHORT, offset) & 0xFFFF;
    dstPort = frame.get(Layouts.SHORT, offset + 2) & 0xFFFF;
    udpChecksum = frame.get(Layouts.SHORT, offset + 6) & 0xFFFF;
    payloadOffset = offset + IpUdpHeader.UDP_LENGTH;
    payloadLength = available - IpUdpHeader.UDP_LENGTH;
    return true;
  }

  /** Whether the addresses are IPv4. */
  public boolean isIpv4() {
    return ipv4;
  }

  /** Source address. */
  public Address src() {
    return src;
  }

  /** Destination address. */
  public Address dst() {
    return dst;
  }

  /** IPv4 type of service or IPv6 traffic class, 8 bits. */
  public int trafficClass() {
    return trafficClass;
  }

  /** IPv4 time to live or IPv6 hop limit, 8 bits. */
  public int hopLimit() {
    return hopLimit;
  }

  /** IPv6 flow label, 20 bits; 0 for IPv4. */
  public int flowLabel() {
    return flowLabel;
  }

  /** IPv4 identification, 16 bits; 0 for IPv6. */
  public int identification() {
    return identification;
  }

  /** IPv4 don't-fragment flag; true for IPv6. */
  public boolean dontFragment() {
    return dontFragment;
  }

  /** UDP source port. */
  public int srcPort() {
    return srcPort;
  }

  /** UDP destination port, {@link RocePorts#UDP_PORT} if this is RoCE. */
  public int dstPort() {
    return dstPort;
  }

  /** UDP checksum of the packet; RoCE senders leave it 0. */
  public int udpChecksum() {
    return udpChecksum;
  }

  /** Offset of the IP header in the parsed segment. */
  public long ipOffset() {
    return ipOffset;
  }

  /** Offset of the UDP payload in the parsed segment, where the BTH is. */
  public long payloadOffset() {
    return payloadOffset;
  }

  /** Bytes of the UDP payload: from BTH to ICRC. */
  public int payloadLength() {
    return payloadLength;
  }

  /** Sets a calculator's addresses, ID and don't-fragment flag to those of this frame. */
  public void describeTo(Icrc icrc) {
    icrc.addresses(src, dst, srcPort, dstPort);
    icrc.identification(identification, dontFragment);
  }
}
