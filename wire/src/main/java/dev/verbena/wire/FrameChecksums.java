package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * Fills in the checksums of a frame's IPv4, TCP and UDP headers before sending, and verifies them
 * after receiving (S9.5). Not thread-safe.
 */
public final class FrameChecksums {
  private static final int TCP_CHECKSUM = 16;
  private static final int UDP_CHECKSUM = 6;

  private final InternetChecksum sum = new InternetChecksum();

  /** Nothing computed yet. */
  public FrameChecksums() {}

  /**
   * Writes the checksums of the parsed frame. An IPv4 header always gets its checksum; TCP and UDP,
   * over IPv4 or IPv6, unless the packet is a fragment or extends beyond the frame's end. Other
   * frames do not change.
   */
  public void fill(EthernetFrame frame) {
    MemorySegment segment = frame.segment();
    if (frame.ipVersion() == 4) {
      long at = frame.offset() + frame.ipOffset();
      segment.set(Layouts.SHORT, at + IpUdpHeader.IPV4_CHECKSUM, (short) 0);
      int value = sum.reset().add(segment, at, frame.ipv4HeaderLength()).value();
      segment.set(Layouts.SHORT, at + IpUdpHeader.IPV4_CHECKSUM, (short) value);
    }
    if (frame.upper() != 0 && frame.isWholePacket()) {
      long at = frame.offset() + frame.upperOffset() + checksumOffset(frame);
      segment.set(Layouts.SHORT, at, (short) 0);
      segment.set(Layouts.SHORT, at, (short) carried(frame.upper(), sumUpper(frame).value()));
    }
  }

  /**
   * Whether the frame is TCP or UDP over IPv4 and both checksums are right, as IP_CSUM_OK of a
   * completion says (ibv_poll_cq(3)). False for a UDP packet without a checksum.
   */
  public boolean areValid(EthernetFrame frame) {
    if (frame.ipVersion() != 4 || frame.upper() == 0 || !frame.isWholePacket()) {
      return false;
    }
    MemorySegment segment = frame.segment();
    long ip = frame.offset() + frame.ipOffset();
    long field = frame.offset() + frame.upperOffset() + checksumOffset(frame);
    if (frame.upper() == EthernetFrame.UDP && segment.get(Layouts.SHORT, field) == 0) {
      return false;
    }
    return sum.reset().add(segment, ip, frame.ipv4HeaderLength()).isValid()
        && sumUpper(frame).isValid();
  }

  /** The header field for this sum. In UDP 0 means "none", so a sum of 0 is written as 0xFFFF. */
  static int carried(int upper, int value) {
    return upper == EthernetFrame.UDP && value == 0 ? 0xFFFF : value;
  }

  private InternetChecksum sumUpper(EthernetFrame frame) {
    sum.reset();
    if (frame.ipVersion() == 4) {
      sum.addPseudoIpv4(frame.ipv4Src(), frame.ipv4Dst(), frame.upper(), frame.upperLength());
    } else {
      long ip = frame.offset() + frame.ipOffset();
      sum.addPseudoIpv6(frame.segment(), ip, frame.upper(), frame.upperLength());
    }
    return sum.add(frame.segment(), frame.offset() + frame.upperOffset(), frame.upperLength());
  }

  private static int checksumOffset(EthernetFrame frame) {
    return frame.upper() == EthernetFrame.TCP ? TCP_CHECKSUM : UDP_CHECKSUM;
  }
}
