package dev.verbena.tools.pingpong;

import java.util.Locale;

/**
 * The statistics of a ping-pong.
 *
 * @param size message size in bytes
 * @param iters number of exchanges, of two messages each
 * @param nanos elapsed time
 */
record Traffic(long size, int iters, long nanos) {
  /** Payload of both directions. */
  long bytes() {
    return size * iters * 2;
  }

  /** Payload of both directions divided by time. */
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
