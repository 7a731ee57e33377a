package dev.verbena.soft.fuzz;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Values that matter to the devices, among which an attacker chooses. */
final class Loot {
  private static final int MOST = 256;

  private final long[] values = new long[MOST];
  private int count;

  /** Adds one; with many, it takes the place of an old one. */
  void add(long value) {
    values[count++ % MOST] = value;
  }

  /** Whether it is among them. */
  boolean has(long value) {
    return Arrays.stream(values, 0, Math.min(count, MOST)).anyMatch(found -> found == value);
  }

  /** Any of them, or another value if there is none. */
  long any(RandomGenerator random, long otherwise) {
    return count == 0 ? otherwise : values[random.nextInt(Math.min(count, MOST))];
  }
}
