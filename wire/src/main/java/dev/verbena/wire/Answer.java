package dev.verbena.wire;

/** How a responder answers a request that it has executed (S12.6.4, S12.6.12). */
public enum Answer {
  /** An ACK, which may be one for several requests. */
  ACKNOWLEDGE,
  /** READ responses with the requested data. */
  DATA,
  /** An atomic acknowledge with the original value. */
  ORIGINAL,
  /** A READ response without data, one for each request. */
  EMPTY_RESPONSE,
  /** Nothing, because it is not a request. */
  NONE
}
