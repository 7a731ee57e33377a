package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.LibcNative;
import dev.verbena.verbs.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * The system calls for shared memory. Each returns the result of the C function, or minus errno if
 * that failed. All have one type, with six numbers, because the JVM takes milliseconds to prepare a
 * type. Anything else is passed as its address, and a function ignores superfluous arguments.
 * Memory that is passed by its address belongs to an arena that is closed explicitly; otherwise a
 * fence keeps it.
 */
@SuppressWarnings("restricted")
final class SharedMemoryNative {
  /** The name of its memory, for people. */
  static final String NAME = "verbena";

  private static final int SYS_FUTEX_AMD64 = 202;
  private static final int SYS_FUTEX_AARCH64 = 98;
  private static final int FUTEX_WAIT = 0;
  private static final int FUTEX_WAKE = 1;

  private static final int MFD_CLOEXEC = 1;
  private static final int MFD_ALLOW_SEALING = 2;

  private static final int F_ADD_SEALS = 1033;
  private static final int F_GET_SEALS = 1034;

  private static final int F_SEAL_SHRINK = 2;

  /** F_SEAL_SEAL, F_SEAL_SHRINK and F_SEAL_GROW: the size is final. */
  private static final int FIXED_SIZE = 1 | 2 | 4;

  private static final int F_OFD_GETLK = 36;
  private static final int F_OFD_SETLK = 37;
  private static final short F_WRLCK = 1;
  private static final short F_UNLCK = 2;
  private static final int FLOCK_BYTES = 32;
  private static final int FLOCK_START = 8;
  private static final int FLOCK_LENGTH = 16;

  private static final int AT_FDCWD = -100;
  private static final int O_RDWR = 2;
  private static final int O_NOCTTY = 0x100;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_CLOEXEC = 0x80000;

  private static final int SEEK_END = 2;

  private static final int PROT_READ = 1;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_SHARED = 1;
  private static final int MAP_PRIVATE = 2;
  private static final int MAP_ANONYMOUS = 0x20;

  /** Only the owner may open it. */
  private static final int PRIVATE = 0600;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final FunctionDescriptor SIX =
      FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG, LONG);

  private static final MethodHandle MEMFD_CREATE = LibcNative.function("memfd_create", SIX);
  private static final MethodHandle FTRUNCATE = LibcNative.function("ftruncate", SIX);
  private static final MethodHandle FCHMOD = LibcNative.function("fchmod", SIX);
  private static final MethodHandle FCNTL = LibcNative.function("fcntl", SIX);
  private static final MethodHandle OPENAT = LibcNative.function("openat", SIX);
  private static final MethodHandle CLOSE = LibcNative.function("close", SIX);
  private static final MethodHandle LSEEK = LibcNative.function("lseek", SIX);
  private static final MethodHandle MMAP = LibcNative.function("mmap", SIX);
  private static final MethodHandle MUNMAP = LibcNative.function("munmap", SIX);

  // For the data path.
  private static final MethodHandle SYSCALL = LibcNative.plainFunction("syscall", SIX);
  private static final MethodHandle FCNTL_PLAIN = LibcNative.plainFunction("fcntl", SIX);
  private static final MethodHandle WRITE = LibcNative.plainFunction("write", SIX);

  private static final int SYS_FUTEX =
      System.getProperty("os.arch").equals("aarch64") ? SYS_FUTEX_AARCH64 : SYS_FUTEX_AMD64;

  private SharedMemoryNative() {}

  /**
   * Creates anonymous, zeroed memory of a final size, so that access to its mapping never causes a
   * bus error.
   *
   * @return its descriptor
   */
  static int create(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = LibcNative.errorBuffer(arena);
      MemorySegment name = arena.allocateFrom(NAME);
      int fd =
          (int) call(MEMFD_CREATE, error, name.address(), MFD_CLOEXEC | MFD_ALLOW_SEALING, 0, 0);
      if (fd < 0) {
        return fd;
      }
      // First, since another process of this user finds its number from now on, and may cut it.
      int failed = (int) call(FCNTL, error, fd, F_ADD_SEALS, F_SEAL_SHRINK, 0);
      if (failed == 0) {
        failed = truncate(fd, bytes);
      }
      if (failed == 0) {
        failed = (int) call(FCHMOD, error, fd, PRIVATE, 0, 0);
      }
      if (failed == 0) {
        failed = (int) call(FCNTL, error, fd, F_ADD_SEALS, FIXED_SIZE, 0);
      }
      // That process may have made it larger meanwhile.
      if (failed == 0 && !isOfFixedSize(fd, bytes)) {
        failed = -Errno.EBUSY;
      }
      if (failed < 0) {
        call(CLOSE, error, fd, 0, 0, 0);
        return failed;
      }
      return fd;
    }
  }

  /** Opens a file of any kind for reading and writing, without blocking. */
  static int open(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path);
      int flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
      int fd =
          (int) call(OPENAT, LibcNative.errorBuffer(arena), AT_FDCWD, name.address(), flags, 0);
      return fd;
    }
  }

  /** Whether it is memory with this final size. */
  static boolean isOfFixedSize(int fd, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = LibcNative.errorBuffer(arena);
      long seals = call(FCNTL, error, fd, F_GET_SEALS, 0, 0);
      return seals >= 0
          && (seals & FIXED_SIZE) == FIXED_SIZE
          && invoke(LSEEK, error, fd, 0, SEEK_END, 0, 0, 0) == bytes;
    }
  }

  /** Tries to change its size; returns 0, or minus errno. */
  static int truncate(int fd, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      return (int) call(FTRUNCATE, LibcNative.errorBuffer(arena), fd, bytes, 0, 0);
    }
  }

  static void close(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      call(CLOSE, LibcNative.errorBuffer(arena), fd, 0, 0, 0);
    }
  }

  /** Locks one byte until the descriptor is closed; false if another descriptor has the lock. */
  static boolean lock(int fd, long at) {
    return setLock(fd, at, F_WRLCK);
  }

  /** Unlocks one byte. */
  static void unlock(int fd, long at) {
    setLock(fd, at, F_UNLCK);
  }

  private static boolean setLock(int fd, long at, short kind) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lock = lockOf(lockBuffer(arena), kind, at);
      int result =
          (int) call(FCNTL, LibcNative.errorBuffer(arena), fd, F_OFD_SETLK, lock.address(), 0);
      return result == 0;
    }
  }

  /**
   * Whether another descriptor has the lock of one byte. Allocates nothing.
   *
   * @param lock {@link #lockBuffer}
   */
  static boolean isLocked(MemorySegment lock, int fd, long at) {
    lockOf(lock, F_WRLCK, at);
    long result = plain(FCNTL_PLAIN, fd, F_OFD_GETLK, lock.address(), 0, 0);
    return (int) result == 0 && lock.get(ValueLayout.JAVA_SHORT, 0) != F_UNLCK;
  }

  /** For {@link #isLocked}. */
  static MemorySegment lockBuffer(Arena arena) {
    return arena.allocate(FLOCK_BYTES, Long.BYTES);
  }

  private static MemorySegment lockOf(MemorySegment lock, short kind, long at) {
    lock.fill((byte) 0);
    lock.set(ValueLayout.JAVA_SHORT, 0, kind);
    lock.set(LONG, FLOCK_START, at);
    lock.set(LONG, FLOCK_LENGTH, 1);
    return lock;
  }

  /**
   * Maps a part of it for as long as the arena lives.
   *
   * @param offset a multiple of the largest page size
   * @return the memory, or null if the system refuses
   */
  static @Nullable MemorySegment map(Arena arena, int fd, long offset, long bytes) {
    return map(arena, fd, offset, bytes, PROT_READ_WRITE);
  }

  /**
   * Whether this process could get so much private memory. The system promises any size of shared
   * memory, and ends processes when that is used.
   */
  static boolean mayGet(long bytes) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment error = LibcNative.errorBuffer(scratch);
      int kind = MAP_PRIVATE | MAP_ANONYMOUS;
      long address = invoke(MMAP, error, 0, bytes, PROT_READ_WRITE, kind, -1, 0);
      if (address < 0) {
        return false;
      }
      unmap(address, bytes);
      return true;
    }
  }

  /** As {@link #map}, from its start, for reading only. */
  static @Nullable MemorySegment mapReadOnly(Arena arena, int fd, long bytes) {
    MemorySegment memory = map(arena, fd, 0, bytes, PROT_READ);
    return memory == null ? null : memory.asReadOnly();
  }

  private static @Nullable MemorySegment map(
      Arena arena, int fd, long offset, long bytes, int protection) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment error = LibcNative.errorBuffer(scratch);
      long address = invoke(MMAP, error, 0, bytes, protection, MAP_SHARED, fd, offset);
      if (address < 0) {
        return null;
      }
      return MemorySegment.ofAddress(address)
          .reinterpret(bytes, arena, memory -> unmap(memory.address(), bytes));
    }
  }

  private static void unmap(long address, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      call(MUNMAP, LibcNative.errorBuffer(arena), address, bytes, 0, 0);
    }
  }

  /**
   * Sleeps while the number at an address has this value, until woken or until the time is over. It
   * does not say which, because the caller looks again in any case. Allocates nothing.
   */
  static void sleep(MemorySegment word, int value, MemorySegment timeout, long nanos) {
    LibcNative.time(timeout, nanos);
    try {
      var _ = plain(SYSCALL, SYS_FUTEX, word.address(), FUTEX_WAIT, value, timeout.address());
    } finally {
      Reference.reachabilityFence(timeout);
    }
  }

  /** Wakes the thread that sleeps there. Allocates nothing. */
  static void wake(MemorySegment word) {
    var _ = plain(SYSCALL, SYS_FUTEX, word.address(), FUTEX_WAKE, 1, 0);
  }

  /** Writes all of it to a descriptor that does not block, if there is room. Allocates nothing. */
  static void write(int fd, MemorySegment bytes) {
    try {
      var _ = plain(WRITE, fd, bytes.address(), bytes.byteSize(), 0, 0);
    } finally {
      Reference.reachabilityFence(bytes);
    }
  }

  private static long plain(MethodHandle function, long a, long b, long c, long d, long e) {
    try {
      return (long) function.invokeExact(a, b, c, d, e, 0L);
    } catch (Throwable failure) {
      throw LibcNative.broken("a call for shared memory", failure);
    }
  }

  /** For functions whose result is an int in C, so that only its lower half is valid. */
  private static long call(
      MethodHandle function, MemorySegment error, long a, long b, long c, long d) {
    return (int) invoke(function, error, a, b, c, d, 0, 0);
  }

  private static long invoke(
      MethodHandle function, MemorySegment error, long a, long b, long c, long d, long e, long f) {
    try {
      long result = (long) function.invokeExact(error, a, b, c, d, e, f);
      return result == -1 || (int) result == -1 ? LibcNative.failure(error) : result;
    } catch (Throwable failure) {
      throw LibcNative.broken("a call for shared memory", failure);
    }
  }
}
