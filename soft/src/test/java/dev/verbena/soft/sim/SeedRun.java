package dev.verbena.soft.sim;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Runs a seed, and returns its failure. */
public final class SeedRun implements LongFunction<@Nullable Throwable> {
  /** One for any number of seeds. */
  public SeedRun() {}

  /** Returns null if the devices and the model always agreed. */
  @Override
  public @Nullable Throwable apply(long seed) {
    try (Simulation simulation = new Simulation(seed)) {
      simulation.run();
      return null;
    } catch (RuntimeException | AssertionError e) {
      return e;
    }
  }
}
