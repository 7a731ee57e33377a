package dev.verbena.wire;

/**
 * The result of {@link RocePacket#parse}. Datagrams with any result but {@link #OK} are dropped.
 */
public enum ParseResult {
  /** Well-formed: the accessors of all headers that the opcode has may be used. */
  OK,
  /** Shorter than BTH and ICRC, or than the headers of its opcode and ICRC. */
  TRUNCATED,
  /** The transport header version is not 0. */
  BAD_VERSION,
  /** No supported transport has this opcode. */
  UNKNOWN_OPCODE,
  /** The length is not a multiple of four, although headers, padded payload and ICRC always are. */
  BAD_LENGTH,
  /** More padding than payload, or padding in a First or Middle packet (S12.1.3). */
  BAD_PAD,
  /** Bytes, or a pad count, where the opcode has no payload. */
  UNEXPECTED_PAYLOAD
}
