package dev.verbena.verbs;

/** Arithmetic on memory keys. */
public final class Keys {
  /**
   * The key with the next tag, as by ibv_inc_rkey. Only the low 8 bits, which the consumer owns,
   * change; they wrap without a carry: 0x123456FF becomes 0x12345600.
   */
  public static int incRkey(int rkey) {
    return (rkey & ~0xff) | ((rkey + 1) & 0xff);
  }

  private Keys() {}
}
