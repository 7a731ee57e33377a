package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.SendBatch;
import dev.verbena.wire.Address;
import dev.verbena.wire.RocePorts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The struct msghdr for sending a datagram or a run of datagrams, reused for each: destination, a
 * piece of payload for each datagram, and control messages for hop limit and traffic class if they
 * differ from the socket's, and for the length of the datagrams. For one thread at a time.
 */
final class SendMessage {
  // The control messages are in this order; the kernel sees those from the first to the last one in
  // use.
  private static final int HOPS = 0;
  private static final int TRAFFIC = MessageHeader.CONTROL_INT_SPACE;
  private static final int SEGMENT = 2 * MessageHeader.CONTROL_INT_SPACE;
  private static final int END = 3 * MessageHeader.CONTROL_INT_SPACE;

  /**
   * If the kernel knows the length of a datagram, it charges the length. Otherwise it charges the
   * memory, which is up to twice that, and less only for the shortest datagrams.
   */
  private static final int LEAST_SEGMENT = 200;

  private final boolean ipv4;
  private final int scope;
  private final MemorySegment header;
  private final MemorySegment pieces;
  private final MemorySegment address;
  private final MemorySegment control;
  private Route route;

  // The properties of the route.
  private boolean toGroup;
  private int controlStart;
  private int controlEnd;

  /** Bytes of each datagram but the last; 0 if the kernel does not get the length. */
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
    route = new Route(local.address(), 0, 0, 0);
    aim(route);
  }

  /**
   * Sends without waiting what was described.
   *
   * @param payload memory that has it, which stays alive meanwhile
   * @return a negative number is minus errno
   */
  long send(MemorySegment error, int fd, MemorySegment payload) {
    long done = UdpNative.trySendmsg(fd, header, UdpNative.MSG_DONTWAIT, payload);
    // What failed has not left. The call that tells why sends it if the cause has gone meanwhile.
    return done >= 0 ? done : UdpNative.sendmsg(error, fd, header, UdpNative.MSG_DONTWAIT, payload);
  }

  /**
   * Describes one datagram in native memory.
   *
   * @param segments whether the kernel may get its length
   * @return false if the socket cannot send there, because it has the other IP version
   */
  boolean describe(MemorySegment datagram, long length, Route to, boolean segments) {
    if (!to.equals(route) && !aim(to)) {
      return false;
    }
    MessageHeader.writePiece(pieces, 0, datagram.address(), length);
    header.set(ValueLayout.JAVA_LONG, MessageHeader.PIECE_COUNT, 1);
    int told = segments && length >= LEAST_SEGMENT && !toGroup ? (int) length : 0;
    if (told != segment) {
      describeControl(told);
    }
    return true;
  }

  /** Describes the oldest datagrams of a batch, which are one run. */
  boolean describe(SendBatch batch, int count) {
    Route to = batch.routes[0];
    if (!to.equals(route) && !aim(to)) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      MessageHeader.writePiece(pieces, i, batch.datagrams[i].address(), batch.lengths[i]);
    }
    header.set(ValueLayout.JAVA_LONG, MessageHeader.PIECE_COUNT, count);
    int told = batch.lengths[0];
    if (told != segment) {
      describeControl(told);
    }
    return true;
  }

  /** Whether the kernel gets the length of the datagrams. */
  boolean saysLength() {
    return segment > 0;
  }

  /** Removes the length of the datagram again. */
  void hideLength() {
    describeControl(0);
  }

  /** Prepares to send there; false if it cannot. */
  private boolean aim(Route to) {
    Address destination = to.destination();
    if (destination.isIpv4() != ipv4) {
      return false;
    }
    route = to;
    toGroup = to.isMulticast();
    int zone = destination.isLinkLocal() ? scope : 0;
    LinuxSocket.writeAddress(address, destination, RocePorts.UDP_PORT, zone);
    int hops = to.effectiveHopLimit();
    int traffic = to.trafficClass() & 0xFF;
    control.set(ValueLayout.JAVA_INT, HOPS + MessageHeader.CONTROL_DATA, hops);
    control.set(ValueLayout.JAVA_INT, TRAFFIC + MessageHeader.CONTROL_DATA, traffic);
    controlStart = hops != Route.DEFAULT_HOP_LIMIT ? HOPS : traffic != 0 ? TRAFFIC : SEGMENT;
    controlEnd = traffic != 0 ? SEGMENT : TRAFFIC;
    describeControl(0);
    return true;
  }

  /**
   * Describes the control messages: the length of the datagrams unless 0, and those of the route.
   */
  private void describeControl(int bytes) {
    segment = bytes;
    control.set(ValueLayout.JAVA_SHORT, SEGMENT + MessageHeader.CONTROL_DATA, (short) bytes);
    int end = bytes > 0 ? END : controlEnd;
    MessageHeader.setControl(
        header, control.address() + controlStart, Math.max(0, end - controlStart));
  }
}
