package dev.verbena.soft.link;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The C library's calls that the UDP link is made of. Each returns what the C function does, or
 * minus errno if that failed. Calls that can run at the same time need an error buffer each.
 */
@SuppressWarnings("restricted")
final class UdpNative {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBC = LINKER.defaultLookup();
  private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
  private static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

  private static final MethodHandle SOCKET = function("socket", INT, INT, INT, INT);
  private static final MethodHandle BIND = function("bind", INT, INT, POINTER, INT);
  private static final MethodHandle CLOSE = function("close", INT, INT);
  private static final MethodHandle SETSOCKOPT =
      function("setsockopt", INT, INT, INT, INT, POINTER, INT);
  private static final MethodHandle GETSOCKOPT =
      function("getsockopt", INT, INT, INT, INT, POINTER, POINTER);
  private static final MethodHandle IOCTL =
      LINKER.downcallHandle(
          LIBC.findOrThrow("ioctl"),
          FunctionDescriptor.of(INT, INT, LONG, POINTER),
          CAPTURE,
          Linker.Option.firstVariadicArg(2));
  // The last argument is not the C function's, which ignores it: it keeps the payload alive.
  private static final MethodHandle SENDMSG = function("sendmsg", LONG, INT, POINTER, INT, POINTER);
  private static final MethodHandle RECVMSG = function("recvmsg", LONG, INT, POINTER, INT);
  private static final MethodHandle PPOLL = function("ppoll", INT, POINTER, LONG, POINTER, POINTER);
  private static final MethodHandle EVENTFD = function("eventfd", INT, INT, INT);
  private static final MethodHandle READ = function("read", LONG, INT, POINTER, LONG);
  private static final MethodHandle WRITE = function("write", LONG, INT, POINTER, LONG);

  private UdpNative() {}

  /** A buffer that takes the error number of one call at a time. */
  static MemorySegment errorBuffer(Arena arena) {
    return arena.allocate(Linker.Option.captureStateLayout());
  }

  static int socket(MemorySegment error, int family, int type, int protocol) {
    try {
      return result(error, (int) SOCKET.invokeExact(error, family, type, protocol));
    } catch (Throwable e) {
      throw broken("socket", e);
    }
  }

  static int bind(MemorySegment error, int fd, MemorySegment address) {
    try {
      return result(error, (int) BIND.invokeExact(error, fd, address, (int) address.byteSize()));
    } catch (Throwable e) {
      throw broken("bind", e);
    }
  }

  static int close(MemorySegment error, int fd) {
    try {
      return result(error, (int) CLOSE.invokeExact(error, fd));
    } catch (Throwable e) {
      throw broken("close", e);
    }
  }

  static int setsockopt(MemorySegment error, int fd, int level, int option, MemorySegment value) {
    try {
      int size = (int) value.byteSize();
      return result(error, (int) SETSOCKOPT.invokeExact(error, fd, level, option, value, size));
    } catch (Throwable e) {
      throw broken("setsockopt", e);
    }
  }

  static int getsockopt(
      MemorySegment error,
      int fd,
      int level,
      int option,
      MemorySegment value,
      MemorySegment valueLength) {
    try {
      return result(
          error, (int) GETSOCKOPT.invokeExact(error, fd, level, option, value, valueLength));
    } catch (Throwable e) {
      throw broken("getsockopt", e);
    }
  }

  static int ioctl(MemorySegment error, int fd, long request, MemorySegment argument) {
    try {
      return result(error, (int) IOCTL.invokeExact(error, fd, request, argument));
    } catch (Throwable e) {
      throw broken("ioctl", e);
    }
  }

  /**
   * Sends a message.
   *
   * @param payload what the message's iovec points to: stays alive during the call
   */
  static long sendmsg(
      MemorySegment error, int fd, MemorySegment message, int flags, MemorySegment payload) {
    try {
      return result(error, (long) SENDMSG.invokeExact(error, fd, message, flags, payload));
    } catch (Throwable e) {
      throw broken("sendmsg", e);
    }
  }

  static long recvmsg(MemorySegment error, int fd, MemorySegment message, int flags) {
    try {
      return result(error, (long) RECVMSG.invokeExact(error, fd, message, flags));
    } catch (Throwable e) {
      throw broken("recvmsg", e);
    }
  }

  /** Waits for events, with the signal mask as it is. */
  static int ppoll(MemorySegment error, MemorySegment fds, int count, MemorySegment timeout) {
    try {
      return result(
          error, (int) PPOLL.invokeExact(error, fds, (long) count, timeout, MemorySegment.NULL));
    } catch (Throwable e) {
      throw broken("ppoll", e);
    }
  }

  static int eventfd(MemorySegment error, int initial, int flags) {
    try {
      return result(error, (int) EVENTFD.invokeExact(error, initial, flags));
    } catch (Throwable e) {
      throw broken("eventfd", e);
    }
  }

  static long read(MemorySegment error, int fd, MemorySegment buffer) {
    try {
      return result(error, (long) READ.invokeExact(error, fd, buffer, buffer.byteSize()));
    } catch (Throwable e) {
      throw broken("read", e);
    }
  }

  static long write(MemorySegment error, int fd, MemorySegment buffer) {
    try {
      return result(error, (long) WRITE.invokeExact(error, fd, buffer, buffer.byteSize()));
    } catch (Throwable e) {
      throw broken("write", e);
    }
  }

  private static MethodHandle function(
      String name, MemoryLayout returned, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LIBC.findOrThrow(name), FunctionDescriptor.of(returned, arguments), CAPTURE);
  }

  private static int result(MemorySegment error, int returned) {
    return returned >= 0 ? returned : -error.get(INT, ERRNO_OFFSET);
  }

  private static long result(MemorySegment error, long returned) {
    return returned >= 0 ? returned : -error.get(INT, ERRNO_OFFSET);
  }

  /** A downcall itself throws only for a mistake here, or for memory that is gone. */
  private static RuntimeException broken(String function, Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(function + ": the call could not be made", cause);
  }
}
