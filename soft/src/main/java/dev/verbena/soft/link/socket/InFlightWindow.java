package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.SendBatch;

/**
 * How many packets a peer's socket buffer holds for certain. What fills that buffer is not the
 * datagram's bytes but the kernel memory it occupies. A datagram by itself has a buffer that holds
 * headers, datagram and bookkeeping, comes in powers of two, and has a descriptor of its own; the
 * smallest kind is 576 bytes. So
 *
 * <pre>charge(n) = max(832, ceilingPowerOfTwo(n + 424) + 256)</pre>
 *
 * which gives 832 for up to 88 bytes, 1280 to 600, 2304 to 1624, 4352 to 3672, and 8448 for a
 * 4112-byte datagram, as measured on Linux 6.18 (IPv6, whose headers are the longer ones). Where
 * the kernel is told the length of datagrams ({@link SendMessage}), a run of them is charged its
 * bytes and 848, and so is a datagram that is alone. How many are alone is not known beforehand:
 * all may be. Yet no more are in flight than three full runs, which need not be more; of small
 * packets that do travel in runs there are more.
 *
 * <p>The peer's buffer is not known; it is taken to be what a socket of this computer has by
 * default, whatever larger buffer this one got. Of it three quarters are used, for the kernel gives
 * memory back late, up to a quarter at a time; but all of it where length is said, by which a peer
 * is meant that has asked for twice as much, as these links do.
 */
final class InFlightWindow {
  private static final int SMALLEST_CHARGE = 832;
  private static final int OVERHEAD = 424;
  private static final int DESCRIPTOR = 256;

  /** BTH, the longest headers of a data packet, padding and ICRC. */
  private static final int PACKET_HEADERS = 64;

  private static final int LEAST = 4;
  private static final int MOST_RUNS = 3;

  /** Packets in flight at the most, however small: enough for a few microseconds of each. */
  private static final int MOST = 512;

  /** A READ is asked for in parts of 1 MiB at the most. */
  private static final int MOST_ANSWERS = 256;

  /**
   * Bytes of receive buffer that every UDP socket asks for; Linux doubles them, or cuts them to
   * net.core.rmem_max.
   */
  static final int RECEIVE_BUFFER = 8 << 20;

  private final int ofPeer;
  private final int own;
  private final boolean segments;

  /**
   * @param defaultReceiveBuffer bytes of a receive buffer that nobody enlarged
   * @param receiveBuffer bytes of this link's own
   * @param segments whether the kernel is told the length of datagrams
   */
  InFlightWindow(int defaultReceiveBuffer, int receiveBuffer, boolean segments) {
    ofPeer = Math.min(defaultReceiveBuffer, receiveBuffer);
    own = receiveBuffer;
    this.segments = segments;
  }

  /**
   * Packets in flight to one destination, at least 4.
   *
   * @param payload bytes of payload of each
   */
  int packets(int payload) {
    int datagram = payload + PACKET_HEADERS;
    int alone = ofPeer / 4 * 3 / charge(datagram);
    if (segments) {
      int inRuns = MOST_RUNS * SendBatch.mostInRun(datagram);
      alone = Math.max(alone, Math.min(inRuns, ofPeer / (datagram + Link.RUN_CHARGE)));
    }
    return Math.max(LEAST, alone);
  }

  /**
   * Packets in flight to one destination that take so much on average, at least 1. Half of the
   * buffer is used: those in flight may be worse than the average.
   */
  int packetsOf(int charge) {
    return segments ? Math.clamp(ofPeer / 2 / charge, 1, MOST) : 1;
  }

  /**
   * Packets that may be on their way to this link, sent by whatever peer, at least 4.
   *
   * @param mtu bytes of payload of each
   */
  int answers(int mtu) {
    return Math.clamp(own / 4 * 3 / charge(mtu + PACKET_HEADERS), LEAST, MOST_ANSWERS);
  }

  /** Bytes of receive buffer that a datagram takes up. */
  static int charge(int datagram) {
    int buffer = Integer.highestOneBit(datagram + OVERHEAD - 1) << 1;
    return Math.max(SMALLEST_CHARGE, buffer + DESCRIPTOR);
  }
}
