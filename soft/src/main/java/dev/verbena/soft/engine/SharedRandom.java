package dev.verbena.soft.engine;

import java.util.random.RandomGenerator;

/** Lets any thread draw from a source that only one may use at a time. */
final class SharedRandom implements RandomGenerator {
  private final RandomGenerator source;

  SharedRandom(RandomGenerator source) {
    this.source = source;
  }

  @Override
  public synchronized long nextLong() {
    return source.nextLong();
  }
}
