package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.KnownAddresses;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.SendBatch;
import dev.verbena.wire.Address;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The struct msghdr and buffers for receiving a datagram, or several that the kernel delivers as
 * one, and the kernel's information about the last one. Reused for each call. For one thread at a
 * time.
 */
final class ReceiveMessage {
  /** More than any UDP datagram. */
  private static final int PAYLOAD_BYTES = 1 << 16;

  private static final int CONTROL_BYTES = 256;
  private static final long ALIGNMENT = MessageHeader.CONTROL_ALIGNMENT;
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt NET_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort NET_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong NET_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final boolean ipv4;
  private final int ipLevel;
  private final int hopLimitType;
  private final int trafficClassType;
  private final MemorySegment header;
  private final Arrival arrival;
  private final MemorySegment address;
  private final MemorySegment control;
  private final KnownAddresses known = new KnownAddresses();

  /**
   * Datagrams the full socket buffer has cost so far, modulo 2³²; 0 if the kernel does not tell.
   */
  int overflows;

  ReceiveMessage(Arena arena, boolean ipv4) {
    this.ipv4 = ipv4;
    ipLevel = ipv4 ? LinuxSocket.SOL_IP : LinuxSocket.SOL_IPV6;
    hopLimitType = ipv4 ? LinuxSocket.IP_TTL : LinuxSocket.IPV6_HOPLIMIT;
    trafficClassType = ipv4 ? LinuxSocket.IP_TOS : LinuxSocket.IPV6_TCLASS;
    this.header = arena.allocate(MessageHeader.BYTES, Long.BYTES);
    this.arrival = new Arrival(arena.allocate(PAYLOAD_BYTES, Link.BUFFER_ALIGNMENT));
    this.address = arena.allocate(LinuxSocket.addressBytes(ipv4), Long.BYTES);
    this.control = arena.allocate(CONTROL_BYTES, Long.BYTES);
    MemorySegment piece = arena.allocate(MessageHeader.PIECE_BYTES, Long.BYTES);
    MessageHeader.writePiece(piece, 0, arrival.datagram.address(), PAYLOAD_BYTES);
    MessageHeader.init(header, address, piece, control);
  }

  /**
   * Receives without waiting; {@link #hand} is to follow.
   *
   * @param asks whether to say why nothing was received, for which memory may be allocated
   * @return bytes; otherwise minus errno, or -1 if not asked
   */
  long receive(MemorySegment error, int fd, boolean asks) {
    // The kernel has overwritten these with the values of the last one.
    header.set(INT, MessageHeader.NAME_LENGTH, (int) address.byteSize());
    header.set(LONG, MessageHeader.CONTROL_LENGTH, CONTROL_BYTES);
    return asks
        ? UdpNative.recvmsg(error, fd, header, UdpNative.MSG_DONTWAIT)
        : UdpNative.tryRecvmsg(fd, header, UdpNative.MSG_DONTWAIT);
  }

  /**
   * Passes on the datagrams that were received as one.
   *
   * @param received bytes of all of them
   * @param destination the address to which the socket is bound, which is the destination of all
   *     datagrams
   * @return their number
   */
  int hand(long received, Address destination, Receiver receiver, long now) {
    overflows = 0;
    int hopLimit = -1;
    int trafficClass = -1;
    long segment = 0;
    long end = header.get(LONG, MessageHeader.CONTROL_LENGTH);
    long at = 0;
    while (at + MessageHeader.CONTROL_DATA <= end) {
      long length = control.get(LONG, at + MessageHeader.MESSAGE_LENGTH);
      if (length < MessageHeader.CONTROL_DATA) {
        break;
      }
      int level = control.get(INT, at + MessageHeader.LEVEL);
      int type = control.get(INT, at + MessageHeader.TYPE);
      long data = at + MessageHeader.CONTROL_DATA;
      if (level == ipLevel && type == hopLimitType) {
        hopLimit = control.get(INT, data) & 0xFF;
      } else if (level == ipLevel && type == trafficClassType) {
        // IPv4 has a byte here, and IPv6 an int, of which this is the first byte on the systems of
        // NativeAccess.
        trafficClass = control.get(BYTE, data) & 0xFF;
      } else if (level == LinuxSocket.SOL_UDP && type == LinuxSocket.UDP_GRO) {
        segment = control.get(INT, data);
      } else if (level == LinuxSocket.SOL_SOCKET && type == LinuxSocket.SO_RXQ_OVFL) {
        overflows = control.get(INT, data);
      }
      at += length + ALIGNMENT - 1 & -ALIGNMENT;
    }
    Address source =
        ipv4
            ? known.of(0, Address.IPV4 | Integer.toUnsignedLong(address.get(NET_INT, 4)))
            : known.of(address.get(NET_LONG, 8), address.get(NET_LONG, 16));
    int srcPort = address.get(NET_SHORT, 2) & 0xFFFF;
    arrival.headers(source, srcPort, destination, hopLimit, trafficClass);
    long size = segment > 0 ? segment : PAYLOAD_BYTES;
    int count = (int) Math.max(1, (received + size - 1) / size);
    boolean swapped = count == 2 && isOvertaken(size, received - size);
    for (int i = 0; i < count; i++) {
      int place = swapped ? 1 - i : i;
      long offset = place * size;
      arrival.at(offset, Math.min(size, received - offset), place);
      receiver.datagram(arrival, now);
    }
    return count;
  }

  /**
   * Whether the second datagram of a run is an acknowledgement that the first one, a request, has
   * overtaken ({@link SendBatch#addBeforeLast}). Then it comes first, as its sender has made it.
   */
  private boolean isOvertaken(long offset, long length) {
    MemorySegment datagrams = arrival.datagram;
    return length >= Bth.LENGTH
        && Opcode.isAcknowledge(Bth.opcode(datagrams, offset))
        && Opcode.isRequest(Bth.opcode(datagrams, 0));
  }
}
