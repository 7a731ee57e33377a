package dev.verbena.verbs;

/** Hash functions (enum ibv_rx_hash_function_flags; S9.8). */
public final class RxHashFunction {
  /** Toeplitz, with a key of 40 bytes. */
  public static final int TOEPLITZ = 1;

  private RxHashFunction() {}
}
