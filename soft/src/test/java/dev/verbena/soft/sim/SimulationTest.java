package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random runs. {@code -Dverbena.sim.seeds=N} runs N seeds instead of 1000, {@code
 * -Dverbena.sim.first=S} starts at seed S; a failure names its seed.
 */
class SimulationTest {
  private static final int SEEDS = Integer.getInteger("verbena.sim.seeds", 1000);
  private static final long FIRST = Long.getLong("verbena.sim.first", 1);
  private static final int CHUNKS = Math.min(20, SEEDS);
  private static final int SEEDS_FOR_A_MISTAKE = 1000;

  static IntStream chunks() {
    return IntStream.range(0, CHUNKS);
  }

  @ParameterizedTest
  @MethodSource("chunks")
  @Proves({"S12.11", "S1.5.6", "S1.6.1"})
  void whateverTheNetworkDoesTheDevicesAgreeWithTheModel(int chunk) {
    SeedRun run = new SeedRun();
    for (long seed = FIRST + chunk; seed < FIRST + SEEDS; seed += CHUNKS) {
      Throwable problem = run.apply(seed);
      if (problem != null) {
        throw new AssertionError(
            "seed "
                + seed
                + " (run it alone with -Dverbena.sim.seeds=1 -Dverbena.sim.first="
                + seed
                + ")",
            problem);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Mistake.class)
  void aDeliberateMistakeIsNoticed(Mistake mistake) {
    LongFunction<@Nullable Throwable> run = new MistakenClasses(mistake.mutation()).newSeedRun();
    for (long seed = 1; seed <= SEEDS_FOR_A_MISTAKE; seed++) {
      if (run.apply(seed) instanceof AssertionError) {
        return;
      }
    }
    assertThat(SEEDS_FOR_A_MISTAKE).as("seeds in which %s was noticed", mistake).isNegative();
  }
}
