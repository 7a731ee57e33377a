package dev.verbena.soft.link.wrap;

import dev.verbena.verbs.FaultSpec;
import java.util.random.RandomGenerator;

/**
 * Decides the fate of packets, one after another. Every packet takes the same number of random
 * values, so that the probability of one fault does not change which packets the others hit.
 */
final class FaultDice {
  private final FaultSpec spec;
  private final RandomGenerator random;
  private final long longestDelay;

  /** Rising. */
  private final long[] numbersToDrop;

  private int dropped;
  private long number;
  private boolean drop;
  private boolean duplicate;
  private boolean reorder;
  private boolean corrupt;
  private boolean delay;
  private double where;
  private double howLong;

  FaultDice(FaultSpec spec, RandomGenerator random) {
    this.spec = spec;
    this.random = random;
    this.longestDelay = spec.delayTime().toNanos();
    this.numbersToDrop = spec.dropNth().stream().mapToLong(Long::longValue).toArray();
  }

  /** Moves to the next packet. */
  void roll() {
    number++;
    boolean unlucky = random.nextDouble() < spec.drop();
    boolean chosen = dropped < numbersToDrop.length && numbersToDrop[dropped] == number;
    if (chosen) {
      dropped++;
    }
    drop = unlucky || chosen;
    duplicate = random.nextDouble() < spec.duplicate();
    reorder = random.nextDouble() < spec.reorder();
    corrupt = random.nextDouble() < spec.corrupt();
    delay = random.nextDouble() < spec.delay();
    where = random.nextDouble();
    howLong = random.nextDouble();
  }

  /** Whether anything happens to the packet. */
  boolean hits() {
    return drop || duplicate || reorder || corrupt || delay;
  }

  boolean drops() {
    return drop;
  }

  boolean duplicates() {
    return duplicate;
  }

  boolean reorders() {
    return reorder;
  }

  boolean corrupts() {
    return corrupt;
  }

  boolean delays() {
    return delay;
  }

  /** The bit to flip, of this number of bits. */
  long bit(long bits) {
    return (long) (where * bits);
  }

  /** The delay of the packet in nanoseconds: above 0, up to the longest delay. */
  long delayNanos() {
    return longestDelay - (long) (howLong * longestDelay);
  }
}
