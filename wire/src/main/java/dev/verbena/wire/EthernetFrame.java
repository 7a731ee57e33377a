package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Reads the headers of an Ethernet frame of any kind, from the addresses to the ports. Headers that
 * make no sense are ignored; only a length below {@link EthernetHeader#LENGTH} makes a parse fail.
 * The view skips IPv6 extension headers as long as it can find the upper layer's header and compute
 * its checksum: hop-by-hop and destination options, and routing headers without segments left.
 * After any other extension header it finds no TCP or UDP.
 *
 * <p>A reusable view: after a parse that returned true the accessors describe that frame. Not
 * thread-safe.
 */
public final class EthernetFrame {
  /** Protocol number of TCP. */
  public static final int TCP = 6;

  /** Protocol number of UDP. */
  public static final int UDP = IpUdpHeader.PROTOCOL_UDP;

  /** Bytes of the encapsulation header of IP over InfiniBand: type 16, reserved 16. */
  public static final int IPOIB_LENGTH = 4;

  private static final int MOST_TAGS = 2;
  private static final int MOST_EXTENSIONS = 8;
  private static final int HOP_BY_HOP = 0;
  private static final int ROUTING = 43;
  private static final int DESTINATION_OPTIONS = 60;
  private static final int TCP_LENGTH = 20;

  private MemorySegment segment = MemorySegment.NULL;
  private long offset;
  private int length;
  private boolean template;
  private long dst;
  private long src;
  private boolean tagged;
  private int vlanTag;
  private int etherType;
  private int ipVersion;
  private int ipOffset;
  private int ipEnd;
  private boolean whole;
  private int protocol;
  private int upperOffset;
  private int upperLength;
  private int upper;

  /** A view that describes nothing yet. */
  public EthernetFrame() {}

  /**
   * Reads a frame.
   *
   * @param frame memory that holds the frame
   * @param start where it begins
   * @param bytes its length, including padding after the IP packet
   * @return false if it is shorter than an Ethernet header
   * @throws IndexOutOfBoundsException if the range is not inside the segment: the caller's mistake
   */
  public boolean parse(MemorySegment frame, long start, int bytes) {
    begin(frame, start, bytes, false);
    return parseEthernet();
  }

  /**
   * Reads the headers of frames that are yet to be made: as {@link #parse}, but ignores the lengths
   * in the IP and UDP headers.
   */
  public boolean parseTemplate(MemorySegment frame, long start, int bytes) {
    begin(frame, start, bytes, true);
    return parseEthernet();
  }

  /** As {@link #parseTemplate}, for headers that begin with IP over InfiniBand, not Ethernet. */
  public boolean parseIpoibTemplate(MemorySegment frame, long start, int bytes) {
    begin(frame, start, bytes, true);
    if (bytes < IPOIB_LENGTH) {
      return false;
    }
    etherType = word(0);
    parseNetwork(IPOIB_LENGTH);
    return true;
  }

  private void begin(MemorySegment frame, long start, int bytes, boolean asTemplate) {
    Objects.checkFromIndexSize(start, bytes, frame.byteSize());
    segment = frame;
    offset = start;
    length = bytes;
    template = asTemplate;
    dst = 0;
    src = 0;
    tagged = false;
    vlanTag = 0;
    etherType = 0;
    ipVersion = 0;
    ipOffset = 0;
    ipEnd = 0;
    whole = false;
    noUpper(0);
  }

  private boolean parseEthernet() {
    if (length < EthernetHeader.LENGTH) {
      return false;
    }
    dst = EthernetHeader.dst(segment, offset);
    src = EthernetHeader.src(segment, offset);
    int at = EthernetHeader.LENGTH;
    etherType = word(at - 2);
    for (int tags = 0; tags < MOST_TAGS && EthernetHeader.isVlan(etherType); tags++) {
      if (length < at + EthernetHeader.VLAN_LENGTH) {
        return true;
      }
      if (!tagged) {
        tagged = true;
        vlanTag = word(at);
      }
      at += EthernetHeader.VLAN_LENGTH;
      etherType = word(at - 2);
    }
    parseNetwork(at);
    return true;
  }

  private void parseNetwork(int at) {
    switch (etherType) {
      case EthernetHeader.TYPE_IPV4 -> parseIpv4(at);
      case EthernetHeader.TYPE_IPV6 -> parseIpv6(at);
      default -> {}
    }
  }

  private void parseIpv4(int at) {
    int available = length - at;
    if (available < IpUdpHeader.IPV4_LENGTH || byteAt(at) >> 4 != 4) {
      return;
    }
    int header = (byteAt(at) & 0x0F) * 4;
    int total = template ? available : word(at + 2);
    if (header < IpUdpHeader.IPV4_LENGTH || total < header || header > available) {
      return;
    }
    ipVersion = 4;
    ipOffset = at;
    endAt(at + total);
    protocol = byteAt(at + 9);
    if ((word(at + 6) & IpUdpHeader.MORE_FRAGMENTS_OR_OFFSET) == 0) {
      parseUpper(at + header);
    }
  }

  private void parseIpv6(int at) {
    int available = length - at;
    if (available < IpUdpHeader.IPV6_LENGTH || byteAt(at) >> 4 != 6) {
      return;
    }
    int payload = template ? available - IpUdpHeader.IPV6_LENGTH : word(at + 4);
    ipVersion = 6;
    ipOffset = at;
    int next = at + IpUdpHeader.IPV6_LENGTH;
    endAt(next + payload);
    protocol = byteAt(at + 6);
    for (int i = 0; i < MOST_EXTENSIONS && isWalked(next); i++) {
      protocol = byteAt(next);
      next += (byteAt(next + 1) + 1) * 8;
    }
    parseUpper(next);
  }

  /** Sets the end of the packet as the IP header says; the frame may end before. */
  private void endAt(int told) {
    ipEnd = Math.min(told, length);
    whole = told <= length;
  }

  /** Whether a complete extension header that can be skipped is here. */
  private boolean isWalked(int at) {
    boolean known =
        protocol == HOP_BY_HOP || protocol == DESTINATION_OPTIONS || protocol == ROUTING;
    if (!known || ipEnd - at < 8 || ipEnd - at < (byteAt(at + 1) + 1) * 8) {
      return false;
    }
    // With segments left, the checksum covers another destination.
    return protocol != ROUTING || byteAt(at + 3) == 0;
  }

  private void parseUpper(int at) {
    int available = ipEnd - at;
    if (protocol == TCP && available >= TCP_LENGTH) {
      int header = (byteAt(at + 12) >> 4) * 4;
      if (header >= TCP_LENGTH && header <= available) {
        upperIs(TCP, at, available);
      }
    } else if (protocol == UDP && available >= IpUdpHeader.UDP_LENGTH) {
      int told = template || !whole ? available : word(at + 4);
      if (told >= IpUdpHeader.UDP_LENGTH && told <= available) {
        upperIs(UDP, at, told);
      }
    }
  }

  private void upperIs(int which, int at, int bytes) {
    upper = which;
    upperOffset = at;
    upperLength = bytes;
  }

  private void noUpper(int number) {
    protocol = number;
    upperIs(0, 0, 0);
  }

  private int byteAt(int at) {
    return segment.get(Layouts.BYTE, offset + at) & 0xFF;
  }

  private int word(int at) {
    return segment.get(Layouts.SHORT, offset + at) & 0xFFFF;
  }

  /** Destination address. */
  public long dst() {
    return dst;
  }

  /** Source address. */
  public long src() {
    return src;
  }

  /** Whether it has a VLAN tag. */
  public boolean isTagged() {
    return tagged;
  }

  /** The first VLAN tag: priority 3, drop eligible 1, VLAN 12; 0 without one. */
  public int vlanTag() {
    return vlanTag;
  }

  /** The type after the last VLAN tag. */
  public int etherType() {
    return etherType;
  }

  /** 4 or 6 for a valid IP header, else 0. */
  public int ipVersion() {
    return ipVersion;
  }

  /** Where the IP header is, from the start of the frame. */
  public int ipOffset() {
    return ipOffset;
  }

  /** Where the IP packet ends, or the frame if it ends before, from the start of the frame. */
  public int ipEnd() {
    return ipEnd;
  }

  /**
   * Whether there is an IP packet and the frame has all of it. Steering only reads header fields,
   * and accepts incomplete packets, too; their checksums cannot be verified.
   */
  public boolean isWholePacket() {
    return whole;
  }

  /** Protocol of the IPv4 header, or the one after the skipped IPv6 extension headers. */
  public int protocol() {
    return protocol;
  }

  /**
   * {@link #TCP} or {@link #UDP} if there is a complete header in an unfragmented packet, else 0.
   */
  public int upper() {
    return upper;
  }

  /** Where the TCP or UDP header is, from the start of the frame. */
  public int upperOffset() {
    return upperOffset;
  }

  /** Bytes of TCP or UDP header and payload. */
  public int upperLength() {
    return upperLength;
  }

  /** Where the TCP payload begins, from the start of the frame; only with {@link #upper} TCP. */
  public int tcpPayloadOffset() {
    return upperOffset + (byteAt(upperOffset + 12) >> 4) * 4;
  }

  /** TCP or UDP source port; only with {@link #upper}. */
  public int srcPort() {
    return word(upperOffset);
  }

  /** TCP or UDP destination port; only with {@link #upper}. */
  public int dstPort() {
    return word(upperOffset + 2);
  }

  /** IPv4 source address; only with IPv4, like all accessors with Ipv4 in their names. */
  public int ipv4Src() {
    return segment.get(Layouts.INT, offset + ipOffset + 12);
  }

  /** IPv4 destination address. */
  public int ipv4Dst() {
    return segment.get(Layouts.INT, offset + ipOffset + 16);
  }

  /** IPv4 time to live. */
  public int ipv4Ttl() {
    return byteAt(ipOffset + 8);
  }

  /** IPv4 type of service. */
  public int ipv4Tos() {
    return byteAt(ipOffset + 1);
  }

  /** The three flags of IPv4: don't fragment is 2, more fragments 1. */
  public int ipv4Flags() {
    return byteAt(ipOffset + 6) >> 5;
  }

  /** Bytes of the IPv4 header. */
  public int ipv4HeaderLength() {
    return (byteAt(ipOffset) & 0x0F) * 4;
  }

  /**
   * Upper half of the IPv6 source address; only with IPv6, like all accessors with Ipv6 in their
   * names.
   */
  public long ipv6SrcHi() {
    return segment.get(Layouts.LONG, offset + ipOffset + 8);
  }

  /** Lower half of the IPv6 source address. */
  public long ipv6SrcLo() {
    return segment.get(Layouts.LONG, offset + ipOffset + 16);
  }

  /** Upper half of the IPv6 destination address. */
  public long ipv6DstHi() {
    return segment.get(Layouts.LONG, offset + ipOffset + 24);
  }

  /** Lower half of the IPv6 destination address. */
  public long ipv6DstLo() {
    return segment.get(Layouts.LONG, offset + ipOffset + 32);
  }

  /** IPv6 flow label, 20 bits. */
  public int ipv6FlowLabel() {
    return segment.get(Layouts.INT, offset + ipOffset) & 0xFFFFF;
  }

  /** IPv6 traffic class. */
  public int ipv6TrafficClass() {
    return segment.get(Layouts.INT, offset + ipOffset) >>> 20 & 0xFF;
  }

  /** Next header of the IPv6 header itself. */
  public int ipv6NextHeader() {
    return byteAt(ipOffset + 6);
  }

  /** IPv6 hop limit. */
  public int ipv6HopLimit() {
    return byteAt(ipOffset + 7);
  }

  /** The memory that was parsed. */
  MemorySegment segment() {
    return segment;
  }

  /** Where the frame begins in {@link #segment}. */
  long offset() {
    return offset;
  }
}
