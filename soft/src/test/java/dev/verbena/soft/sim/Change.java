package dev.verbena.soft.sim;

/** Bytes that a request stores at the peer. */
final class Change {
  static final Change NONE = new Change(0, new byte[0]);

  private final int offset;
  private final byte[] bytes;

  Change(int offset, byte[] bytes) {
    this.offset = offset;
    this.bytes = bytes;
  }

  /** Where in the target. */
  int offset() {
    return offset;
  }

  byte[] bytes() {
    return bytes;
  }
}
