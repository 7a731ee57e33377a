package dev.verbena.soft.sim;

import dev.verbena.soft.fuzz.Insider;
import dev.verbena.soft.fuzz.Meter;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs a seed under two attacks, and returns its failure: a {@link Simulation} in front of one who
 * guesses, and an {@link Insider}.
 */
public final class AttackRun implements LongFunction<@Nullable Throwable> {
  /** Packets of the insider. */
  private static final int PACKETS = 10_000;

  private final Meter meter;
  private long sent;

  /** One for any number of seeds. */
  public AttackRun() {
    this(Meter.ofMemory());
  }

  /** One that judges the steps of devices by this meter. */
  AttackRun(Meter meter) {
    this.meter = meter;
  }

  @Override
  public @Nullable Throwable apply(long seed) {
    try {
      guess(seed);
      know(seed);
      return null;
    } catch (RuntimeException | Error e) {
      // Whatever it is, the seed belongs to it.
      return e;
    }
  }

  /** Packets of the attackers so far. */
  long sent() {
    return sent;
  }

  private void guess(long seed) {
    try (Simulation simulation = Simulation.attacked(seed)) {
      simulation.run();
      sent += simulation.attacks();
    }
  }

  private void know(long seed) {
    try (Insider insider = new Insider(seed, meter)) {
      sent += insider.run(PACKETS);
    }
  }
}
