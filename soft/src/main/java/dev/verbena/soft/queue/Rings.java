package dev.verbena.soft.queue;

/** Arrays in which numbered entries go round: of a size by which nobody has to divide. */
final class Rings {
  /** The smallest power of two for this many entries. */
  static int size(int entries) {
    return entries <= 1 ? 1 : Integer.highestOneBit(entries - 1) << 1;
  }

  private Rings() {}
}
