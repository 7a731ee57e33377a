package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.LibcNative;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.Receiver;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads a socket of Linux. */
final class SocketReader implements DatagramReader {
  /**
   * After how many calls in a row that got nothing the next one asks why; a power of two. Nearly
   * always there just is nothing, and a call that asks may allocate: so a program that polls asks
   * when nothing has come for some milliseconds.
   */
  private static final int ASK = 4096;

  private final LinuxSocket socket;
  private final int fd;
  private final Address address;
  private final ReceiveMessage message;
  private final LinkCounters counters;
  private final OncePerErrno failures;
  private final MemorySegment error;
  private int failed;
  private int overflows;
  private volatile boolean closed;

  /**
   * @param address which it is bound to
   * @param message may be shared with other readers of the same thread
   */
  SocketReader(
      Arena arena,
      LinuxSocket socket,
      Address address,
      ReceiveMessage message,
      LinkCounters counters,
      OncePerErrno failures) {
    this.socket = socket;
    this.fd = socket.fd();
    this.address = address;
    this.message = message;
    this.counters = counters;
    this.failures = failures;
    this.error = LibcNative.errorBuffer(arena);
  }

  int fd() {
    return fd;
  }

  @Override
  public int read(Receiver receiver, int most, long now) {
    int count = 0;
    while (count < most && !closed) {
      long result = message.receive(error, fd, false);
      if (result < 0 && (++failed & ASK - 1) == 0) {
        result = message.receive(error, fd, true);
        if (result < 0 && result != -Errno.EAGAIN) {
          failures.failed((int) -result);
        }
      }
      if (result < 0) {
        break;
      }
      failed = 0;
      count += message.hand(result, address, receiver, now);
      int lost = message.overflows;
      if (lost != overflows) {
        counters.add(Counter.SOCKET_OVERFLOWS, Integer.toUnsignedLong(lost - overflows));
        overflows = lost;
        receiver.overflowed(now);
      }
    }
    return count;
  }

  @Override
  public void close() {
    closed = true;
    socket.close();
  }
}
