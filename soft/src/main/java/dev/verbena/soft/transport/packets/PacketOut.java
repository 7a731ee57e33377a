package dev.verbena.soft.transport.packets;

import java.lang.foreign.MemorySegment;

/**
 * The sending side of a packet link towards one peer. Between {@link #begin} and {@link #commit} or
 * {@link #abandon} the caller owns the buffer and must not take any guard.
 */
public interface PacketOut {
  /** Whether a packet can be sent now; if not, the queue pair runs again when it can. */
  boolean isReady();

  /**
   * PSNs that may be unanswered, so that a healthy link loses nothing.
   *
   * @param payload bytes of the largest packet among them
   */
  int mostInFlight(int payload);

  /**
   * The same for packets that take this much of the peer's receive buffer on average, as {@link
   * #commit} returns it.
   *
   * @param largest bytes of the largest payload among them
   */
  int mostInFlightOf(int charge, int largest);

  /**
   * Bytes of this side's receive buffer, if the peer is to be told; 0 if not, because it would not
   * understand, or gains nothing by it.
   */
  default int receiveBuffer() {
    return 0;
  }

  /** PSNs of READs that may be unanswered, so that this side gets all answers. */
  int mostAnswersInFlight(int mtu);

  /**
   * Packets that leave together, if they follow each other; 1 if each leaves alone.
   *
   * @param mtu bytes of payload of each
   */
  default int run(int mtu) {
    return 1;
  }

  /** The most bytes of payload in a packet that stands for several; 0 if there are no such. */
  default int longPayload() {
    return 0;
  }

  /** The buffer for the next packet, from BTH on; has room for the largest one and its ICRC. */
  MemorySegment begin();

  /**
   * Adds the ICRC and sends the packet.
   *
   * @param length bytes from BTH to the padding, without ICRC
   * @return bytes that it may take in the peer's receive buffer; 0 if the link refused it, so that
   *     it was not sent
   */
  int commit(int length);

  /** Abandons the packet. */
  void abandon();
}
