package dev.verbena.tools.demo;

/**
 * The operands and expected results of a round's atomic operations, derived from the pattern, so
 * that both ends know them. COMPARE_AND_SWAP: each message has its own 8 bytes; every third one
 * compares with a wrong value and must change nothing. FETCH_AND_ADD: all messages add to the first
 * slot.
 */
final class Atomics {
  /** Makes operands and results differ from the data of any message. */
  private static final long SWAP_MASK = 0x5bd1e995_5bd1e995L;

  private final SeededPattern pattern;
  private final Round round;

  Atomics(SeededPattern pattern, Round round) {
    this.pattern = pattern;
    this.round = round;
  }

  /** The value in a slot before the round. */
  long initial(int message) {
    return pattern.number(round.first() + message);
  }

  /** The value that a COMPARE_AND_SWAP compares with. */
  long compare(int message) {
    return swaps(message) ? initial(message) : ~initial(message);
  }

  /** The value that a COMPARE_AND_SWAP stores. */
  long swap(int message) {
    return initial(message) ^ SWAP_MASK;
  }

  /** The value that a FETCH_AND_ADD adds. */
  long add(int message) {
    return initial(message) | 1;
  }

  /** Slot that a message works on. */
  int target(int message) {
    return round.operation() == Operation.ATOMIC_FETCH_AND_ADD ? 0 : message;
  }

  /** The value that a message must find, and bring back. */
  long expectedOld(int message) {
    return round.operation() == Operation.ATOMIC_FETCH_AND_ADD
        ? initial(0) + sum(message)
        : initial(message);
  }

  /** The value in a slot after the round. */
  long expectedFinal(int slot) {
    if (round.operation() == Operation.ATOMIC_CMP_AND_SWP) {
      return swaps(slot) ? swap(slot) : initial(slot);
    }
    return slot == 0 ? initial(0) + sum(round.messages()) : initial(slot);
  }

  private long sum(int messages) {
    long sum = 0;
    for (int i = 0; i < messages; i++) {
      sum += add(i);
    }
    return sum;
  }

  private static boolean swaps(int message) {
    return message % 3 != 2;
  }
}
