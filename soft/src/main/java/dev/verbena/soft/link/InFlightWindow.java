package dev.verbena.soft.link;

/**
 * How many packets a peer's socket buffer holds for certain. What fills that buffer is not the
 * datagram's bytes but the kernel memory it occupies: its buffer holds headers, datagram and
 * bookkeeping, comes in powers of two, and has a descriptor of its own; the smallest kind is 576
 * bytes. So
 *
 * <pre>charge(n) = max(832, ceilingPowerOfTwo(n + 424) + 256)</pre>
 *
 * which gives 832 for up to 88 bytes, 1280 to 600, 2304 to 1624, 4352 to 3672, and 8448 for a
 * 4112-byte datagram, as measured on Linux 6.18 (IPv6, whose headers are the longer ones).
 *
 * <p>Of the buffer three quarters are used: the kernel gives memory back late, up to a quarter at a
 * time. The peer's buffer is not known; it is taken to be what a socket of this computer has by
 * default, whatever larger buffer this one got.
 */
final class InFlightWindow {
  private static final int SMALLEST_CHARGE = 832;
  private static final int OVERHEAD = 424;
  private static final int DESCRIPTOR = 256;

  /** BTH, the longest headers of a data packet, padding and ICRC. */
  private static final int PACKET_HEADERS = 64;

  private static final int LEAST = 4;

  /**
   * Bytes of receive buffer that every UDP socket asks for; Linux doubles them, or cuts them to
   * net.core.rmem_max.
   */
  static final int RECEIVE_BUFFER = 8 << 20;

  private final int budget;

  /**
   * @param defaultReceiveBuffer bytes of a receive buffer that nobody enlarged
   * @param receiveBuffer bytes of this link's own
   */
  InFlightWindow(int defaultReceiveBuffer, int receiveBuffer) {
    this.budget = Math.min(defaultReceiveBuffer, receiveBuffer) / 4 * 3;
  }

  /**
   * Packets in flight to one destination, at least 4.
   *
   * @param mtu bytes of payload of each
   */
  int packets(int mtu) {
    return Math.max(LEAST, budget / charge(mtu + PACKET_HEADERS));
  }

  /** Bytes of receive buffer that a datagram takes up. */
  static int charge(int datagram) {
    int buffer = Integer.highestOneBit(datagram + OVERHEAD - 1) << 1;
    return Math.max(SMALLEST_CHARGE, buffer + DESCRIPTOR);
  }
}
