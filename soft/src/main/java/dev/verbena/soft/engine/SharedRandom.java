package dev.verbena.soft.engine;

import java.util.random.RandomGenerator;

/** Makes a random source that is not thread-safe usable by any thread. */
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
