package dev.verbena.rdmacore.umad;

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
 * The functions of libibumad. Each returns the C function's result, or minus an error number if it
 * failed. Concurrent calls need an error buffer each.
 */
@SuppressWarnings("restricted")
final class UmadNative {
  /** The library's file. */
  static final String LIBRARY = "libibumad.so.3";

  private static final int EPERM = 1;
  private static final int EIO = 5;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup UMAD = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
  private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
  private static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

  private static final MethodHandle INIT = function("umad_init");
  private static final MethodHandle SIZE =
      LINKER.downcallHandle(
          UMAD.findOrThrow("umad_size"), FunctionDescriptor.of(ValueLayout.JAVA_LONG));
  private static final MethodHandle GET_CAS_NAMES = function("umad_get_cas_names", POINTER, INT);
  private static final MethodHandle GET_CA = function("umad_get_ca", POINTER, POINTER);
  private static final MethodHandle RELEASE_CA = function("umad_release_ca", POINTER);
  private static final MethodHandle OPEN_PORT = function("umad_open_port", POINTER, INT);
  private static final MethodHandle CLOSE_PORT = function("umad_close_port", INT);
  private static final MethodHandle REGISTER =
      function("umad_register", INT, INT, INT, ValueLayout.JAVA_BYTE, POINTER);
  private static final MethodHandle SEND = function("umad_send", INT, INT, POINTER, INT, INT, INT);
  private static final MethodHandle POLL = function("umad_poll", INT, INT);
  private static final MethodHandle RECV = function("umad_recv", INT, POINTER, POINTER, INT);

  private UmadNative() {}

  /** A buffer for the error number of one call at a time. */
  static MemorySegment errorBuffer(Arena arena) {
    return arena.allocate(Linker.Option.captureStateLayout());
  }

  /** The target of a pointer inside a struct. */
  static MemorySegment target(MemorySegment struct, long offset, long bytes) {
    return struct.get(POINTER, offset).reinterpret(bytes);
  }

  static int init(MemorySegment error) {
    try {
      return result(error, (int) INIT.invokeExact(error));
    } catch (Throwable e) {
      throw broken("umad_init", e);
    }
  }

  /** Bytes in front of a datagram. */
  static long size() {
    try {
      return (long) SIZE.invokeExact();
    } catch (Throwable e) {
      throw broken("umad_size", e);
    }
  }

  /** Returns the number of nodes and stores their names in {@code names}, 20 bytes each. */
  static int getCasNames(MemorySegment error, MemorySegment names, int max) {
    try {
      return result(error, (int) GET_CAS_NAMES.invokeExact(error, names, max));
    } catch (Throwable e) {
      throw broken("umad_get_cas_names", e);
    }
  }

  static int getCa(MemorySegment error, MemorySegment name, MemorySegment ca) {
    try {
      return result(error, (int) GET_CA.invokeExact(error, name, ca));
    } catch (Throwable e) {
      throw broken("umad_get_ca", e);
    }
  }

  static int releaseCa(MemorySegment error, MemorySegment ca) {
    try {
      return result(error, (int) RELEASE_CA.invokeExact(error, ca));
    } catch (Throwable e) {
      throw broken("umad_release_ca", e);
    }
  }

  static int openPort(MemorySegment error, MemorySegment name, int portNum) {
    try {
      return result(error, (int) OPEN_PORT.invokeExact(error, name, portNum));
    } catch (Throwable e) {
      throw broken("umad_open_port", e);
    }
  }

  /** Also unregisters its agents. */
  static int closePort(MemorySegment error, int port) {
    try {
      return result(error, (int) CLOSE_PORT.invokeExact(error, port));
    } catch (Throwable e) {
      throw broken("umad_close_port", e);
    }
  }

  /** Registers an agent for requests and their responses, not for unsolicited datagrams. */
  static int register(MemorySegment error, int port, int mgmtClass, int version, byte rmpp) {
    try {
      return result(
          error,
          (int) REGISTER.invokeExact(error, port, mgmtClass, version, rmpp, MemorySegment.NULL));
    } catch (Throwable e) {
      throw broken("umad_register", e);
    }
  }

  static int send(
      MemorySegment error, int port, int agent, MemorySegment umad, int length, int timeoutMs) {
    try {
      return result(error, (int) SEND.invokeExact(error, port, agent, umad, length, timeoutMs, 0));
    } catch (Throwable e) {
      throw broken("umad_send", e);
    }
  }

  /** 0 when a datagram is available; minus ETIMEDOUT if none arrives in time. */
  static int poll(MemorySegment error, int port, int timeoutMs) {
    try {
      return result(error, (int) POLL.invokeExact(error, port, timeoutMs));
    } catch (Throwable e) {
      throw broken("umad_poll", e);
    }
  }

  /** Does not wait. */
  static int recv(MemorySegment error, int port, MemorySegment umad, MemorySegment length) {
    try {
      return result(error, (int) RECV.invokeExact(error, port, umad, length, 0));
    } catch (Throwable e) {
      throw broken("umad_recv", e);
    }
  }

  private static MethodHandle function(String name, MemoryLayout... parameters) {
    return LINKER.downcallHandle(
        UMAD.findOrThrow(name), FunctionDescriptor.of(INT, parameters), CAPTURE);
  }

  /**
   * If a system call failed, the library returns one of two numbers and leaves the system's error
   * in errno; if it refuses a call itself, only the result has the error.
   */
  private static int result(MemorySegment error, int returned) {
    if (returned != -EIO && returned != -EPERM) {
      return returned;
    }
    int errno = error.get(INT, ERRNO_OFFSET);
    return errno == 0 ? returned : -errno;
  }

  /** A downcall throws only because of an error in this code, or for memory that is gone. */
  private static RuntimeException broken(String function, Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(function + ": the call could not be made", cause);
  }
}
