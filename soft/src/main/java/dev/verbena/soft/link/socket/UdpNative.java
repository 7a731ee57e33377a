package dev.verbena.soft.link.socket;

import static dev.verbena.soft.link.LibcNative.broken;
import static dev.verbena.soft.link.LibcNative.failure;
import static dev.verbena.soft.link.LibcNative.function;
import static dev.verbena.soft.link.LibcNative.result;

import dev.verbena.soft.link.LibcNative;
import dev.verbena.soft.link.NativeAccess;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;

/**
 * The C library's calls for the UDP link. Each returns the result of the C function, or minus errno
 * if it failed. Concurrent calls need separate error buffers.
 *
 * <p>The JVM links calls by their type, which takes milliseconds for each type, so there are few
 * types. Where C has an int, a long is passed, of which the function reads the lower half on the
 * architectures of {@link NativeAccess}; a function ignores surplus arguments. If the result is an
 * int in C, only its lower half counts.
 */
final class UdpNative {
  /** For sendmsg and recvmsg: fail with EAGAIN rather than wait. */
  static final int MSG_DONTWAIT = 0x40;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final MemorySegment NULL = MemorySegment.NULL;

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
  private static final MethodHandle PIPE = function("pipe2", REQUEST);
  private static final MethodHandle BIND = function("bind", TRANSFER);
  private static final MethodHandle SENDMSG = function("sendmsg", TRANSFER);
  private static final MethodHandle RECVMSG = function("recvmsg", TRANSFER);
  private static final MethodHandle SENDMSG_PLAIN = LibcNative.plainFunction("sendmsg", TRANSFER);
  private static final MethodHandle RECVMSG_PLAIN = LibcNative.plainFunction("recvmsg", TRANSFER);
  private static final MethodHandle READ = LibcNative.plainFunction("read", TRANSFER);
  private static final MethodHandle WRITE = LibcNative.plainFunction("write", TRANSFER);
  private static final MethodHandle PPOLL = function("ppoll", REQUEST);
  private static final MethodHandle PPOLL_PLAIN = LibcNative.plainFunction("ppoll", REQUEST);

  /** Variadic in C, which makes no difference for these arguments on these architectures. */
  private static final MethodHandle IOCTL = function("ioctl", REQUEST);

  private UdpNative() {}

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

  /**
   * Like {@link #sendmsg}, but says only that it failed, by -1. Allocates nothing; a call that
   * keeps errno may (see {@link LibcNative}).
   */
  static long trySendmsg(int fd, MemorySegment message, int flags, MemorySegment payload) {
    try {
      return (long) SENDMSG_PLAIN.invokeExact((long) fd, message, (long) flags, payload);
    } catch (Throwable e) {
      throw broken("sendmsg", e);
    }
  }

  /** Like {@link #recvmsg}, but says only that it failed, by -1. Allocates nothing. */
  static long tryRecvmsg(int fd, MemorySegment message, int flags) {
    try {
      return (long) RECVMSG_PLAIN.invokeExact((long) fd, message, (long) flags, NULL);
    } catch (Throwable e) {
      throw broken("recvmsg", e);
    }
  }

  /**
   * Waits for events, with the signal mask as it is. Allocates nothing, unless it fails: then it
   * waits once more, to learn why.
   */
  static int ppoll(MemorySegment error, MemorySegment fds, int count, MemorySegment timeout) {
    try {
      int ready = (int) (long) PPOLL_PLAIN.invokeExact(fds.address(), (long) count, timeout, NULL);
      return ready >= 0
          ? ready
          : result(
              error,
              (int) (long) PPOLL.invokeExact(error, fds.address(), (long) count, timeout, NULL));
    } catch (Throwable e) {
      throw broken("ppoll", e);
    } finally {
      // The call only knows its address.
      Reference.reachabilityFence(fds);
    }
  }

  /**
   * Makes a pipe.
   *
   * @param ends gets two ints, the descriptors to read from and to write to
   */
  static int pipe(MemorySegment error, MemorySegment ends, int flags) {
    try {
      return result(
          error, (int) (long) PIPE.invokeExact(error, ends.address(), (long) flags, NULL, NULL));
    } catch (Throwable e) {
      throw broken("pipe2", e);
    } finally {
      // The call only knows its address.
      Reference.reachabilityFence(ends);
    }
  }

  /** Reads what is there, at most as much as fits; returns -1 if it failed. Allocates nothing. */
  static long tryRead(int fd, MemorySegment buffer) {
    try {
      return (long) READ.invokeExact((long) fd, buffer, buffer.byteSize(), NULL);
    } catch (Throwable e) {
      throw broken("read", e);
    }
  }

  /** Writes; returns -1 if it failed. Allocates nothing. */
  static long tryWrite(int fd, MemorySegment buffer) {
    try {
      return (long) WRITE.invokeExact((long) fd, buffer, buffer.byteSize(), NULL);
    } catch (Throwable e) {
      throw broken("write", e);
    }
  }
}
