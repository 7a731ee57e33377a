package dev.verbena.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Any bytes as an Ethernet frame and as an IP packet, in memory of just their size; for bin/fuzz.
 */
public final class FrameFuzz {
  /** Nothing reads beyond the bytes, and what is found is inside them. */
  public static void fuzzerTestOneInput(byte[] data) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment frame = arena.allocate(Math.max(1, data.length)).asSlice(0, data.length);
      MemorySegment.copy(data, 0, frame, ValueLayout.JAVA_BYTE, 0, data.length);
      EthernetFrame ethernet = new EthernetFrame();
      ethernet.parse(frame, 0, data.length);
      ethernet.parseTemplate(frame, 0, data.length);
      ethernet.parseIpoibTemplate(frame, 0, data.length);
      IpUdpFrame udp = new IpUdpFrame();
      check(udp, udp.parseIp(frame, 0, data.length), data.length);
      check(udp, udp.parse(LinkType.ETHERNET, frame, 0, data.length), data.length);
    }
  }

  private static void check(IpUdpFrame udp, boolean found, int length) {
    if (found && (udp.payloadLength() < 0 || udp.payloadOffset() + udp.payloadLength() > length)) {
      throw new AssertionError("a datagram that ends behind its frame of " + length + " bytes");
    }
  }

  private FrameFuzz() {}
}
