package dev.verbena.verbs;

/**
 * What {@link QueuePair#queryDataInOrder} is asked and answers (enum
 * ibv_query_qp_data_in_order_flags and enum ibv_query_qp_data_in_order_caps).
 */
public final class DataInOrder {
  /** Question: the answer shall be the bits below, not just yes (1) or no (0). */
  public static final int RETURN_CAPS = 1;

  /** Answer: the bytes of a whole message are written in their order. */
  public static final int WHOLE_MSG = 1;

  /** Answer: the 128-byte blocks of a message that are aligned so are written in their order. */
  public static final int ALIGNED_128_BYTES = 1 << 1;

  private DataInOrder() {}
}
