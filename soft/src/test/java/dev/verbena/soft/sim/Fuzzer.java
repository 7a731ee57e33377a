package dev.verbena.soft.sim;

import dev.verbena.soft.fuzz.Meter;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs one seed after the other until attackers have sent a number of packets; {@code bin/fuzz}
 * starts it. See {@link AttackRun}. Beside what tests require on a busy computer, no step of the
 * devices may take long, and a device under attack may not hold more and more.
 */
final class Fuzzer {
  private static final double NANOS = 1e9;

  /**
   * CPU time of a step, in nanoseconds: a thousand times what it takes, since the compiler and the
   * collector may come in between.
   */
  private static final long MOST_NANOS = 200_000_000;

  /** The first seeds load and compile the code. */
  private static final int WARM_UP = 20;

  /** So many seeds from one look at what a device holds to the next. */
  private static final int INTERVAL = 500;

  private final Meter meter = Meter.ofMemoryAndTime(MOST_NANOS);
  private final AttackRun slow = new AttackRun();
  private final AttackRun quick = new AttackRun(meter);
  private final GrowthRun growth = new GrowthRun();

  /** Arguments: the number of packets, and the first seed. */
  public static void main(String[] arguments) {
    new Fuzzer().run(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]));
  }

  private void run(long packets, long first) {
    long start = System.nanoTime();
    long seed = first;
    while (sent() < packets) {
      long done = seed - first;
      require(done < WARM_UP ? slow : quick, seed);
      if (done % INTERVAL == WARM_UP) {
        require(growth, seed);
      }
      seed++;
    }
    double seconds = (System.nanoTime() - start) / NANOS;
    System.out.printf(
        "%,d packets, seeds %d to %d, %.0f s, %,.0f packets a second;"
            + " at most %,d bytes and %,d us of CPU time in one step%n",
        sent(),
        first,
        seed - 1,
        seconds,
        sent() / seconds,
        meter.mostBytes(),
        meter.mostNanos() / 1000);
  }

  private void require(LongFunction<@Nullable Throwable> run, long seed) {
    Throwable problem = run.apply(seed);
    if (problem != null) {
      throw new AssertionError("seed " + seed + ", after " + sent() + " packets", problem);
    }
  }

  private long sent() {
    return slow.sent() + quick.sent() + growth.sent();
  }

  private Fuzzer() {}
}
