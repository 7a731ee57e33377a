package dev.verbena.verbs;

/** Arithmetic on memory keys. */
public final class Keys {
  /**
   * As ibv_inc_rkey: the key with the next tag. Only the low 8 bits, which the consumer owns,
   * change, and they wrap without a carry: 0x123456FF becomes 0x12345600.
   */
  public static int incRkey(int rkey) {
    return (rkey & ~0xff) | ((rkey + 1) & 0xff);
  }

  private Keys() {}
}
