package dev.verbena.tools.compare;

import dev.verbena.tools.kit.ToolException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.function.IntConsumer;

/**
 * The floor: the rate of UDP between two plain sockets on 127.0.0.1, with segmentation by the
 * sender's kernel (UDP_SEGMENT) and reassembly by the receiver's (UDP_GRO). Only for 64-bit Linux.
 */
@SuppressWarnings("restricted")
final class RawUdpNative implements AutoCloseable {
  private static final int AF_INET = 2;
  private static final int SOCK_DGRAM = 2;
  private static final int SOL_SOCKET = 1;
  private static final int SO_RCVTIMEO = 20;
  private static final int SOL_UDP = 17;
  private static final int UDP_SEGMENT = 103;
  private static final int UDP_GRO = 104;
  private static final int LOOPBACK = 0x0100007F;
  private static final int ECONNREFUSED = 111;
  private static final int ADDRESS_BYTES = 16;
  private static final int PORT_OFFSET = 2;
  private static final int ADDRESS_OFFSET = 4;
  private static final int MOST = 65_507;
  private static final int MOST_SEGMENTS = 64;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final long PATIENCE_SECONDS = 30;

  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private static final MethodHandle SOCKET =
      function("socket", FunctionDescriptor.of(INT, INT, INT, INT));
  private static final MethodHandle BIND =
      function("bind", FunctionDescriptor.of(INT, INT, POINTER, INT));
  private static final MethodHandle CONNECT =
      function("connect", FunctionDescriptor.of(INT, INT, POINTER, INT));
  private static final MethodHandle NAME =
      function("getsockname", FunctionDescriptor.of(INT, INT, POINTER, POINTER));
  private static final MethodHandle OPTION =
      function("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, INT));
  private static final MethodHandle SEND =
      function(
          "send",
          FunctionDescriptor.of(LONG, INT, POINTER, LONG, INT),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle RECV =
      function("recv", FunctionDescriptor.of(LONG, INT, POINTER, LONG, INT));
  private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(INT, INT));

  private static final VarHandle ERRNO =
      Linker.Option.captureStateLayout().varHandle(PathElement.groupElement("errno"));

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment error = arena.allocate(Linker.Option.captureStateLayout());
  private final int fd;
  private final MemorySegment buffer;
  private final long batch;

  /** A sender of datagrams of this many bytes to a port. */
  RawUdpNative(int port, int bytes) {
    fd = socket();
    batch = (long) Math.min(MOST / bytes, MOST_SEGMENTS) * bytes;
    buffer = arena.allocate(BUFFER_BYTES);
    option(arena, fd, SOL_UDP, UDP_SEGMENT, bytes);
    call(() -> (int) CONNECT.invokeExact(fd, address(arena, port), ADDRESS_BYTES));
  }

  /** Sends until the receiver has enough, and has closed its socket. */
  void send() {
    while (sendsBatch()) {
      // Until nobody takes it.
    }
  }

  private boolean sendsBatch() {
    long sent;
    try {
      sent = (long) SEND.invokeExact(error, fd, buffer, batch, 0);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    int errno = sent < 0 ? (int) ERRNO.get(error, 0L) : 0;
    if (sent < 0 && errno != ECONNREFUSED) {
      throw ToolException.failure("send on a bare socket has failed: errno " + errno);
    }
    return sent >= 0;
  }

  /**
   * Receives for some time from the first datagram on; measures GB/s.
   *
   * @param seconds for how long
   * @param port receives the port on which this listens
   */
  static Figure receive(int seconds, IntConsumer port) {
    int fd = socket();
    try (Arena arena = Arena.ofConfined()) {
      call(() -> (int) BIND.invokeExact(fd, address(arena, 0), ADDRESS_BYTES));
      option(arena, fd, SOL_UDP, UDP_GRO, 1);
      patience(arena, fd);
      port.accept(port(arena, fd));
      MemorySegment buffer = arena.allocate(BUFFER_BYTES);
      receive(fd, buffer);
      Pace pace = new Pace(seconds);
      while (pace.goesOn()) {
        pace.did(receive(fd, buffer));
      }
      return Figure.of(pace.perSecond() / 1e9);
    } finally {
      call(() -> (int) CLOSE.invokeExact(fd));
    }
  }

  /** Sets how long a receive waits. */
  private static void patience(Arena arena, int fd) {
    MemorySegment time = arena.allocate(2 * Long.BYTES, Long.BYTES);
    time.set(LONG, 0, PATIENCE_SECONDS);
    call(() -> (int) OPTION.invokeExact(fd, SOL_SOCKET, SO_RCVTIMEO, time, 2 * Long.BYTES));
  }

  private static int port(Arena arena, int fd) {
    MemorySegment name = address(arena, 0);
    MemorySegment length = arena.allocateFrom(INT, ADDRESS_BYTES);
    call(() -> (int) NAME.invokeExact(fd, name, length));
    return Short.toUnsignedInt(Short.reverseBytes(name.get(ValueLayout.JAVA_SHORT, PORT_OFFSET)));
  }

  private static long receive(int fd, MemorySegment buffer) {
    long got;
    try {
      got = (long) RECV.invokeExact(fd, buffer, (long) BUFFER_BYTES, 0);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    if (got <= 0) {
      throw ToolException.failure("nothing was sent for " + PATIENCE_SECONDS + " s");
    }
    return got;
  }

  private interface Call {
    int make() throws Throwable;
  }

  private static int call(Call call) {
    int result;
    try {
      result = call.make();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    if (result < 0) {
      throw ToolException.failure("a system call on a bare socket has failed");
    }
    return result;
  }

  private static int socket() {
    return call(() -> (int) SOCKET.invokeExact(AF_INET, SOCK_DGRAM, 0));
  }

  private static void option(Arena arena, int fd, int level, int name, int value) {
    MemorySegment memory = arena.allocateFrom(INT, value);
    call(() -> (int) OPTION.invokeExact(fd, level, name, memory, Integer.BYTES));
  }

  private static MemorySegment address(Arena arena, int port) {
    MemorySegment address = arena.allocate(ADDRESS_BYTES, Long.BYTES);
    address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_INET);
    address.set(ValueLayout.JAVA_SHORT, PORT_OFFSET, Short.reverseBytes((short) port));
    address.set(INT, ADDRESS_OFFSET, LOOPBACK);
    return address;
  }

  private static MethodHandle function(
      String name, FunctionDescriptor type, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
  }

  @Override
  public void close() {
    call(() -> (int) CLOSE.invokeExact(fd));
    arena.close();
  }
}
