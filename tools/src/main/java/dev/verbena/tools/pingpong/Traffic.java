package dev.verbena.tools.pingpong;

import java.util.Locale;

/**
 * How a ping-pong went.
 *
 * @param size bytes of a message
 * @param iters exchanges, of two messages each
 * @param nanos elapsed time
 */
record Traffic(long size, int iters, long nanos) {
  /** Payload of both directions. */
  long bytes() {
    return size * iters * 2;
  }

  /** Payload of both directions over time. */
  String bandwidthLine() {
    return String.format(
        Locale.ROOT,
        "%d bytes in %.2f seconds = %.2f Mbit/sec",
        bytes(),
        nanos / 1e9,
        bytes() * 8 / (nanos / 1e3));
  }

  /** Time of one exchange. */
  String latencyLine() {
    return String.format(
        Locale.ROOT,
        "%d iters in %.2f seconds = %.2f usec/iter",
        iters,
        nanos / 1e9,
        nanos / 1e3 / iters);
  }
}
