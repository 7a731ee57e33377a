package dev.verbena.wire;

/** RNR NAK timer codes, 0..31 (S12.6.8; qp_attr.min_rnr_timer). */
public final class RnrTimer {
  private static final long UNIT_NANOS = 10_000;

  /** In units of 10 µs. Code 0 is the longest time, not the shortest. */
  private static final int[] UNITS = {
    65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536,
    2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
  };

  private RnrTimer() {}

  /** How long a requester waits after an RNR NAK with this code, in nanoseconds. */
  public static long nanos(int code) {
    return UNITS[code & 0x1F] * UNIT_NANOS;
  }
}
