package dev.verbena.verbs;

/** Hash functions (enum ibv_rx_hash_function_flags; ibv_create_qp_ex(3)). */
public final class RxHashFunction {
  /** Toeplitz, with a key of 40 bytes, as in Microsoft's receive side scaling (RSS). */
  public static final int TOEPLITZ = 1;

  private RxHashFunction() {}
}
