package dev.verbena.verbs;

/**
 * How a queue pair hashes the frames steered to it (struct ibv_rx_hash_conf; ibv_create_qp_ex(3)).
 */
public final class RxHashConf {
  private final int rxHashFunction;
  private final byte[] rxHashKey;
  private final long rxHashFieldsMask;

  /**
   * Takes a copy of the key.
   *
   * @param rxHashFunction a {@link RxHashFunction}
   * @param rxHashKey 40 bytes for Toeplitz
   * @param rxHashFieldsMask {@link RxHashFields} bits. Fields that a frame does not have are left
   *     out of its hash; if it has none of them the hash is 0
   */
  public RxHashConf(int rxHashFunction, byte[] rxHashKey, long... rxHashFieldsMask) {
    this.rxHashFunction = rxHashFunction;
    this.rxHashKey = rxHashKey.clone();
    long fields = 0;
    for (long bits : rxHashFieldsMask) {
      fields |= bits;
    }
    this.rxHashFieldsMask = fields;
  }

  /** The function. */
  public int rxHashFunction() {
    return rxHashFunction;
  }

  /** A copy of the key. */
  public byte[] rxHashKey() {
    return rxHashKey.clone();
  }

  /** The fields. */
  public long rxHashFieldsMask() {
    return rxHashFieldsMask;
  }

  @Override
  public String toString() {
    return "rx_hash_conf[function=%d, key of %d bytes, fields=0x%x]"
        .formatted(rxHashFunction, rxHashKey.length, rxHashFieldsMask);
  }
}
