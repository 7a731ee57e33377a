package dev.verbena.verbs;

import java.util.List;
import java.util.Random;

/** Random paths with any valid values. */
final class RandomPaths {
  /**
   * @param ways whether it may have forward and return paths, and no directed route
   */
  static IbPath next(Random random, boolean ways) {
    IbPath.Builder path = one(random);
    if (ways && random.nextBoolean()) {
      path.forwardPath(one(random).build());
    }
    if (ways && random.nextBoolean()) {
      path.returnPath(one(random).build());
    }
    if (!ways && random.nextInt(4) == 0) {
      path.drPath(List.of(0, random.nextInt(256), random.nextInt(256)));
    }
    return path.build();
  }

  private static IbPath.Builder one(Random random) {
    IbPath.Builder path = IbPath.builder();
    if (random.nextBoolean()) {
      path.dgid(new Gid(random.nextLong(), random.nextLong()));
    }
    if (random.nextBoolean()) {
      path.sgid(new Gid(random.nextLong(), random.nextLong()));
    }
    for (PathField field : PathField.values()) {
      long value = random.nextLong() >>> random.nextInt(32, 64);
      if (field.isValue(value)) {
        path.set(field, value);
      }
    }
    return path;
  }

  private RandomPaths() {}
}
