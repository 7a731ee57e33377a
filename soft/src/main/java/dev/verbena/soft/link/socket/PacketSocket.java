package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.LibcNative;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.EthernetHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A packet socket of Linux on one Ethernet interface (packet(7)). The numbers are from the kernel's
 * headers if_packet.h, if_ether.h and sockios.h.
 */
final class PacketSocket {
  static final int SOL_PACKET = 263;
  static final int PACKET_AUXDATA = 8;

  private static final int AF_PACKET = 17;
  private static final int SOCK_RAW = 3;
  private static final int ETH_P_ALL = 3;
  private static final int PACKET_ADD_MEMBERSHIP = 1;
  private static final int PACKET_DROP_MEMBERSHIP = 2;
  private static final int PACKET_IGNORE_OUTGOING = 23;
  private static final short PACKET_MR_PROMISC = 1;
  private static final short PACKET_MR_ALLMULTI = 2;
  private static final int MEMBERSHIP_BYTES = 16;
  private static final int ADDRESS_BYTES = 20;

  private static final long SIOCGIFMTU = 0x8921;
  private static final long SIOCGIFHWADDR = 0x8927;
  private static final long SIOCGIFINDEX = 0x8933;
  private static final int ARPHRD_ETHER = 1;
  private static final int NAME_BYTES = 16;
  private static final int REQUEST_BYTES = 40;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
  private static final ValueLayout.OfShort NET_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong NET_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final int fd;
  private final String name;
  private final int index;
  private final long mac;
  private final int mtu;
  private boolean listening;
  private boolean promiscuous;

  private PacketSocket(int fd, String name, int index, long mac, int mtu) {
    this.fd = fd;
    this.name = name;
    this.index = index;
    this.mac = mac;
    this.mtu = mtu;
  }

  /**
   * Opens a socket on the interface; it receives nothing before {@link #listen}.
   *
   * @throws VerbsException EPERM without the right, ENODEV without the interface, EINVAL if it is
   *     not Ethernet
   */
  static PacketSocket open(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (bytes.length == 0 || bytes.length >= NAME_BYTES) {
      throw failed(Errno.EINVAL, name, "an interface name has 1 to 15 bytes");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = LibcNative.errorBuffer(arena);
      int type = SOCK_RAW | LinuxSocket.SOCK_NONBLOCK | LinuxSocket.SOCK_CLOEXEC;
      int fd = UdpNative.socket(error, AF_PACKET, type, 0);
      if (fd < 0) {
        throw failed(
            -fd,
            name,
            -fd == Errno.EPERM || -fd == Errno.EACCES
                ? "packet sockets need CAP_NET_RAW: run as root, or give it to the java command"
                : "a packet socket could not be made");
      }
      boolean done = false;
      try {
        PacketSocket socket = describe(arena, error, fd, name, bytes);
        socket.bind(arena, error, 0);
        socket.set(arena, error, PACKET_AUXDATA, 1);
        socket.set(arena, error, PACKET_IGNORE_OUTGOING, 1);
        done = true;
        return socket;
      } finally {
        if (!done) {
          UdpNative.close(error, fd);
        }
      }
    }
  }

  private static PacketSocket describe(
      Arena arena, MemorySegment error, int fd, String name, byte[] bytes) {
    MemorySegment request = arena.allocate(REQUEST_BYTES, Long.BYTES);
    MemorySegment.copy(bytes, 0, request, ValueLayout.JAVA_BYTE, 0, bytes.length);
    ask(error, fd, SIOCGIFINDEX, request, name);
    int index = request.get(INT, NAME_BYTES);
    ask(error, fd, SIOCGIFMTU, request, name);
    int mtu = request.get(INT, NAME_BYTES);
    ask(error, fd, SIOCGIFHWADDR, request, name);
    if (request.get(SHORT, NAME_BYTES) != ARPHRD_ETHER) {
      throw failed(Errno.EINVAL, name, "the interface is not Ethernet");
    }
    long mac = request.get(NET_LONG, NAME_BYTES + 2) >>> Short.SIZE;
    return new PacketSocket(fd, name, index, mac, mtu);
  }

  private static void ask(
      MemorySegment error, int fd, long what, MemorySegment request, String name) {
    int result = UdpNative.ioctl(error, fd, what, request);
    if (result < 0) {
      throw failed(
          -result,
          name,
          -result == Errno.ENODEV
              ? "there is no such interface"
              : "ioctl(0x" + Long.toHexString(what) + ") was refused");
    }
  }

  int fd() {
    return fd;
  }

  String name() {
    return name;
  }

  long mac() {
    return mac;
  }

  /** Bytes of the longest frame with a VLAN tag. */
  int maxFrame() {
    return mtu + EthernetHeader.LENGTH + EthernetHeader.VLAN_LENGTH;
  }

  /** Receives from now on; all passing frames if {@code all}. */
  synchronized void listen(boolean all) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = LibcNative.errorBuffer(arena);
      if (!listening) {
        bind(arena, error, ETH_P_ALL);
        membership(arena, error, PACKET_ADD_MEMBERSHIP, PACKET_MR_ALLMULTI);
        listening = true;
      }
      if (promiscuous != all) {
        int change = all ? PACKET_ADD_MEMBERSHIP : PACKET_DROP_MEMBERSHIP;
        membership(arena, error, change, PACKET_MR_PROMISC);
        promiscuous = all;
      }
    }
  }

  private void bind(Arena arena, MemorySegment error, int protocol) {
    MemorySegment address = arena.allocate(ADDRESS_BYTES, Long.BYTES);
    address.set(SHORT, 0, (short) AF_PACKET);
    address.set(NET_SHORT, 2, (short) protocol);
    address.set(INT, 4, index);
    int result = UdpNative.bind(error, fd, address);
    if (result < 0) {
      throw failed(-result, name, "the packet socket could not be bound to the interface");
    }
  }

  private void membership(Arena arena, MemorySegment error, int change, short type) {
    MemorySegment request = arena.allocate(MEMBERSHIP_BYTES, Long.BYTES);
    request.set(INT, 0, index);
    request.set(SHORT, 4, type);
    int result = UdpNative.setsockopt(error, fd, SOL_PACKET, change, request);
    if (result < 0) {
      throw failed(-result, name, "packet membership " + type + " was refused");
    }
  }

  private void set(Arena arena, MemorySegment error, int option, int value) {
    MemorySegment argument = arena.allocateFrom(INT, value);
    int result = UdpNative.setsockopt(error, fd, SOL_PACKET, option, argument);
    if (result < 0) {
      throw failed(-result, name, "packet socket option " + option + " was refused");
    }
  }

  void close() {
    try (Arena arena = Arena.ofConfined()) {
      UdpNative.close(LibcNative.errorBuffer(arena), fd);
    }
  }

  private static VerbsException failed(int errno, String name, String detail) {
    return new VerbsException(BindFailure.FUNCTION, errno, "ether=" + name + ": " + detail);
  }
}
