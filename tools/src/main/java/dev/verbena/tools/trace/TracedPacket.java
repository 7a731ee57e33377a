package dev.verbena.tools.trace;

import dev.verbena.wire.CapturedFrame;
import dev.verbena.wire.Opcode;
import org.jspecify.annotations.Nullable;

/**
 * A RoCE packet of a capture.
 *
 * @param number of the packet in its file, from 1
 * @param nanos time stamp, or {@link CapturedFrame#NO_TIME}
 * @param to addresses and queue pairs
 * @param row what follows from the opcode; null if the packet is malformed
 * @param flaw what is wrong with the packet; empty if it is well-formed
 * @param psn packet sequence number
 * @param psns how many PSNs it stands for: more than 1 if it is a long one, of shared memory
 * @param ackRequest whether the sender asks for an ACK
 * @param payload bytes of payload
 * @param messageLength bytes that a RETH announces; -1 without RETH
 * @param syndrome of an AETH; -1 without AETH
 * @param msn of an AETH
 * @param checksum what is known of the ICRC
 * @param congested whether a switch has marked it (ECN)
 * @param dropped whether an injected fault has dropped it, so that it never left
 * @param comment somebody's note in the file, which may contain any characters
 */
record TracedPacket(
    long number,
    long nanos,
    Direction to,
    Opcode.@Nullable Row row,
    String flaw,
    int psn,
    int psns,
    boolean ackRequest,
    int payload,
    long messageLength,
    int syndrome,
    int msn,
    Checksum checksum,
    boolean congested,
    boolean dropped,
    String comment) {
  /** What is known of an ICRC. */
  enum Checksum {
    GOOD,
    BAD,
    /** The capture does not hold the whole packet. */
    CUT_OFF,
    /** The packet is malformed, so nobody knows where it ends. */
    NOT_JUDGED
  }

  /**
   * Whether it is the first packet of a message, or the request of a READ or an atomic, and not
   * damaged.
   */
  boolean beginsMessage() {
    return row != null
        && row.operation.isOfMessage
        && row.isRequest
        && row.startsMessage
        && checksum != Checksum.BAD;
  }
}
