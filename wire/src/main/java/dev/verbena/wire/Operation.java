package dev.verbena.wire;

/** What a packet is part of, whatever its position in the message and its transport. */
public enum Operation {
  /** SEND, with or without immediate data or a key to invalidate. */
  SEND,
  /** RDMA WRITE, with or without immediate data. */
  WRITE,
  /** The request of an RDMA READ. */
  READ_REQUEST,
  /** The data of an RDMA READ; also the answer to FLUSH and ATOMIC WRITE (S12.6.12). */
  READ_RESPONSE,
  /** ACK, RNR NAK or NAK: the AETH syndrome says which. */
  ACKNOWLEDGE,
  /** The answer to an atomic, with the original value. */
  ATOMIC_ACKNOWLEDGE,
  /** Compare and swap of 64 bits. */
  COMPARE_SWAP,
  /** Fetch and add of 64 bits. */
  FETCH_ADD,
  /** FLUSH of a memory range or region. */
  FLUSH,
  /** Write of 8 bytes with single-copy atomicity. */
  ATOMIC_WRITE,
  /** Congestion notification; belongs to no message. */
  CNP
}
