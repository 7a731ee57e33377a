package dev.verbena.junit;

import dev.verbena.verbs.FaultSpec;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** The faults of a test, and how to get the same ones again. */
final class TestFaults {
  private final FaultSpec spec;
  private final @Nullable String repetition;

  private TestFaults(FaultSpec spec, @Nullable String repetition) {
    this.spec = spec;
    this.repetition = repetition;
  }

  /**
   * @param test names the test in messages
   * @param configured the seed of tests that name none
   */
  static TestFaults of(RdmaDevice wanted, String test, Supplier<OptionalLong> configured) {
    boolean hasSeed = wanted.faults().contains("seed:");
    if (wanted.seed() != 0 && hasSeed) {
      throw refused(test, "two seeds: in faults, and " + wanted.seed());
    }
    if (wanted.faults().isEmpty()) {
      if (wanted.seed() != 0) {
        throw refused(test, "seed = " + wanted.seed() + " but no faults for which it could be");
      }
      return new TestFaults(FaultSpec.NONE, null);
    }
    if (hasSeed) {
      return new TestFaults(FaultSpec.parse(wanted.faults()), null);
    }
    long seed = wanted.seed();
    if (seed != 0) {
      return new TestFaults(withSeed(wanted, seed), null);
    }
    long drawn =
        configured
            .get()
            .orElseGet(() -> ThreadLocalRandom.current().nextLong(1, Integer.MAX_VALUE));
    return new TestFaults(withSeed(wanted, drawn), annotation(wanted, drawn));
  }

  private static ExtensionConfigurationException refused(String test, String detail) {
    return new ExtensionConfigurationException("@RdmaDevice of " + test + " has " + detail);
  }

  private static FaultSpec withSeed(RdmaDevice wanted, long seed) {
    return FaultSpec.parse(wanted.faults()).withSeed(seed);
  }

  /** All that it had, because one of a method replaces that of the class. */
  private static String annotation(RdmaDevice wanted, long seed) {
    StringJoiner elements = new StringJoiner(", ", "@RdmaDevice(", ")");
    if (!wanted.value().equals(RdmaExtension.OWN_DEVICE)) {
      elements.add("value = \"" + wanted.value() + "\"");
    }
    elements.add("faults = \"" + wanted.faults() + "\"");
    elements.add("seed = " + seed + (seed == (int) seed ? "" : "L"));
    if (!wanted.capture()) {
      elements.add("capture = false");
    }
    return elements.toString();
  }

  FaultSpec spec() {
    return spec;
  }

  /** The annotation that gives the same faults again, unless that of the test does so. */
  Optional<String> repetition() {
    return Optional.ofNullable(repetition);
  }
}
