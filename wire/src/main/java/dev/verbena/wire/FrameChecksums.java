package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * The checksums of a frame's IPv4, TCP and UDP headers: filled in before it is sent, verified when
 * it came (S9.5). Not thread-safe.
 */
public final class FrameChecksums {
  private static final int TCP_CHECKSUM = 16;
  private static final int UDP_CHECKSUM = 6;

  private final InternetChecksum sum = new InternetChecksum();

  /** Nothing computed yet. */
  public FrameChecksums() {}

  /**
   * Writes the checksums of the frame that was parsed. The IPv4 header gets its own in any case;
   * TCP and UDP, over IPv4 or IPv6, unless the packet is a fragment or goes on behind the frame's
   * end. Other frames stay as they are.
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
   * Whether the frame is TCP or UDP over IPv4 and both checksums are right: what IP_CSUM_OK of a
   * completion says (ibv_poll_cq(3)). A UDP packet without checksum is not vouched for.
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

  /** What a header carries for this sum: UDP says 0 for "none", so its 0 is written 0xFFFF. */
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
