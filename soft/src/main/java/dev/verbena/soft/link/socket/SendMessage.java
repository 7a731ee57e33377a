package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.SendBatch;
import dev.verbena.wire.Address;
import dev.verbena.wire.RocePorts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The struct msghdr of a datagram to send, or of a run of them, reused for each: destination, a
 * piece of payload for each, and control messages for hop limit and traffic class where they differ
 * from the socket's, and for the length of the datagrams. For one thread at a time.
 */
final class SendMessage {
  // The control messages lie in this order; those between the first and the last that are wanted
  // are shown to the kernel.
  private static final int HOPS = 0;
  private static final int TRAFFIC = MessageHeader.CONTROL_INT_SPACE;
  private static final int SEGMENT = 2 * MessageHeader.CONTROL_INT_SPACE;
  private static final int END = 3 * MessageHeader.CONTROL_INT_SPACE;

  /**
   * With its length said, a datagram is charged by its length. Without, its memory is, which is up
   * to twice that; only for the shortest it is less.
   */
  private static final int LEAST_SEGMENT = 200;

  private final boolean ipv4;
  private final int scope;
  private final MemorySegment header;
  private final MemorySegment pieces;
  private final MemorySegment address;
  private final MemorySegment control;
  private Address destination;
  private int hopLimit;
  private int trafficClass;

  /** Bytes of each datagram but the last; 0 if the kernel is not told. */
  private int segment;

  SendMessage(Arena arena, LocalAddress local) {
    this.ipv4 = local.isIpv4();
    this.scope = local.scope();
    this.header = arena.allocate(MessageHeader.BYTES, Long.BYTES);
    this.pieces = arena.allocate(SendBatch.CAPACITY * MessageHeader.PIECE_BYTES, Long.BYTES);
    this.address = arena.allocate(LinuxSocket.addressBytes(ipv4), Long.BYTES);
    this.control = arena.allocate(END, Long.BYTES);
    MessageHeader.init(header, address, pieces, control);
    int level = ipv4 ? LinuxSocket.SOL_IP : LinuxSocket.SOL_IPV6;
    MessageHeader.writeControl(
        control, HOPS, level, ipv4 ? LinuxSocket.IP_TTL : LinuxSocket.IPV6_HOPLIMIT);
    MessageHeader.writeControl(
        control, TRAFFIC, level, ipv4 ? LinuxSocket.IP_TOS : LinuxSocket.IPV6_TCLASS);
    MessageHeader.writeControl(
        control, SEGMENT, LinuxSocket.SOL_UDP, LinuxSocket.UDP_SEGMENT, Short.BYTES);
    this.destination = local.address();
    writeDestination();
  }

  MemorySegment header() {
    return header;
  }

  /**
   * Describes one datagram in native memory.
   *
   * @param segments whether the kernel may be told its length
   */
  void describe(MemorySegment datagram, long length, Route route, boolean segments) {
    aim(route);
    MessageHeader.writePiece(pieces, datagram.address(), length);
    MessageHeader.setPieceCount(header, 1);
    segment = segments && length >= LEAST_SEGMENT && !route.isMulticast() ? (int) length : 0;
    describeControl(route.effectiveHopLimit(), route.trafficClass() & 0xFF);
  }

  /** Describes the oldest datagrams of a batch, which are one run. */
  void describe(SendBatch batch, int count) {
    Route route = batch.route(0);
    aim(route);
    for (int i = 0; i < count; i++) {
      MessageHeader.writePiece(pieces, i, batch.datagram(i).address(), batch.length(i));
    }
    MessageHeader.setPieceCount(header, count);
    segment = batch.length(0);
    describeControl(route.effectiveHopLimit(), route.trafficClass() & 0xFF);
  }

  /** Whether the kernel is told the length of the datagrams. */
  boolean saysLength() {
    return segment > 0;
  }

  /** Does not tell the kernel the length of the datagram after all. */
  void hideLength() {
    segment = 0;
    describeControl(hopLimit, trafficClass);
  }

  private void aim(Route route) {
    if (!route.destination().equals(destination)) {
      destination = route.destination();
      writeDestination();
    }
  }

  private void describeControl(int hops, int traffic) {
    hopLimit = hops;
    trafficClass = traffic;
    int start = hops != Route.DEFAULT_HOP_LIMIT ? HOPS : traffic != 0 ? TRAFFIC : SEGMENT;
    int end = segment > 0 ? END : traffic != 0 ? SEGMENT : TRAFFIC;
    if (start < end) {
      control.set(ValueLayout.JAVA_INT, HOPS + MessageHeader.CONTROL_DATA, hops);
      control.set(ValueLayout.JAVA_INT, TRAFFIC + MessageHeader.CONTROL_DATA, traffic);
      control.set(ValueLayout.JAVA_SHORT, SEGMENT + MessageHeader.CONTROL_DATA, (short) segment);
    }
    MessageHeader.setControl(header, control.address() + start, Math.max(0, end - start));
  }

  private void writeDestination() {
    int zone = destination.isLinkLocal() ? scope : 0;
    LinuxSocket.writeAddress(address, destination, RocePorts.UDP_PORT, zone);
  }
}
