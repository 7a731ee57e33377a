package dev.verbena.soft.sim;

import dev.verbena.soft.fuzz.Insider;
import dev.verbena.soft.fuzz.Meter;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compares what two devices hold after an {@link Insider}'s few packets and after many; returns a
 * failure if it has become more. Nothing else may be going on in the process.
 */
public final class GrowthRun implements LongFunction<@Nullable Throwable> {
  /** In how many packets the devices grow to their size. */
  private static final int FEW = 10_000;

  private static final int MANY = 100_000;

  /** Bytes that may be in use by chance; 32 kept for each packet are more. */
  private static final long MOST_GROWTH = 2 << 20;

  private long sent;

  /** One for any number of seeds. */
  public GrowthRun() {}

  @Override
  public @Nullable Throwable apply(long seed) {
    try (Insider insider = new Insider(seed, Meter.ofMemory())) {
      insider.run(FEW);
      long before = inUse();
      long packets = insider.run(FEW + MANY);
      long growth = inUse() - before;
      sent += packets;
      return growth > MOST_GROWTH
          ? new AssertionError(packets + " packets have left " + growth + " bytes")
          : null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  /** Packets of the attacker so far. */
  long sent() {
    return sent;
  }

  private static long inUse() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
