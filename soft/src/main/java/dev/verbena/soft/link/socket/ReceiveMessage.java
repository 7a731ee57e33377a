package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Receiver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The struct msghdr and buffers of a datagram to receive, or of several that the kernel hands over
 * as one, reused for each, and what the kernel told about the last one. For one thread at a time.
 */
final class ReceiveMessage {
  /** More than any UDP datagram. */
  private static final int PAYLOAD_BYTES = 1 << 16;

  private static final int CONTROL_BYTES = 256;
  private static final int PKTINFO_IPV4_DESTINATION = 8;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfInt NET_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort NET_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong NET_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final LocalAddress local;
  private final boolean ipv4;
  private final MemorySegment header;
  private final Arrival arrival;
  private final MemorySegment address;
  private final MemorySegment control;
  private final KnownAddresses known = new KnownAddresses();
  private int overflows;
  private long received;
  private int segment;

  ReceiveMessage(Arena arena, LocalAddress local) {
    this.local = local;
    this.ipv4 = local.isIpv4();
    this.header = arena.allocate(MessageHeader.BYTES, Long.BYTES);
    this.arrival = new Arrival(arena.allocate(PAYLOAD_BYTES, Link.BUFFER_ALIGNMENT));
    this.address = arena.allocate(LinuxSocket.addressBytes(ipv4), Long.BYTES);
    this.control = arena.allocate(CONTROL_BYTES, Long.BYTES);
    MemorySegment piece = arena.allocate(MessageHeader.PIECE_BYTES, Long.BYTES);
    MessageHeader.writePiece(piece, arrival.datagram().address(), PAYLOAD_BYTES);
    MessageHeader.init(header, address, piece, control);
  }

  MemorySegment header() {
    return header;
  }

  /** Undoes what the kernel wrote into the header, which the next call reads. */
  void reset() {
    MessageHeader.setNameLength(header, (int) address.byteSize());
    MessageHeader.setControl(header, control.address(), CONTROL_BYTES);
  }

  /** Looks at what has just been received, so many bytes; {@link #hand} is to follow. */
  void parse(long length) {
    received = length;
    segment = 0;
    arrival.to(local.address()).hopLimit(-1).trafficClass(-1);
    if (ipv4) {
      arrival.from(known.ofIpv4(address.get(NET_INT, 4)), srcPort());
    } else {
      arrival.from(known.of(address.get(NET_LONG, 8), address.get(NET_LONG, 16)), srcPort());
    }
    overflows = 0;
    parseControl();
  }

  /** Hands over the datagrams that were received as one; returns how many. */
  int hand(Receiver receiver, long now) {
    int size = segment > 0 ? segment : PAYLOAD_BYTES;
    int count = 0;
    long offset = 0;
    do {
      arrival.at(offset, count).length(Math.min(size, received - offset));
      receiver.datagram(arrival, now);
      count++;
      offset += size;
    } while (offset < received);
    return count;
  }

  private int srcPort() {
    return address.get(NET_SHORT, 2) & 0xFFFF;
  }

  private void parseControl() {
    long end = MessageHeader.controlLength(header);
    long offset = 0;
    while (offset + MessageHeader.CONTROL_DATA <= end) {
      long length = MessageHeader.controlMessageLength(control, offset);
      if (length < MessageHeader.CONTROL_DATA) {
        return;
      }
      int level = MessageHeader.controlLevel(control, offset);
      int type = MessageHeader.controlType(control, offset);
      long data = offset + MessageHeader.CONTROL_DATA;
      switch (level) {
        case LinuxSocket.SOL_IP -> parseIpv4(type, data);
        case LinuxSocket.SOL_IPV6 -> parseIpv6(type, data);
        case LinuxSocket.SOL_SOCKET -> {
          if (type == LinuxSocket.SO_RXQ_OVFL) {
            overflows = control.get(INT, data);
          }
        }
        case LinuxSocket.SOL_UDP -> {
          if (type == LinuxSocket.UDP_GRO) {
            segment = control.get(INT, data);
          }
        }
        default -> {
          // Not asked for.
        }
      }
      offset = MessageHeader.nextControl(offset, length);
    }
  }

  private void parseIpv4(int type, long data) {
    switch (type) {
      case LinuxSocket.IP_TTL -> arrival.hopLimit(control.get(INT, data) & 0xFF);
      case LinuxSocket.IP_TOS ->
          arrival.trafficClass(control.get(ValueLayout.JAVA_BYTE, data) & 0xFF);
      case LinuxSocket.IP_PKTINFO ->
          arrival.to(known.ofIpv4(control.get(NET_INT, data + PKTINFO_IPV4_DESTINATION)));
      default -> {
        // Not asked for.
      }
    }
  }

  private void parseIpv6(int type, long data) {
    switch (type) {
      case LinuxSocket.IPV6_HOPLIMIT -> arrival.hopLimit(control.get(INT, data) & 0xFF);
      case LinuxSocket.IPV6_TCLASS -> arrival.trafficClass(control.get(INT, data) & 0xFF);
      case LinuxSocket.IPV6_PKTINFO ->
          arrival.to(
              known.of(control.get(NET_LONG, data), control.get(NET_LONG, data + Long.BYTES)));
      default -> {
        // Not asked for.
      }
    }
  }

  /**
   * Datagrams the full socket buffer has cost so far, modulo 2³²; 0 if the kernel does not tell.
   */
  int overflows() {
    return overflows;
  }
}
