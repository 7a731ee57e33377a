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
  private final LinuxSocket socket;
  private final int fd;
  private final Address address;
  private final ReceiveMessage message;
  private final LinkCounters counters;
  private final OncePerErrno failures;
  private final MemorySegment error;
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
    int errors = 0;
    while (count < most && errors < ERRORS_IN_A_ROW && !closed) {
      long result = message.receive(error, fd);
      if (result >= 0) {
        count += message.hand(result, address, receiver, now);
        int lost = message.overflows;
        if (lost != overflows) {
          counters.add(Counter.SOCKET_OVERFLOWS, Integer.toUnsignedLong(lost - overflows));
          overflows = lost;
          receiver.overflowed(now);
        }
        errors = 0;
      } else if (result == -Errno.EAGAIN) {
        break;
      } else {
        failures.failed((int) -result);
        errors++;
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
