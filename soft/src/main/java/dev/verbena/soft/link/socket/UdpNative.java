package dev.verbena.soft.link.socket;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;

/**
 * The C library's calls for the UDP link. Each returns the result of the C function, or minus errno
 * if it failed. Concurrent calls need separate error buffers.
 *
 * <p>The JVM links calls by their type, which takes milliseconds for each type, so there are few
 * types. Where C has an int, a long is passed, of which the function reads the lower half on the
 * architectures of {@link NativeUdp}; a function ignores surplus arguments. If the result is an int
 * in C, only its lower half counts.
 */
@SuppressWarnings("restricted")
final class UdpNative {
  /** For sendmsg and recvmsg: fail with EAGAIN rather than wait. */
  static final int MSG_DONTWAIT = 0x40;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final MemorySegment NULL = MemorySegment.NULL;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBC = LINKER.defaultLookup();
  private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
  private static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

  /** Type with up to three numbers and two addresses. */
  private static final FunctionDescriptor CONTROL =
      FunctionDescriptor.of(LONG, LONG, LONG, LONG, POINTER, POINTER);

  /**
   * Type with a descriptor, memory, and its size or flags. No function has the last argument, which
   * keeps alive what the memory points at.
   */
  private static final FunctionDescriptor TRANSFER =
      FunctionDescriptor.of(LONG, LONG, POINTER, LONG, POINTER);

  /** Type with two numbers and two addresses. */
  private static final FunctionDescriptor REQUEST =
      FunctionDescriptor.of(LONG, LONG, LONG, POINTER, POINTER);

  private static final MethodHandle SOCKET = function("socket", CONTROL);
  private static final MethodHandle CLOSE = function("close", CONTROL);
  private static final MethodHandle SETSOCKOPT = function("setsockopt", CONTROL);
  private static final MethodHandle GETSOCKOPT = function("getsockopt", CONTROL);
  private static final MethodHandle EVENTFD = function("eventfd", CONTROL);
  private static final MethodHandle GETPRIORITY = function("getpriority", CONTROL);
  private static final MethodHandle BIND = function("bind", TRANSFER);
  private static final MethodHandle SENDMSG = function("sendmsg", TRANSFER);
  private static final MethodHandle RECVMSG = function("recvmsg", TRANSFER);
  private static final MethodHandle READ = function("read", TRANSFER);
  private static final MethodHandle WRITE = function("write", TRANSFER);
  private static final MethodHandle PPOLL = function("ppoll", REQUEST);

  /** Variadic in C, which makes no difference for these arguments on these architectures. */
  private static final MethodHandle IOCTL = function("ioctl", REQUEST);

  private static final MethodHandle PRCTL = function("prctl", CONTROL);
  private static final MethodHandle SYSCALL = function("syscall", CONTROL);

  private UdpNative() {}

  /** A buffer that takes the error number of one call at a time. */
  static MemorySegment errorBuffer(Arena arena) {
    return arena.allocate(Linker.Option.captureStateLayout());
  }

  static int socket(MemorySegment error, int family, int type, int protocol) {
    try {
      return result(
          error,
          (int)
              (long)
                  SOCKET.invokeExact(
                      error, (long) family, (long) type, (long) protocol, NULL, NULL));
    } catch (Throwable e) {
      throw broken("socket", e);
    }
  }

  static int bind(MemorySegment error, int fd, MemorySegment address) {
    try {
      return result(
          error,
          (int) (long) BIND.invokeExact(error, (long) fd, address, address.byteSize(), NULL));
    } catch (Throwable e) {
      throw broken("bind", e);
    }
  }

  static int close(MemorySegment error, int fd) {
    try {
      return result(error, (int) (long) CLOSE.invokeExact(error, (long) fd, 0L, 0L, NULL, NULL));
    } catch (Throwable e) {
      throw broken("close", e);
    }
  }

  static int setsockopt(MemorySegment error, int fd, int level, int option, MemorySegment value) {
    try {
      // A number where getsockopt has an address.
      MemorySegment size = MemorySegment.ofAddress(value.byteSize());
      return result(
          error,
          (int)
              (long)
                  SETSOCKOPT.invokeExact(
                      error, (long) fd, (long) level, (long) option, value, size));
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
          error,
          (int)
              (long)
                  GETSOCKOPT.invokeExact(
                      error, (long) fd, (long) level, (long) option, value, valueLength));
    } catch (Throwable e) {
      throw broken("getsockopt", e);
    }
  }

  static int ioctl(MemorySegment error, int fd, long request, MemorySegment argument) {
    try {
      return result(
          error, (int) (long) IOCTL.invokeExact(error, (long) fd, request, argument, NULL));
    } catch (Throwable e) {
      throw broken("ioctl", e);
    }
  }

  static int prctl(MemorySegment error, int option, long value) {
    try {
      return result(
          error, (int) (long) PRCTL.invokeExact(error, (long) option, value, 0L, NULL, NULL));
    } catch (Throwable e) {
      throw broken("prctl", e);
    }
  }

  /** The nice value of a process or a thread; a negative one is not an error. */
  static int getpriority(MemorySegment error, int which, int who) {
    try {
      return (int) (long) GETPRIORITY.invokeExact(error, (long) which, (long) who, 0L, NULL, NULL);
    } catch (Throwable e) {
      throw broken("getpriority", e);
    }
  }

  /** A system call without a function in the C library, with a number and an address. */
  static long syscall(MemorySegment error, int call, int number, MemorySegment argument) {
    try {
      return result(
          error,
          (long)
              SYSCALL.invokeExact(
                  error, (long) call, (long) number, argument.address(), NULL, NULL));
    } catch (Throwable e) {
      throw broken("syscall", e);
    } finally {
      // The call only knows its address.
      Reference.reachabilityFence(argument);
    }
  }

  /**
   * Sends a message.
   *
   * @param payload the memory of the message's iovec, which stays alive during the call
   */
  static long sendmsg(
      MemorySegment error, int fd, MemorySegment message, int flags, MemorySegment payload) {
    try {
      long done = (long) SENDMSG.invokeExact(error, (long) fd, message, (long) flags, payload);
      return done < 0 ? failure(error) : done;
    } catch (Throwable e) {
      throw broken("sendmsg", e);
    }
  }

  static long recvmsg(MemorySegment error, int fd, MemorySegment message, int flags) {
    try {
      long done = (long) RECVMSG.invokeExact(error, (long) fd, message, (long) flags, NULL);
      return done < 0 ? failure(error) : done;
    } catch (Throwable e) {
      throw broken("recvmsg", e);
    }
  }

  /** Waits for events, with the signal mask as it is. */
  static int ppoll(MemorySegment error, MemorySegment fds, int count, MemorySegment timeout) {
    try {
      return result(
          error, (int) (long) PPOLL.invokeExact(error, fds.address(), (long) count, timeout, NULL));
    } catch (Throwable e) {
      throw broken("ppoll", e);
    } finally {
      // The call only knows its address.
      Reference.reachabilityFence(fds);
    }
  }

  static int eventfd(MemorySegment error, int initial, int flags) {
    try {
      return result(
          error,
          (int) (long) EVENTFD.invokeExact(error, (long) initial, (long) flags, 0L, NULL, NULL));
    } catch (Throwable e) {
      throw broken("eventfd", e);
    }
  }

  static long read(MemorySegment error, int fd, MemorySegment buffer) {
    try {
      return result(
          error, (long) READ.invokeExact(error, (long) fd, buffer, buffer.byteSize(), NULL));
    } catch (Throwable e) {
      throw broken("read", e);
    }
  }

  static long write(MemorySegment error, int fd, MemorySegment buffer) {
    try {
      return result(
          error, (long) WRITE.invokeExact(error, (long) fd, buffer, buffer.byteSize(), NULL));
    } catch (Throwable e) {
      throw broken("write", e);
    }
  }

  private static MethodHandle function(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LIBC.findOrThrow(name), type, CAPTURE);
  }

  private static int result(MemorySegment error, int returned) {
    return returned >= 0 ? returned : failure(error);
  }

  private static long result(MemorySegment error, long returned) {
    return returned >= 0 ? returned : failure(error);
  }

  /** Minus errno. */
  private static int failure(MemorySegment error) {
    return -error.get(INT, ERRNO_OFFSET);
  }

  /** A downcall itself throws only because of a bug here, or for memory that is gone. */
  private static RuntimeException broken(String function, Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(function + ": the call could not be made", cause);
  }
}
