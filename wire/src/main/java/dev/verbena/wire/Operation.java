package dev.verbena.wire;

/**
 * The operation to which a packet belongs, whatever its position in the message and its transport.
 */
public enum Operation {
  /** SEND, with or without immediate data or a key to invalidate. */
  SEND(0, Answer.ACKNOWLEDGE),
  /** RDMA WRITE, with or without immediate data. */
  WRITE(1, Answer.ACKNOWLEDGE),
  /** The request of an RDMA READ. */
  READ_REQUEST(2, Answer.DATA),
  /** The data of an RDMA READ; also the answer to FLUSH and ATOMIC WRITE (S12.6.12). */
  READ_RESPONSE(3, Answer.NONE),
  /** ACK, RNR NAK or NAK: the AETH syndrome says which. */
  ACKNOWLEDGE(4, Answer.NONE),
  /** The answer to an atomic, with the original value. */
  ATOMIC_ACKNOWLEDGE(5, Answer.NONE),
  /** Compare and swap of 64 bits. */
  COMPARE_SWAP(6, Answer.ORIGINAL),
  /** Fetch and add of 64 bits. */
  FETCH_ADD(7, Answer.ORIGINAL),
  /** FLUSH of a memory range or region. */
  FLUSH(8, Answer.EMPTY_RESPONSE),
  /** Write of 8 bytes with single-copy atomicity. */
  ATOMIC_WRITE(9, Answer.EMPTY_RESPONSE),
  /** Congestion notification; belongs to no message. */
  CNP(10, Answer.NONE, false),
  /** How much the sender's receive buffer holds; belongs to no message. */
  BUFFER(11, Answer.NONE, false);

  /** Its index in tables; not a value on the wire. */
  final int number;

  /** How a peer answers it, on a transport that acknowledges requests. */
  public final Answer answer;

  /** Whether its packets belong to messages; the others say something about the way there. */
  public final boolean isOfMessage;

  Operation(int number, Answer answer) {
    this(number, answer, true);
  }

  Operation(int number, Answer answer, boolean isOfMessage) {
    this.number = number;
    this.answer = answer;
    this.isOfMessage = isOfMessage;
  }
}
