package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.SendBatch;

/**
 * How many packets a peer's socket buffer certainly holds. A datagram fills that buffer not with
 * its bytes but with the kernel memory that it occupies. A single datagram has a buffer for
 * headers, datagram and bookkeeping, whose size is a power of two, and a descriptor; the smallest
 * buffer has 576 bytes. So
 *
 * <pre>charge(n) = max(832, ceilingPowerOfTwo(n + 424) + 256)</pre>
 *
 * which gives 832 for up to 88 bytes, 1280 to 600, 2304 to 1624, 4352 to 3672, and 8448 for a
 * 4112-byte datagram, as measured on Linux 6.18 (IPv6, whose headers are longer). If the kernel
 * knows the length of datagrams ({@link SendMessage}), it charges a run its bytes and 848, and a
 * single datagram likewise. How many travel alone is not known beforehand; it may be all. Even so,
 * no more than three full runs are in flight, which is enough; of packets that have travelled in
 * runs there are more.
 *
 * <p>The peer's buffer is unknown at first; we assume the default size on this computer, even if
 * this link got a larger one. We use three quarters of it, because the kernel returns memory late,
 * up to a quarter at a time. If the kernel knows the lengths we use all of it, assuming a peer
 * that, like these links, asked for twice as much.
 *
 * <p>A peer like this device says how much it has ({@link dev.verbena.wire.BufferSize}). If three
 * quarters of that are more, as many are used, up to three times the usual part. With more, long
 * messages were slower, because the sender's threads waited for each other. A peer that says little
 * gets as much as one that says nothing: whoever forges such a packet cannot slow a sender down.
 */
final class InFlightWindow {
  private static final int SMALLEST_CHARGE = 832;
  private static final int OVERHEAD = 424;
  private static final int DESCRIPTOR = 256;

  /** BTH, the longest headers of a data packet, padding and ICRC. */
  private static final int PACKET_HEADERS = 64;

  private static final int LEAST = 4;
  private static final int MOST_RUNS = 3;

  /** So many times the usual part of a buffer is used if the peer has it for certain. */
  private static final int IF_KNOWN = 3;

  /** The most packets in flight, however small: enough for a few microseconds of each. */
  private static final int MOST = 512;

  /**
   * READs are requested in parts of at most 2 MiB; so while one of 1 MiB is answered, the next one
   * is under way.
   */
  private static final int MOST_ANSWERS = 512;

  /**
   * Bytes of receive buffer that every UDP socket requests; Linux doubles them, or reduces them to
   * net.core.rmem_max.
   */
  static final int RECEIVE_BUFFER = 8 << 20;

  private final int ofPeer;
  private final int own;
  private final boolean segments;

  /**
   * @param defaultReceiveBuffer bytes of a receive buffer of default size
   * @param receiveBuffer bytes of this link's own
   * @param segments whether the kernel knows the length of datagrams
   */
  InFlightWindow(int defaultReceiveBuffer, int receiveBuffer, boolean segments) {
    ofPeer = Math.min(defaultReceiveBuffer, receiveBuffer);
    own = receiveBuffer;
    this.segments = segments;
  }

  /**
   * Packets in flight to one destination, 4 to 512.
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
    return Math.clamp(alone, LEAST, MOST);
  }

  /**
   * Packets in flight to one destination that take this much on average, at least 1. Uses half of
   * the buffer, because the packets in flight may be worse than the average. If they are alike and
   * most travel in runs, they can only be worse by travelling alone: then it uses all of the
   * buffer, as far as one of the size that the peer has said, or of twice the usual size, would
   * hold them even so.
   *
   * @param largest bytes of the largest payload among them
   * @param peerBuffer bytes of the peer's receive buffer; 0 if it has not said how many
   */
  int packetsOf(int charge, int largest, int peerBuffer) {
    if (!segments) {
      return 1;
    }
    int used = (int) Math.clamp(peerBuffer / 4L * 3, (long) ofPeer, (long) IF_KNOWN * ofPeer);
    int most = used / 2 / charge;
    boolean alike = charge >= largest;
    boolean inRuns = charge < largest + Link.RUN_CHARGE / 2;
    if (alike && inRuns) {
      long whole = Math.max(2L * ofPeer, peerBuffer);
      int alone = (int) (whole / (charge + Link.RUN_CHARGE));
      most = Math.max(most, Math.min(used / charge, alone));
    }
    return Math.clamp(most, 1, MOST);
  }

  /**
   * Bytes of this link's own buffer for peers to count on; 0 if the kernel charges it more for a
   * datagram than they would expect.
   */
  int receiveBuffer() {
    return segments ? own : 0;
  }

  /**
   * Packets that may be on the way to this link from a peer, at least 4; several peers share the
   * rest of the buffer, if READs of them all are answered at once.
   *
   * @param mtu bytes of payload of each
   */
  int answers(int mtu) {
    return Math.clamp(own / 4 * 3 / charge(mtu + PACKET_HEADERS), LEAST, MOST_ANSWERS);
  }

  /** Bytes of receive buffer that a datagram occupies. */
  static int charge(int datagram) {
    int buffer = Integer.highestOneBit(datagram + OVERHEAD - 1) << 1;
    return Math.max(SMALLEST_CHARGE, buffer + DESCRIPTOR);
  }
}
