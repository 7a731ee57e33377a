package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.LibcNative;
import dev.verbena.soft.link.LinkState;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A UDP socket of Linux, bound to one address, the device's or a group's, and port 4791, and set up
 * for RoCE: unconnected, with path MTU discovery, so that IPv4 packets leave with ID 0 and
 * don't-fragment, which their ICRC covers (S12.4). The numbers are from the kernel's asm-generic
 * headers, ip(7), ipv6(7), udp(7) and socket(7).
 */
final class LinuxSocket {
  static final int AF_INET = 2;
  static final int AF_INET6 = 10;

  static final int SOL_IP = 0;
  static final int IP_TOS = 1;
  static final int IP_TTL = 2;

  static final int SOL_IPV6 = 41;
  static final int IPV6_HOPLIMIT = 52;
  static final int IPV6_TCLASS = 67;

  static final int SOL_UDP = 17;
  static final int UDP_SEGMENT = 103;
  static final int UDP_GRO = 104;

  static final int SOL_SOCKET = 1;
  static final int SO_RXQ_OVFL = 40;

  static final int SOCK_DGRAM = 2;
  static final int SOCK_NONBLOCK = 0x800;
  static final int SOCK_CLOEXEC = 0x80000;
  private static final long SIOCGIFFLAGS = 0x8913;

  /** Flags of an interface: it is up, and has carrier (IFF_UP, IFF_RUNNING). */
  private static final int WORKING = 0x41;

  private static final int IFREQ_BYTES = 40;
  private static final int IFREQ_FLAGS = 16;

  private static final int IPV4_ADDRESS_BYTES = 16;
  private static final int IPV6_ADDRESS_BYTES = 28;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt NET_INT = INT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort NET_SHORT = SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong NET_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final int fd;
  private final boolean ipv4;
  private final int defaultReceiveBuffer;
  private final int receiveBuffer;
  private final boolean segments;

  // Arguments of state(), allocated once because it is called every second.
  private final MemorySegment error;

  private final MemorySegment anyPort;
  private final @Nullable MemorySegment interfaceRequest;

  private LinuxSocket(
      int fd, LocalAddress local, int defaultReceiveBuffer, int receiveBuffer, boolean segments) {
    this.fd = fd;
    this.ipv4 = local.isIpv4();
    this.defaultReceiveBuffer = defaultReceiveBuffer;
    this.receiveBuffer = receiveBuffer;
    this.segments = segments;
    Arena arena = Arena.ofAuto();
    this.error = LibcNative.errorBuffer(arena);
    this.anyPort = address(arena, local, 0);
    this.interfaceRequest = interfaceRequest(arena, local);
  }

  /**
   * Opens and binds the socket of an address, which also sends to multicast groups.
   *
   * @throws VerbsException EADDRINUSE, EADDRNOTAVAIL, EACCES or another errno of a failed call
   */
  static LinuxSocket open(LocalAddress local) {
    return open(
        new SocketSetup(BindFailure.FUNCTION, local.text(), local),
        setup -> {
          setup.bind(local);
          setup.options();
          setup.segments();
          setup.multicastOptions();
        });
  }

  /**
   * Opens a socket that receives datagrams to a multicast group on the interface of an address. It
   * is bound to the group's address, and shares that with other members.
   *
   * @throws VerbsException with the errno of a failed call
   */
  static LinuxSocket openGroup(LocalAddress local, Address group) {
    String name = group + " on the interface of " + local.text();
    return open(
        new SocketSetup("attachMcast", name, local),
        setup -> {
          setup.shareAddress();
          setup.bindGroup(group);
          setup.options();
          setup.join(group);
        });
  }

  private static LinuxSocket open(SocketSetup socket, Consumer<SocketSetup> steps) {
    boolean done = false;
    try (socket) {
      steps.accept(socket);
      int normal = socket.receiveBuffer();
      socket.enlargeReceiveBuffer();
      LinuxSocket ready =
          new LinuxSocket(
              socket.fd(), socket.local(), normal, socket.receiveBuffer(), socket.hasSegments());
      done = true;
      return ready;
    } finally {
      if (!done) {
        socket.abandon();
      }
    }
  }

  int fd() {
    return fd;
  }

  void close() {
    try (Arena arena = Arena.ofConfined()) {
      UdpNative.close(LibcNative.errorBuffer(arena), fd);
    }
  }

  /** Bytes of a socket's default receive buffer on this computer. */
  int defaultReceiveBuffer() {
    return defaultReceiveBuffer;
  }

  /** Bytes of this socket's receive buffer, as the kernel accounts them. */
  int receiveBuffer() {
    return receiveBuffer;
  }

  /** Whether the kernel cuts runs into datagrams, and delivers runs as one. */
  boolean hasSegments() {
    return segments;
  }

  /** The state of the address, which exists as long as it can be bound, and of its interface. */
  synchronized LinkState state() {
    int flags = interfaceFlags();
    if (flags >= 0 && (flags & WORKING) != WORKING) {
      return LinkState.DOWN;
    }
    if (canBeBound()) {
      return LinkState.UP;
    }
    return flags == -Errno.ENODEV ? LinkState.GONE : LinkState.NO_ADDRESS;
  }

  private boolean canBeBound() {
    int probe = UdpNative.socket(error, family(ipv4), SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (probe < 0) {
      // A lack of descriptors says nothing about the address.
      return true;
    }
    int bound = UdpNative.bind(error, probe, anyPort);
    UdpNative.close(error, probe);
    return bound != -Errno.EADDRNOTAVAIL && bound != -Errno.ENODEV;
  }

  /**
   * The flags of the interface, or minus errno; an interface without a known name counts as
   * working.
   */
  private int interfaceFlags() {
    if (interfaceRequest == null) {
      return WORKING;
    }
    int asked = UdpNative.ioctl(error, fd, SIOCGIFFLAGS, interfaceRequest);
    return asked == 0 ? interfaceRequest.get(SHORT, IFREQ_FLAGS) & 0xFFFF : asked;
  }

  /** A struct ifreq with the name of the interface, or null if that is not known. */
  private static @Nullable MemorySegment interfaceRequest(Arena arena, LocalAddress local) {
    byte[] name = local.interfaceName().getBytes(StandardCharsets.UTF_8);
    if (name.length == 0 || name.length >= IFREQ_FLAGS) {
      return null;
    }
    MemorySegment request = arena.allocate(IFREQ_BYTES, Long.BYTES);
    MemorySegment.copy(name, 0, request, ValueLayout.JAVA_BYTE, 0, name.length);
    return request;
  }

  static int family(boolean ipv4) {
    return ipv4 ? AF_INET : AF_INET6;
  }

  /** Bytes of a struct sockaddr_in or sockaddr_in6. */
  static int addressBytes(boolean ipv4) {
    return ipv4 ? IPV4_ADDRESS_BYTES : IPV6_ADDRESS_BYTES;
  }

  static MemorySegment address(Arena arena, LocalAddress local, int port) {
    MemorySegment struct = arena.allocate(addressBytes(local.isIpv4()), Long.BYTES);
    writeAddress(struct, local.address(), port, local.scope());
    return struct;
  }

  /** Fills a struct sockaddr_in or sockaddr_in6, depending on the address. */
  static void writeAddress(MemorySegment struct, Address address, int port, int scope) {
    struct.set(NET_SHORT, 2, (short) port);
    if (address.isIpv4()) {
      struct.set(SHORT, 0, (short) AF_INET);
      struct.set(NET_INT, 4, address.ipv4());
    } else {
      struct.set(SHORT, 0, (short) AF_INET6);
      struct.set(NET_LONG, 8, address.hi());
      struct.set(NET_LONG, 16, address.lo());
      struct.set(INT, 24, scope);
    }
  }
}
