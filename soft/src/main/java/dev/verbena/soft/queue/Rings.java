package dev.verbena.soft.queue;

/** Sizes and indices of ring arrays for numbered entries, without divisions. */
final class Rings {
  /** The smallest power of two for this many entries. */
  static int size(int entries) {
    return entries <= 1 ? 1 : Integer.highestOneBit(entries - 1) << 1;
  }

  private Rings() {}
}
