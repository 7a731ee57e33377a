package dev.verbena.soft.sim;

/**
 * The memory at the peer that a request names.
 *
 * @param rkey the key
 * @param base address at which the memory behind the key starts
 * @param offset from there
 */
record Remote(int rkey, long base, int offset) {
  long addr() {
    return base + offset;
  }

  Remote withRkey(int other) {
    return new Remote(other, base, offset);
  }
}
