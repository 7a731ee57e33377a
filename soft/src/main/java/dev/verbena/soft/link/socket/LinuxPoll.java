package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.LibcNative;
import dev.verbena.soft.link.Parking;
import dev.verbena.soft.link.PromptThread;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Waits for a socket by ppoll(2), with a pipe for waking. One thread waits, any thread wakes it; so
 * does any process that opens the pipe, which an eventfd(2) would not allow.
 */
final class LinuxPoll {
  private static final int POLLIN = 1;
  private static final int POLLOUT = 4;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_CLOEXEC = 0x80000;

  /** Most wake-ups in the pipe, a byte each, that one call takes. */
  private static final int MOST_WAKES = 64;

  private static final int POLLFD_BYTES = 8;
  private static final int EVENTS = 4;
  private static final int RESULTS = 6;
  private static final int SOCKET = 0;
  private static final int BELL = POLLFD_BYTES;

  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;

  private final Parking parking = new Parking();
  private final int socket;
  private final MemorySegment timeout;
  private final MemorySegment error;
  private final MemorySegment drained;
  private final OncePerErrno failures;

  /** The two ends of the pipe. */
  private final int bell;

  private final int wakeEnd;
  private volatile boolean blocked;
  private volatile int[] others = {};
  private volatile boolean changed;
  // Used by the waiting thread.
  private MemorySegment fds;
  private boolean prompt;

  // Guarded by this, because a waker must not write to a descriptor that is being closed.
  private final MemorySegment closeError;
  private final MemorySegment one;
  private boolean closed;

  /**
   * @param fd the socket to watch
   * @param name its address, for messages
   * @throws VerbsException if no pipe could be made
   */
  LinuxPoll(Arena arena, int fd, String name) {
    this.socket = fd;
    this.error = LibcNative.errorBuffer(arena);
    this.closeError = LibcNative.errorBuffer(arena);
    this.timeout = arena.allocate(2 * Long.BYTES, Long.BYTES);
    this.drained = arena.allocate(MOST_WAKES);
    this.one = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1);
    this.failures = new OncePerErrno("wait at " + name);
    MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
    int made = UdpNative.pipe(error, ends, O_NONBLOCK | O_CLOEXEC);
    if (made < 0) {
      throw new VerbsException(
          BindFailure.FUNCTION, -made, "no pipe could be made for the socket of " + name);
    }
    this.bell = ends.getAtIndex(ValueLayout.JAVA_INT, 0);
    this.wakeEnd = ends.getAtIndex(ValueLayout.JAVA_INT, 1);
    this.fds = descriptors(others);
  }

  /** The socket, the pipe, and the others. */
  private MemorySegment descriptors(int[] more) {
    MemorySegment all = Arena.ofAuto().allocate((2L + more.length) * POLLFD_BYTES, Long.BYTES);
    all.set(ValueLayout.JAVA_INT, SOCKET, socket);
    all.set(ValueLayout.JAVA_INT, BELL, bell);
    all.set(SHORT, BELL + EVENTS, (short) POLLIN);
    for (int i = 0; i < more.length; i++) {
      long at = (2L + i) * POLLFD_BYTES;
      all.set(ValueLayout.JAVA_INT, at, more[i]);
      all.set(SHORT, at + EVENTS, (short) POLLIN);
    }
    return all;
  }

  /** Sets the additional sockets to receive from; a socket left out may be closed on return. */
  void watch(int[] sockets) {
    others = sockets.clone();
    changed = true;
    wake();
  }

  /**
   * Makes the next wait end when the socket takes data again, and ends the current one for that.
   */
  void watchForRoom() {
    if (!blocked) {
      blocked = true;
      wake();
    }
  }

  void await(long nanos) {
    if (nanos <= 0 || !parking.park()) {
      return;
    }
    if (!prompt) {
      prompt = true;
      PromptThread.become(error);
    }
    if (changed) {
      changed = false;
      fds = descriptors(others);
    }
    fds.set(SHORT, SOCKET + EVENTS, (short) (blocked ? POLLIN | POLLOUT : POLLIN));
    LibcNative.time(timeout, nanos);
    int ready = UdpNative.ppoll(error, fds, (int) (fds.byteSize() / POLLFD_BYTES), timeout);
    parking.unpark();
    if (ready < 0 && ready != -Errno.EINTR) {
      failures.failed(-ready);
    }
    if (ready > 0) {
      settle();
    }
  }

  private void settle() {
    if ((fds.get(SHORT, SOCKET + RESULTS) & POLLOUT) != 0) {
      blocked = false;
    }
    if (fds.get(SHORT, BELL + RESULTS) != 0) {
      UdpNative.tryRead(bell, drained);
    }
  }

  void wake() {
    if (parking.wake()) {
      ring();
    }
  }

  private synchronized void ring() {
    if (!closed) {
      UdpNative.tryWrite(wakeEnd, one);
    }
  }

  /** See {@link dev.verbena.soft.link.Link#bell}. */
  int bell() {
    return bell;
  }

  synchronized void close() {
    if (!closed) {
      closed = true;
      UdpNative.close(closeError, bell);
      UdpNative.close(closeError, wakeEnd);
    }
  }
}
