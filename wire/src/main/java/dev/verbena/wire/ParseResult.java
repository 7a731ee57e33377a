package dev.verbena.wire;

/** What {@link RocePacket#parse} makes of a datagram. Everything but {@link #OK} is dropped. */
public enum ParseResult {
  /** Well-formed: every accessor of a header that the opcode has may be used. */
  OK,
  /** Shorter than BTH and ICRC, or than the headers of its opcode and ICRC. */
  TRUNCATED,
  /** The transport header version is not 0. */
  BAD_VERSION,
  /** No transport that is supported has this opcode. */
  UNKNOWN_OPCODE,
  /** The length is no multiple of four, which headers, padded payload and ICRC always are. */
  BAD_LENGTH,
  /** More padding than payload, or padding in a First or Middle packet (S12.1.3). */
  BAD_PAD,
  /** Bytes, or a pad count, where the opcode has no payload. */
  UNEXPECTED_PAYLOAD
}
