package dev.verbena.interop.sides;

/**
 * The bytes with which both sides fill buffers. Byte i is (seed + i + i / 251) modulo 256, so that
 * the packets of a message differ.
 */
public final class Pattern {
  private static final int ROW = 251;

  /** The first {@code length} bytes of the pattern. */
  public static byte[] bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (seed + i + i / ROW);
    }
    return bytes;
  }

  private Pattern() {}
}
