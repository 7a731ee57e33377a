package dev.verbena.wire;

/** How a responder answers a request that it has executed (S12.6.4, S12.6.12). */
public enum Answer {
  /** An ACK, which may be one for several requests. */
  ACKNOWLEDGE,
  /** READ responses with the data that was asked for. */
  DATA,
  /** An atomic acknowledge with the value that was found. */
  ORIGINAL,
  /** A READ response without data, of its own for each request. */
  EMPTY_RESPONSE,
  /** Nothing: it is no request. */
  NONE
}
