package dev.verbena.soft.link.socket;

import static dev.verbena.soft.link.socket.LinuxSocket.SOL_IP;
import static dev.verbena.soft.link.socket.LinuxSocket.SOL_IPV6;
import static dev.verbena.soft.link.socket.LinuxSocket.SOL_SOCKET;
import static dev.verbena.soft.link.socket.LinuxSocket.SOL_UDP;

import dev.verbena.soft.link.LibcNative;
import dev.verbena.soft.link.Route;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import dev.verbena.wire.RocePorts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Sets up a UDP socket of Linux for {@link LinuxSocket}. */
final class SocketSetup implements AutoCloseable {
  private static final int IP_MTU_DISCOVER = 10;
  private static final int IP_RECVTTL = 12;
  private static final int IP_RECVTOS = 13;
  private static final int IP_MULTICAST_IF = 32;
  private static final int IP_MULTICAST_TTL = 33;
  private static final int IP_ADD_MEMBERSHIP = 35;
  private static final int IP_MULTICAST_ALL = 49;

  private static final int IPV6_UNICAST_HOPS = 16;
  private static final int IPV6_MULTICAST_IF = 17;
  private static final int IPV6_MULTICAST_HOPS = 18;
  private static final int IPV6_JOIN_GROUP = 20;
  private static final int IPV6_MTU_DISCOVER = 23;
  private static final int IPV6_V6ONLY = 26;
  private static final int IPV6_RECVHOPLIMIT = 51;
  private static final int IPV6_DONTFRAG = 62;
  private static final int IPV6_RECVTCLASS = 66;

  private static final int SO_REUSEADDR = 2;
  private static final int SO_RCVBUF = 8;
  private static final int SO_NO_CHECK = 11;
  private static final int SO_RCVBUFFORCE = 33;
  private static final int SO_BINDTOIFINDEX = 62;

  private static final int UDP_NO_CHECK6_RX = 102;

  /**
   * Forbids fragments, and uses only the MTU of the interface. With PMTUDISC_DO one forged ICMP
   * message, whose sender only needs to know two addresses, makes every larger packet EMSGSIZE for
   * ten minutes.
   */
  private static final int PMTUDISC_PROBE = 3;

  private static final int IP_MREQN_BYTES = 12;
  private static final int IPV6_MREQ_BYTES = 20;

  private static final ValueLayout.OfInt NET_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong NET_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment error = LibcNative.errorBuffer(arena);
  private final String function;
  private final String name;
  private final LocalAddress local;
  private final int fd;
  private boolean segmented;

  /**
   * @param function the verb that needs it, for messages
   * @param name the address that it is bound to, for messages
   * @param local the device's address
   */
  SocketSetup(String function, String name, LocalAddress local) {
    this.function = function;
    this.name = name;
    this.local = local;
    int type = LinuxSocket.SOCK_DGRAM | LinuxSocket.SOCK_NONBLOCK | LinuxSocket.SOCK_CLOEXEC;
    this.fd = UdpNative.socket(error, LinuxSocket.family(local.isIpv4()), type, 0);
    if (fd < 0) {
      arena.close();
      throw failed(-fd, "a UDP socket for " + name + " could not be made");
    }
  }

  int fd() {
    return fd;
  }

  LocalAddress local() {
    return local;
  }

  void bind(LocalAddress address) {
    refuseOtherFamily();
    int result = UdpNative.bind(error, fd, LinuxSocket.address(arena, address, RocePorts.UDP_PORT));
    if (result < 0) {
      throw BindFailure.of(-result, address);
    }
  }

  /** Allows several sockets of this computer to be bound to a group's address; each gets a copy. */
  void shareAddress() {
    set(SOL_SOCKET, SO_REUSEADDR, 1);
  }

  void bindGroup(Address group) {
    refuseOtherFamily();
    MemorySegment address = arena.allocate(LinuxSocket.addressBytes(local.isIpv4()), Long.BYTES);
    LinuxSocket.writeAddress(address, group, RocePorts.UDP_PORT, local.interfaceIndex());
    int result = UdpNative.bind(error, fd, address);
    if (result < 0) {
      throw failed(-result, "UDP port " + RocePorts.UDP_PORT + " of " + name + " cannot be bound");
    }
  }

  private void refuseOtherFamily() {
    if (!local.isIpv4()) {
      // The wildcard of this option only matters before bind.
      set(SOL_IPV6, IPV6_V6ONLY, 1);
    }
  }

  void options() {
    if (local.isIpv4()) {
      set(SOL_IP, IP_MTU_DISCOVER, PMTUDISC_PROBE);
      set(SOL_IP, LinuxSocket.IP_TTL, Route.DEFAULT_HOP_LIMIT);
      set(SOL_IP, IP_RECVTTL, 1);
      set(SOL_IP, IP_RECVTOS, 1);
      // RoCE packets carry checksum 0 (S12.1.1).
      set(SOL_SOCKET, SO_NO_CHECK, 1);
    } else {
      set(SOL_IPV6, IPV6_MTU_DISCOVER, PMTUDISC_PROBE);
      set(SOL_IPV6, IPV6_DONTFRAG, 1);
      set(SOL_IPV6, IPV6_UNICAST_HOPS, Route.DEFAULT_HOP_LIMIT);
      set(SOL_IPV6, IPV6_RECVHOPLIMIT, 1);
      set(SOL_IPV6, IPV6_RECVTCLASS, 1);
      // Others send checksum 0. We send a valid one, because a socket without this option needs it.
      set(SOL_UDP, UDP_NO_CHECK6_RX, 1);
    }
    set(SOL_SOCKET, LinuxSocket.SO_RXQ_OVFL, 1);
  }

  /**
   * Lets the kernel cut runs into datagrams (Linux 4.18), and deliver runs as one (5.0). It does so
   * only with a UDP checksum, which the network adapter computes on the way out, and which is not
   * computed at all within the computer.
   */
  void segments() {
    segmented =
        trySet(SOL_UDP, LinuxSocket.UDP_SEGMENT, intValue(0)) >= 0
            && trySet(SOL_UDP, LinuxSocket.UDP_GRO, intValue(1)) >= 0;
    if (segmented && local.isIpv4()) {
      set(SOL_SOCKET, SO_NO_CHECK, 0);
    }
  }

  boolean hasSegments() {
    return segmented;
  }

  /**
   * Makes datagrams to groups leave by the interface of the local address, with the hop limit that
   * {@link SendMessage} assumes; members on this computer get them too, which is the default. A
   * system without multicast refuses; the socket can still do everything else.
   */
  void multicastOptions() {
    MemorySegment hops = intValue(Route.DEFAULT_HOP_LIMIT);
    if (local.isIpv4()) {
      trySet(SOL_IP, IP_MULTICAST_TTL, hops);
      trySet(SOL_IP, IP_MULTICAST_IF, membership(0));
    } else {
      trySet(SOL_IPV6, IPV6_MULTICAST_HOPS, hops);
      trySet(SOL_IPV6, IPV6_MULTICAST_IF, intValue(local.interfaceIndex()));
    }
  }

  /**
   * Joins a group, and receives from no other group or interface. Closing the socket leaves the
   * group.
   */
  void join(Address group) {
    if (local.isIpv4()) {
      set(SOL_IP, IP_MULTICAST_ALL, 0);
      set(SOL_IP, IP_ADD_MEMBERSHIP, membership(group.ipv4()));
      return;
    }
    MemorySegment membership = arena.allocate(IPV6_MREQ_BYTES, Integer.BYTES);
    membership.set(NET_LONG, 0, group.hi());
    membership.set(NET_LONG, Long.BYTES, group.lo());
    membership.set(ValueLayout.JAVA_INT, 2 * Long.BYTES, local.interfaceIndex());
    set(SOL_IPV6, IPV6_JOIN_GROUP, membership);
    // Linux 5.7 allows it without privileges; before, datagrams may come by other interfaces too.
    trySet(SOL_SOCKET, SO_BINDTOIFINDEX, intValue(local.interfaceIndex()));
  }

  /** A struct ip_mreqn: the index counts if known, otherwise the address. */
  private MemorySegment membership(int group) {
    MemorySegment membership = arena.allocate(IP_MREQN_BYTES, Integer.BYTES);
    membership.set(NET_INT, 0, group);
    membership.set(NET_INT, Integer.BYTES, local.address().ipv4());
    membership.set(ValueLayout.JAVA_INT, 2 * Integer.BYTES, local.interfaceIndex());
    return membership;
  }

  /** The privileged option ignores net.core.rmem_max; the other one is limited by it. */
  void enlargeReceiveBuffer() {
    if (trySet(SOL_SOCKET, SO_RCVBUFFORCE, intValue(InFlightWindow.RECEIVE_BUFFER)) < 0) {
      set(SOL_SOCKET, SO_RCVBUF, InFlightWindow.RECEIVE_BUFFER);
    }
  }

  int receiveBuffer() {
    MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
    MemorySegment size = intValue(Integer.BYTES);
    int result = UdpNative.getsockopt(error, fd, SOL_SOCKET, SO_RCVBUF, value, size);
    if (result < 0) {
      throw failed(-result, "the receive buffer size of " + name + " could not be read");
    }
    return value.get(ValueLayout.JAVA_INT, 0);
  }

  private void set(int level, int option, int value) {
    set(level, option, intValue(value));
  }

  private void set(int level, int option, MemorySegment value) {
    int result = trySet(level, option, value);
    if (result < 0) {
      throw failed(
          -result,
          "setsockopt(level "
              + level
              + ", option "
              + option
              + ") was refused for the UDP socket of "
              + name);
    }
  }

  private int trySet(int level, int option, MemorySegment value) {
    return UdpNative.setsockopt(error, fd, level, option, value);
  }

  private MemorySegment intValue(int value) {
    return arena.allocateFrom(ValueLayout.JAVA_INT, value);
  }

  private VerbsException failed(int errno, String detail) {
    return new VerbsException(function, errno, detail);
  }

  /** Closes the socket, which did not become usable. */
  void abandon() {
    try (Arena own = Arena.ofConfined()) {
      UdpNative.close(LibcNative.errorBuffer(own), fd);
    }
  }

  /** Frees the memory of the setup; the socket stays open. */
  @Override
  public void close() {
    arena.close();
  }
}
