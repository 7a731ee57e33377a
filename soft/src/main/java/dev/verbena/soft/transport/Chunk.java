package dev.verbena.soft.transport;

import dev.verbena.soft.memory.SpanList;
import dev.verbena.wire.Address;
import dev.verbena.wire.Answer;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;

/**
 * A chunk of a request on the way from a requester to a responder: the content of one packet, or of
 * a run of packets of one message. Mutable and reused; the payload is valid only during the call
 * that passes the chunk. A carrier: what it says is read as fields, and set by calls that say what
 * belongs together.
 */
public final class Chunk {
  /** The data of this chunk. */
  public final SpanList payload = new SpanList();

  /** The part for datagrams only. */
  public final DatagramHeader datagram = new DatagramHeader();

  /** Operation. */
  public Operation operation = Operation.SEND;

  /** Whether it is the first chunk of its message. */
  public boolean first;

  /** Whether it is the last chunk of its message. */
  public boolean last;

  /** Whether it came as one packet. */
  public boolean framed;

  /** First PSN. */
  public int psn;

  /** Its number of PSNs. */
  public int psnCount;

  /** Destination queue pair. */
  public int destQpn;

  /** P_Key. */
  public int pkey;

  /** The sender's GID. */
  public Address source = Address.UNSPECIFIED;

  /** Whether a solicited event is wanted. */
  public boolean solicited;

  /** Whether an acknowledgement is wanted. */
  public boolean ackRequest;

  /** Whether there is immediate data. */
  public boolean hasImm;

  /** Whether there is a key to invalidate. */
  public boolean hasInvalidate;

  /** Immediate data, or the key to invalidate. */
  public int immOrKey;

  /** Address at the responder; in the first chunk of a WRITE, in a READ or atomic. */
  public long va;

  /** Key at the responder. */
  public int rkey;

  /** Bytes of the whole message. */
  public long dmaLength;

  /** Value to compare with. */
  public long compare;

  /** Value to store or to add. */
  public long swapOrAdd;

  /** {@link dev.verbena.verbs.FlushType} bits; from the network any four bits. */
  public int flushType;

  /** Number of a {@link dev.verbena.verbs.FlushLevel}; from the network any of 0 to 3. */
  public int flushLevel;

  /** The shared receive queue that an XRC request names; 0 in others. */
  public int srqNum;

  /** Whether the checksums of the frame's IP packet must be filled in. */
  public boolean fillsChecksums;

  /** Whether the checksums of a received frame are right. */
  public boolean checksumsValid;

  /** Number of the rule that steered a received frame. */
  public int flowTag;

  /** Whether {@link #losePayload} was called. */
  public boolean payloadGone;

  /** An empty chunk. */
  public Chunk() {}

  /**
   * Starts a new chunk without optional fields; the payload stays, because a sender sets it before.
   *
   * @param kind a request
   * @param startsMessage whether it is the first of its message
   * @param endsMessage whether it is the last of its message
   * @param sequence first PSN
   * @param count its number of PSNs, including those of a READ's responses
   */
  public void begin(
      Operation kind, boolean startsMessage, boolean endsMessage, int sequence, int count) {
    operation = kind;
    first = startsMessage;
    last = endsMessage;
    psn = sequence;
    psnCount = count;
    framed = false;
    solicited = false;
    ackRequest = false;
    hasImm = false;
    hasInvalidate = false;
    immOrKey = 0;
    va = 0;
    rkey = 0;
    dmaLength = 0;
    compare = 0;
    swapOrAdd = 0;
    flushType = 0;
    flushLevel = 0;
    srqNum = 0;
    fillsChecksums = false;
    checksumsValid = false;
    flowTag = 0;
    payloadGone = false;
  }

  /**
   * Marks the chunk as one packet, to which the rules of packet lengths apply (S12.6.7). A long one
   * has the PSNs and the payload of several.
   */
  public void framed() {
    framed = true;
  }

  /** Sets its source and the fields of BTH that name its destination and what it requests. */
  public void bth(
      Address from, int destination, int partition, boolean solicitedEvent, boolean wantsAck) {
    source = from;
    destQpn = destination;
    pkey = partition;
    solicited = solicitedEvent;
    ackRequest = wantsAck;
  }

  /** Sets immediate data. */
  public void immediate(int value) {
    hasImm = true;
    immOrKey = value;
  }

  /** Sets the key to invalidate. */
  public void invalidate(int key) {
    hasInvalidate = true;
    immOrKey = key;
  }

  /** Sets address, key and length of the whole message (RETH), or of an atomic's target. */
  public void remote(long addr, int key, long length) {
    va = addr;
    rkey = key;
    dmaLength = length;
  }

  /** Sets the operands of an atomic. */
  public void operands(long compareWith, long swapOrAddend) {
    compare = compareWith;
    swapOrAdd = swapOrAddend;
  }

  /** Sets the arguments of a FLUSH, as in the FETH. */
  public void flush(int type, int level) {
    flushType = type;
    flushLevel = level;
  }

  /** Sets the shared receive queue that an XRC request names. */
  public void srqNum(int number) {
    srqNum = number;
  }

  /** Requests the checksums of the frame's IP packet to be filled in. */
  public void fillChecksums() {
    fillsChecksums = true;
  }

  /**
   * Sets what is known about a received frame.
   *
   * @param valid whether its checksums are right
   * @param tag number of the rule that steered it
   */
  public void received(boolean valid, int tag) {
    checksumsValid = valid;
    flowTag = tag;
  }

  /**
   * Marks that the sender's memory no longer exists: nothing was sent, and the sender's request
   * fails.
   */
  public void losePayload() {
    payloadGone = true;
  }

  /** Bytes of data that it moves, in either direction. */
  public long moves() {
    boolean isAnsweredWithData =
        operation.answer == Answer.DATA || operation.answer == Answer.ORIGINAL;
    return isAnsweredWithData ? dmaLength : payload.total;
  }

  /**
   * The RC opcode of a packet with this chunk.
   *
   * @throws IllegalArgumentException if it is not a request
   */
  public int opcode() {
    return Opcode.ofRequest(operation, first, last, hasImm, hasInvalidate);
  }

  /**
   * Such as {@code SEND_LAST psn 12 ack qpn 0x11, 5 bytes, from 10.0.0.2}; {@code psn 12 x4} is 12
   * to 15.
   */
  @Override
  public String toString() {
    return Opcode.name(opcode()).substring("RC_".length())
        + " psn "
        + psn
        + (psnCount == 1 ? "" : " x" + psnCount)
        + (ackRequest ? " ack" : "")
        + " qpn 0x"
        + Integer.toHexString(destQpn)
        + ", "
        + payload.total
        + " bytes, from "
        + source;
  }
}
