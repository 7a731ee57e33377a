package dev.verbena.verbs;

/**
 * Flags and results of {@link QueuePair#queryDataInOrder} (enum ibv_query_qp_data_in_order_flags
 * and enum ibv_query_qp_data_in_order_caps).
 */
public final class DataInOrder {
  /** Flag: return the bits below instead of just yes (1) or no (0). */
  public static final int RETURN_CAPS = 1;

  /** Result: the bytes of a whole message are written in order. */
  public static final int WHOLE_MSG = 1;

  /**
   * Result: the 128-byte blocks of a message that are aligned to 128 bytes are written in order.
   */
  public static final int ALIGNED_128_BYTES = 1 << 1;

  private DataInOrder() {}
}
