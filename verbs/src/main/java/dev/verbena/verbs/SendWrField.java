package dev.verbena.verbs;

/** Fields of a {@link SendWr} that only some operations use ({@link WrOpcode#uses}). */
public enum SendWrField {
  /** Local memory: {@link SendWr#sgList}. */
  SG_LIST(1),
  /** {@link SendWr#immData}. */
  IMM_DATA(1 << 1),
  /** {@link SendWr#invalidateRkey}. */
  INVALIDATE_RKEY(1 << 2),
  /** Memory of the peer: {@link SendWr#remoteAddr} and {@link SendWr#rkey}. */
  REMOTE(1 << 3),
  /** {@link SendWr#compareAdd}. */
  COMPARE_ADD(1 << 4),
  /** {@link SendWr#swap}. */
  SWAP(1 << 5),
  /** {@link SendWr#flushType}, {@link SendWr#flushLevel} and {@link SendWr#flushLength}. */
  FLUSH(1 << 6),
  /** {@link SendWr#mw}, {@link SendWr#bindRkey} and {@link SendWr#bindInfo}. */
  BIND_MW(1 << 7),
  /** {@link SendWr#tsoHdr} and {@link SendWr#mss}. */
  TSO(1 << 8);

  private final int bit;

  SendWrField(int bit) {
    this.bit = bit;
  }

  /** Its bit in the field set of an operation. */
  int bit() {
    return bit;
  }
}
