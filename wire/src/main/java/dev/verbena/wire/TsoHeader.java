package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * Makes the headers of the segments of a TCP stream from the application's template (S9.6), which
 * has everything from the Ethernet header, or that of IP over InfiniBand, through TCP. A segment
 * changes the IP length, the IPv4 identification, the sequence number and all checksums; only the
 * last has FIN and PSH, only the first CWR. VLAN tags, IPv4 options, IPv6 extension headers and TCP
 * options are repeated. Not thread-safe.
 */
public final class TsoHeader {
  private static final int SEQUENCE = 4;
  private static final int FLAGS = 13;
  private static final int CHECKSUM = 16;
  private static final int FIN = 0x01;
  private static final int PSH = 0x08;
  private static final int CWR = 0x80;
  private static final int IPV4_TOTAL_LENGTH = 2;
  private static final int IPV4_IDENTIFICATION = 4;
  private static final int IPV6_PAYLOAD_LENGTH = 4;
  private static final int MOST_IP_BYTES = 0xFFFF;

  private final EthernetFrame template = new EthernetFrame();
  private final InternetChecksum sum = new InternetChecksum();
  private int length;

  /** Describes no template yet. */
  public TsoHeader() {}

  /**
   * Takes a template.
   *
   * @param header memory that starts with it, which must not change while segments are made
   * @param bytes its length
   * @param ethernet whether it begins with an Ethernet header; otherwise with the four bytes of IP
   *     over InfiniBand
   * @return whether it is a template: IPv4 or IPv6, not a fragment, and a TCP header at the end
   */
  public boolean template(MemorySegment header, int bytes, boolean ethernet) {
    length = bytes;
    boolean parsed =
        ethernet
            ? template.parseTemplate(header, 0, bytes)
            : template.parseIpoibTemplate(header, 0, bytes);
    return parsed && template.upper() == EthernetFrame.TCP && template.tcpPayloadOffset() == bytes;
  }

  /** The most payload bytes of a segment that the IP header's length can express. */
  public int mostPayload() {
    int counted = template.ipVersion() == 4 ? 0 : IpUdpHeader.IPV6_LENGTH;
    return MOST_IP_BYTES - (length - template.ipOffset() - counted);
  }

  /**
   * Writes the header of one segment, except for the TCP checksum.
   *
   * @param index of the segment, from 0
   * @param mss payload bytes of every segment but the last
   * @param payload bytes of this segment
   * @param last whether it is the last
   */
  public void write(
      MemorySegment target, long offset, int index, int mss, int payload, boolean last) {
    MemorySegment.copy(template.segment(), template.offset(), target, offset, length);
    writeIp(target, offset + template.ipOffset(), index, payload);
    long tcp = offset + template.upperOffset();
    int sequence = target.get(Layouts.INT, tcp + SEQUENCE) + index * mss;
    target.set(Layouts.INT, tcp + SEQUENCE, sequence);
    int dropped = (last ? 0 : FIN | PSH) | (index == 0 ? 0 : CWR);
    int flags = target.get(Layouts.BYTE, tcp + FLAGS) & ~dropped;
    target.set(Layouts.BYTE, tcp + FLAGS, (byte) flags);
    target.set(Layouts.SHORT, tcp + CHECKSUM, (short) 0);
  }

  private void writeIp(MemorySegment target, long ip, int index, int payload) {
    int whole = length - template.ipOffset() + payload;
    if (template.ipVersion() == 6) {
      int counted = whole - IpUdpHeader.IPV6_LENGTH;
      target.set(Layouts.SHORT, ip + IPV6_PAYLOAD_LENGTH, (short) counted);
      return;
    }
    target.set(Layouts.SHORT, ip + IPV4_TOTAL_LENGTH, (short) whole);
    int id = target.get(Layouts.SHORT, ip + IPV4_IDENTIFICATION) + index;
    target.set(Layouts.SHORT, ip + IPV4_IDENTIFICATION, (short) id);
    target.set(Layouts.SHORT, ip + IpUdpHeader.IPV4_CHECKSUM, (short) 0);
    int value = sum.reset().add(target, ip, template.ipv4HeaderLength()).value();
    target.set(Layouts.SHORT, ip + IpUdpHeader.IPV4_CHECKSUM, (short) value);
  }

  /**
   * Begins the TCP checksum of a segment whose header has been written: the caller adds the payload
   * and calls {@link #seal}.
   */
  public InternetChecksum beginChecksum(MemorySegment target, long offset, int payload) {
    long ip = offset + template.ipOffset();
    int header = length - template.upperOffset();
    sum.reset();
    if (template.ipVersion() == 4) {
      int src = target.get(Layouts.INT, ip + 12);
      int dst = target.get(Layouts.INT, ip + 16);
      sum.addPseudoIpv4(src, dst, EthernetFrame.TCP, header + payload);
    } else {
      sum.addPseudoIpv6(target, ip, EthernetFrame.TCP, header + payload);
    }
    return sum.add(target, offset + template.upperOffset(), header);
  }

  /** Writes the TCP checksum that {@link #beginChecksum} began. */
  public void seal(MemorySegment target, long offset) {
    long field = offset + template.upperOffset() + CHECKSUM;
    target.set(Layouts.SHORT, field, (short) sum.value());
  }
}
