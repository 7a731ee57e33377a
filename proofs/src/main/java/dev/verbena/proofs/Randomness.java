package dev.verbena.proofs;

import java.util.Arrays;

/**
 * Tests a sequence of values for uniform and independent randomness. For a random sequence each
 * test fails with a probability of at most {@link #ERROR}.
 */
public final class Randomness {
  /** The error of one test; a thousand of them together stay below 10^-9. */
  static final double ERROR = 5e-13;

  private final String name;
  private final int[] values;
  private final int bits;

  /**
   * A sequence.
   *
   * @param bits of each value
   */
  public Randomness(String name, int[] values, int bits) {
    this.name = name;
    this.values = values;
    this.bits = bits;
  }

  /**
   * How far the count of heads among n fair tosses may be from n / 2: by Hoeffding's inequality it
   * is t away with a probability of at most 2 exp(-2 t² / n).
   */
  private static double deviation(int n) {
    return Math.sqrt(n * Math.log(2 / ERROR) / 2);
  }

  private void assertFair(String what, long heads, int tosses) {
    if (Math.abs(heads - tosses / 2.0) > deviation(tosses)) {
      throw new AssertionError(name + ": " + what + ", " + heads + " times of " + tosses);
    }
  }

  /**
   * All of these tests.
   *
   * @param placesBefore earlier values from which a value might follow
   */
  public void followsNoRule(int... placesBefore) {
    bitsAreFair();
    for (int places : placesBefore) {
      bitsChangeAtRandomFrom(places);
    }
    neighboursHaveNoOrder();
    neighboursHaveNoUsualDistance();
    repeatsAreRare();
  }

  /** Each bit is as often 0 as 1. */
  public void bitsAreFair() {
    for (int i = 0; i < bits; i++) {
      int bit = i;
      assertFair(
          "bit " + bit + " is set",
          Arrays.stream(values).filter(value -> (value >>> bit & 1) != 0).count(),
          values.length);
    }
  }

  /** Each bit is equal to that of the value this number of places before as often as not. */
  void bitsChangeAtRandomFrom(int placesBefore) {
    int[] changes = new int[values.length - placesBefore];
    Arrays.setAll(changes, i -> values[i + placesBefore] ^ values[i]);
    new Randomness(name + " against " + placesBefore + " before", changes, bits).bitsAreFair();
  }

  /** Of two neighbours, the first is the smaller as often as not. */
  void neighboursHaveNoOrder() {
    int pairs = values.length / 2;
    long ascents = 0;
    for (int i = 0; i < pairs; i++) {
      ascents += Integer.compareUnsigned(values[2 * i], values[2 * i + 1]) < 0 ? 1 : 0;
    }
    assertFair("the second of a pair is the greater", ascents, pairs);
  }

  /** No distance between neighbours is more frequent than chance allows. */
  void neighboursHaveNoUsualDistance() {
    int[] distances = new int[values.length / 2];
    int mask = bits == Integer.SIZE ? -1 : (1 << bits) - 1;
    Arrays.setAll(distances, i -> values[2 * i + 1] - values[2 * i] & mask);
    new Randomness(name + ", distances", distances, bits).repeatsAreRare();
  }

  /**
   * Values that were there before are rare. Each of n draws from N values repeats one of the others
   * with a probability of less than n / N, whatever those are, so the number of repeats is at most
   * a sum of n such tosses, and by Chernoff's bound reaches k with a probability of at most exp(k -
   * m - k ln(k / m)), where m = n² / N.
   */
  void repeatsAreRare() {
    double mean = Math.scalb((double) values.length * values.length, -bits);
    int k = 1 + (int) mean;
    while (Math.exp(k - mean - k * Math.log(k / mean)) > ERROR) {
      k++;
    }
    long repeats = values.length - Arrays.stream(values).distinct().count();
    if (repeats >= k) {
      throw new AssertionError(name + ": " + repeats + " repeats among " + values.length);
    }
  }
}
