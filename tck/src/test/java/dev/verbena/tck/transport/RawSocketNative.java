package dev.verbena.tck.transport;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;

/**
 * A raw socket of Linux, for root: sends packets that other sockets do not send, and shows headers.
 */
@SuppressWarnings("restricted")
final class RawSocketNative implements AutoCloseable {
  static final int ICMP = 1;
  static final int UDP = 17;
  static final int ICMPV6 = 58;

  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int SOCK_RAW = 3;
  private static final int SOCKADDR_IN_BYTES = 16;
  private static final int SOCKADDR_IN6_BYTES = 28;
  private static final int BUFFER_BYTES = 1 << 16;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MethodHandle SOCKET =
      function("socket", FunctionDescriptor.of(INT, INT, INT, INT));
  private static final MethodHandle SENDTO =
      function(
          "sendto",
          FunctionDescriptor.of(
              LONG, INT, ValueLayout.ADDRESS, LONG, INT, ValueLayout.ADDRESS, INT));
  private static final MethodHandle RECV =
      function("recv", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG, INT));
  private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(INT, INT));

  private final int fd;

  private static MethodHandle function(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  /**
   * Opens a socket.
   *
   * @param ipv4 whether of IPv4
   * @param protocol which packets it sends and receives
   */
  RawSocketNative(boolean ipv4, int protocol) throws IOException {
    fd = (int) call(SOCKET, ipv4 ? AF_INET : AF_INET6, SOCK_RAW, protocol);
  }

  /** Sends what follows the IP header. */
  void send(byte[] packet, InetAddress to) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      boolean ipv4 = to instanceof Inet4Address;
      int bytes = ipv4 ? SOCKADDR_IN_BYTES : SOCKADDR_IN6_BYTES;
      MemorySegment address = arena.allocate(bytes, Long.BYTES);
      address.set(ValueLayout.JAVA_SHORT, 0, (short) (ipv4 ? AF_INET : AF_INET6));
      MemorySegment.copy(
          to.getAddress(), 0, address, ValueLayout.JAVA_BYTE, ipv4 ? 4 : 8, to.getAddress().length);
      MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_BYTE, packet);
      call(SENDTO, fd, data, (long) packet.length, 0, address, bytes);
    }
  }

  /** Waits for a packet; over IPv4 with its IP header. */
  byte[] receive() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(BUFFER_BYTES);
      long length = call(RECV, fd, buffer, (long) BUFFER_BYTES, 0);
      return buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static long call(MethodHandle function, Object... arguments) throws IOException {
    try {
      long result = ((Number) function.invokeWithArguments(arguments)).longValue();
      if (result < 0) {
        throw new IOException("a call on a raw socket failed: " + Arrays.toString(arguments));
      }
      return result;
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    call(CLOSE, fd);
  }
}
