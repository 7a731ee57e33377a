package dev.verbena.soft.link;

import dev.verbena.wire.Address;
import dev.verbena.wire.RoceFlow;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The struct msghdr of a datagram to send, reused for each: destination, one piece of payload, and
 * control messages for hop limit and traffic class where they differ from the socket's. For one
 * thread at a time.
 */
final class SendMessage {
  private final boolean ipv4;
  private final int scope;
  private final MemorySegment header;
  private final MemorySegment payload;
  private final MemorySegment address;
  private final MemorySegment control;
  private Address destination;

  SendMessage(Arena arena, LocalAddress local) {
    this.ipv4 = local.isIpv4();
    this.scope = local.scope();
    this.header = arena.allocate(MessageHeader.BYTES, Long.BYTES);
    this.payload = arena.allocate(MessageHeader.PIECE_BYTES, Long.BYTES);
    this.address = arena.allocate(LinuxSocket.addressBytes(ipv4), Long.BYTES);
    this.control = arena.allocate(2 * MessageHeader.CONTROL_INT_SPACE, Long.BYTES);
    MessageHeader.init(header, address, payload, control);
    int level = ipv4 ? LinuxSocket.SOL_IP : LinuxSocket.SOL_IPV6;
    MessageHeader.writeControl(
        control, 0, level, ipv4 ? LinuxSocket.IP_TTL : LinuxSocket.IPV6_HOPLIMIT);
    MessageHeader.writeControl(
        control,
        MessageHeader.CONTROL_INT_SPACE,
        level,
        ipv4 ? LinuxSocket.IP_TOS : LinuxSocket.IPV6_TCLASS);
    this.destination = local.address();
    writeDestination();
  }

  MemorySegment header() {
    return header;
  }

  /** Describes one datagram in native memory. */
  void describe(MemorySegment datagram, long length, Route route) {
    if (!route.destination().equals(destination)) {
      destination = route.destination();
      writeDestination();
    }
    MessageHeader.writePiece(payload, datagram.address(), length);
    describeControl(route.effectiveHopLimit(), route.trafficClass() & 0xFF);
  }

  /** The two messages stand in a fixed order; either, both or none is shown to the kernel. */
  private void describeControl(int hopLimit, int trafficClass) {
    boolean hops = hopLimit != Route.DEFAULT_HOP_LIMIT;
    boolean traffic = trafficClass != 0;
    long space = MessageHeader.CONTROL_INT_SPACE;
    long skipped = hops ? 0 : space;
    if (hops) {
      control.set(ValueLayout.JAVA_INT, MessageHeader.CONTROL_DATA, hopLimit);
    }
    if (traffic) {
      control.set(ValueLayout.JAVA_INT, space + MessageHeader.CONTROL_DATA, trafficClass);
    }
    long length = (hops ? space : 0) + (traffic ? space : 0);
    MessageHeader.setControl(header, control.address() + skipped, length);
  }

  private void writeDestination() {
    int zone = destination.isLinkLocal() ? scope : 0;
    LinuxSocket.writeAddress(address, destination, RoceFlow.UDP_PORT, zone);
  }
}
