package dev.verbena.soft.sim;

import java.util.random.RandomGenerator;

/** The random choices of a run. */
final class Dice {
  private final RandomGenerator random;
  private final int mtu;

  Dice(RandomGenerator random, int mtu) {
    this.random = random;
    this.mtu = mtu;
  }

  /** 0 to bound - 1. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  /** 0 to most. */
  int upTo(int most) {
    return random.nextInt(most + 1);
  }

  /** Whether one chance in this many came. */
  boolean oneIn(int chances) {
    return random.nextInt(chances) == 0;
  }

  boolean isEven() {
    return random.nextBoolean();
  }

  <T> T among(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** The length of a message: often around a whole number of packets. */
  int length() {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> random.nextInt(1, 9);
      case 2 -> mtu * random.nextInt(1, 4) + random.nextInt(-1, 2);
      default -> random.nextInt(3 * mtu);
    };
  }

  /** The length of a message that is one packet. */
  int packetLength() {
    return random.nextInt(4) == 0 ? mtu : random.nextInt(mtu);
  }

  int mtu() {
    return mtu;
  }
}
