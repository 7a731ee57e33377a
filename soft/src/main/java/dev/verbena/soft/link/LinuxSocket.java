package dev.verbena.soft.link;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.RoceAddress;
import dev.verbena.wire.RoceFlow;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A UDP socket of Linux, bound to one address and port 4791 and set up for RoCE: unconnected, with
 * path MTU discovery, so that IPv4 packets leave with ID 0 and don't-fragment, which their ICRC
 * covers (S12.4). Numbers are those of the kernel's asm-generic headers, ip(7), ipv6(7), udp(7) and
 * socket(7).
 */
final class LinuxSocket {
  static final int AF_INET = 2;
  static final int AF_INET6 = 10;

  static final int SOL_IP = 0;
  static final int IP_TOS = 1;
  static final int IP_TTL = 2;
  static final int IP_PKTINFO = 8;
  private static final int IP_MTU_DISCOVER = 10;
  private static final int IP_RECVTTL = 12;
  private static final int IP_RECVTOS = 13;

  static final int SOL_IPV6 = 41;
  private static final int IPV6_UNICAST_HOPS = 16;
  private static final int IPV6_MTU_DISCOVER = 23;
  private static final int IPV6_V6ONLY = 26;
  private static final int IPV6_RECVPKTINFO = 49;
  static final int IPV6_PKTINFO = 50;
  private static final int IPV6_RECVHOPLIMIT = 51;
  static final int IPV6_HOPLIMIT = 52;
  private static final int IPV6_DONTFRAG = 62;
  private static final int IPV6_RECVTCLASS = 66;
  static final int IPV6_TCLASS = 67;

  static final int SOL_SOCKET = 1;
  private static final int SO_RCVBUF = 8;
  private static final int SO_NO_CHECK = 11;
  private static final int SO_RCVBUFFORCE = 33;
  static final int SO_RXQ_OVFL = 40;

  private static final int SOL_UDP = 17;
  private static final int UDP_NO_CHECK6_RX = 102;

  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_NONBLOCK = 0x800;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int PMTUDISC_DO = 2;
  private static final long SIOCGIFFLAGS = 0x8913;
  private static final int IFF_UP = 1;
  private static final int IFREQ_BYTES = 40;
  private static final int IFREQ_FLAGS = 16;

  private static final int IPV4_ADDRESS_BYTES = 16;
  private static final int IPV6_ADDRESS_BYTES = 28;

  /** What is asked for; the kernel doubles it, or cuts it to net.core.rmem_max. */
  private static final int RECEIVE_BUFFER = 8 << 20;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt NET_INT = INT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort NET_SHORT = SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong NET_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final int fd;
  private final boolean ipv4;
  private final LocalAddress local;
  private final int defaultReceiveBuffer;
  private final int receiveBuffer;

  private LinuxSocket(int fd, LocalAddress local, int defaultReceiveBuffer, int receiveBuffer) {
    this.fd = fd;
    this.ipv4 = local.isIpv4();
    this.local = local;
    this.defaultReceiveBuffer = defaultReceiveBuffer;
    this.receiveBuffer = receiveBuffer;
  }

  /**
   * Opens and binds the socket of an address.
   *
   * @throws VerbsException EADDRINUSE, EADDRNOTAVAIL, EACCES or whatever else a call failed with
   */
  static LinuxSocket open(LocalAddress local) {
    try (Arena arena = Arena.ofConfined()) {
      Setup setup = new Setup(arena, local);
      boolean done = false;
      try {
        setup.bind();
        setup.options();
        int normal = setup.receiveBuffer();
        setup.enlargeReceiveBuffer();
        LinuxSocket socket = new LinuxSocket(setup.fd, local, normal, setup.receiveBuffer());
        done = true;
        return socket;
      } finally {
        if (!done) {
          UdpNative.close(setup.error, setup.fd);
        }
      }
    }
  }

  int fd() {
    return fd;
  }

  void close() {
    try (Arena arena = Arena.ofConfined()) {
      UdpNative.close(UdpNative.errorBuffer(arena), fd);
    }
  }

  /** Bytes the receive buffer of a socket has on this machine unless it asks for more. */
  int defaultReceiveBuffer() {
    return defaultReceiveBuffer;
  }

  /** Bytes of this socket's receive buffer, as the kernel accounts them. */
  int receiveBuffer() {
    return receiveBuffer;
  }

  /**
   * Whether the address can still be bound, so exists, and its interface is up; an interface that
   * the system could not name counts as up.
   */
  boolean isUp() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = UdpNative.errorBuffer(arena);
      int probe = UdpNative.socket(error, family(ipv4), SOCK_DGRAM | SOCK_CLOEXEC, 0);
      if (probe < 0) {
        // No descriptors left says nothing about the address.
        return true;
      }
      int bound = UdpNative.bind(error, probe, address(arena, local, 0));
      UdpNative.close(error, probe);
      return bound != -Errno.EADDRNOTAVAIL && bound != -Errno.ENODEV && interfaceIsUp(arena, error);
    }
  }

  private boolean interfaceIsUp(Arena arena, MemorySegment error) {
    byte[] name = local.interfaceName().getBytes(StandardCharsets.UTF_8);
    if (name.length == 0 || name.length >= IFREQ_FLAGS) {
      return true;
    }
    MemorySegment request = arena.allocate(IFREQ_BYTES, Long.BYTES);
    MemorySegment.copy(name, 0, request, ValueLayout.JAVA_BYTE, 0, name.length);
    int asked = UdpNative.ioctl(error, fd, SIOCGIFFLAGS, request);
    return asked == 0 ? (request.get(SHORT, IFREQ_FLAGS) & IFF_UP) != 0 : asked != -Errno.ENODEV;
  }

  static int family(boolean ipv4) {
    return ipv4 ? AF_INET : AF_INET6;
  }

  /** Bytes of a struct sockaddr_in or sockaddr_in6. */
  static int addressBytes(boolean ipv4) {
    return ipv4 ? IPV4_ADDRESS_BYTES : IPV6_ADDRESS_BYTES;
  }

  private static MemorySegment address(Arena arena, LocalAddress local, int port) {
    MemorySegment address = arena.allocate(addressBytes(local.isIpv4()), Long.BYTES);
    writeAddress(address, local.hi(), local.lo(), port, local.scope());
    return address;
  }

  /** Fills a struct sockaddr_in or sockaddr_in6, whichever the address asks for. */
  static void writeAddress(MemorySegment address, long hi, long lo, int port, int scope) {
    address.set(NET_SHORT, 2, (short) port);
    if (RoceAddress.isIpv4Mapped(hi, lo)) {
      address.set(SHORT, 0, (short) AF_INET);
      address.set(NET_INT, 4, RoceAddress.ipv4(lo));
    } else {
      address.set(SHORT, 0, (short) AF_INET6);
      address.set(NET_LONG, 8, hi);
      address.set(NET_LONG, 16, lo);
      address.set(INT, 24, scope);
    }
  }

  /** One socket on its way to being usable. */
  private static final class Setup {
    private final Arena arena;
    private final MemorySegment error;
    private final LocalAddress local;
    private final int fd;

    Setup(Arena arena, LocalAddress local) {
      this.arena = arena;
      this.error = UdpNative.errorBuffer(arena);
      this.local = local;
      int type = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
      this.fd = UdpNative.socket(error, family(local.isIpv4()), type, 0);
      if (fd < 0) {
        throw failed(-fd, "a UDP socket for " + name() + " could not be made");
      }
    }

    void bind() {
      if (!local.isIpv4()) {
        // The wildcard of this option matters before bind only.
        set(SOL_IPV6, IPV6_V6ONLY, 1);
      }
      int result = UdpNative.bind(error, fd, address(arena, local, RoceFlow.UDP_PORT));
      if (result < 0) {
        throw BindFailure.of(-result, name());
      }
    }

    void options() {
      if (local.isIpv4()) {
        set(SOL_IP, IP_MTU_DISCOVER, PMTUDISC_DO);
        set(SOL_IP, IP_TTL, Route.DEFAULT_HOP_LIMIT);
        set(SOL_IP, IP_RECVTTL, 1);
        set(SOL_IP, IP_RECVTOS, 1);
        set(SOL_IP, IP_PKTINFO, 1);
        // RoCE packets carry checksum 0 (S12.1.1).
        set(SOL_SOCKET, SO_NO_CHECK, 1);
      } else {
        set(SOL_IPV6, IPV6_MTU_DISCOVER, PMTUDISC_DO);
        set(SOL_IPV6, IPV6_DONTFRAG, 1);
        set(SOL_IPV6, IPV6_UNICAST_HOPS, Route.DEFAULT_HOP_LIMIT);
        set(SOL_IPV6, IPV6_RECVHOPLIMIT, 1);
        set(SOL_IPV6, IPV6_RECVTCLASS, 1);
        set(SOL_IPV6, IPV6_RECVPKTINFO, 1);
        // Others send checksum 0. Ours sends a valid one: a socket without this option needs it.
        set(SOL_UDP, UDP_NO_CHECK6_RX, 1);
      }
      set(SOL_SOCKET, SO_RXQ_OVFL, 1);
    }

    /** The privileged option ignores net.core.rmem_max, the other one is cut down to it. */
    void enlargeReceiveBuffer() {
      if (trySet(SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER) < 0) {
        set(SOL_SOCKET, SO_RCVBUF, RECEIVE_BUFFER);
      }
    }

    int receiveBuffer() {
      MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment size = arena.allocateFrom(ValueLayout.JAVA_INT, Integer.BYTES);
      int result = UdpNative.getsockopt(error, fd, SOL_SOCKET, SO_RCVBUF, value, size);
      if (result < 0) {
        throw failed(-result, "the receive buffer size of " + name() + " could not be read");
      }
      return value.get(ValueLayout.JAVA_INT, 0);
    }

    private void set(int level, int option, int value) {
      int result = trySet(level, option, value);
      if (result < 0) {
        throw failed(
            -result,
            "setsockopt(level "
                + level
                + ", option "
                + option
                + ", value "
                + value
                + ") was refused for the UDP socket of "
                + name());
      }
    }

    private int trySet(int level, int option, int value) {
      MemorySegment argument = arena.allocateFrom(ValueLayout.JAVA_INT, value);
      return UdpNative.setsockopt(error, fd, level, option, argument);
    }

    private String name() {
      return local.text();
    }

    private static VerbsException failed(int errno, String detail) {
      return new VerbsException(BindFailure.FUNCTION, errno, detail);
    }
  }
}
