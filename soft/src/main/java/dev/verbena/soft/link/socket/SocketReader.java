package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.Receiver;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads a socket of Linux. */
final class SocketReader implements DatagramReader {
  private final LinuxSocket socket;
  private final ReceiveMessage message;
  private final LinkCounters counters;
  private final OncePerErrno failures;
  private final MemorySegment error;
  private int overflows;
  private volatile boolean closed;

  /**
   * @param message may be shared with other readers of the same thread
   */
  SocketReader(
      Arena arena,
      LinuxSocket socket,
      ReceiveMessage message,
      LinkCounters counters,
      OncePerErrno failures) {
    this.socket = socket;
    this.message = message;
    this.counters = counters;
    this.failures = failures;
    this.error = UdpNative.errorBuffer(arena);
  }

  int fd() {
    return socket.fd();
  }

  @Override
  public int read(Receiver receiver, int most, long now) {
    int count = 0;
    int errors = 0;
    while (count < most && errors < ERRORS_IN_A_ROW && !closed) {
      message.reset();
      long result = UdpNative.recvmsg(error, socket.fd(), message.header(), UdpNative.MSG_DONTWAIT);
      if (result >= 0) {
        message.parse(result);
        countOverflows();
        count += message.hand(receiver, now);
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

  private void countOverflows() {
    int more = message.overflows() - overflows;
    if (more != 0) {
      overflows = message.overflows();
      counters.add(Counter.SOCKET_OVERFLOWS, Integer.toUnsignedLong(more));
    }
  }

  @Override
  public void close() {
    closed = true;
    socket.close();
  }
}
