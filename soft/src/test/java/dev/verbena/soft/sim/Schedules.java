package dev.verbena.soft.sim;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs any number of seeds of the simulation on all processors, and names those that fail: {@code
 * bin/torture --simulate N}.
 */
public final class Schedules {
  /** After so many failures the rest would hardly say more. */
  private static final int ENOUGH = 5;

  private final long first;
  private final long count;
  private final LongFunction<@Nullable Throwable> run;
  private final PrintStream out;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong ran = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  /**
   * Prepares a run.
   *
   * @param first seed
   * @param count seeds, one after the other
   * @param run runs a seed, and returns its failure or null; used by several threads
   * @param out where failures are reported
   */
  Schedules(long first, long count, LongFunction<@Nullable Throwable> run, PrintStream out) {
    this.first = first;
    this.count = count;
    this.run = run;
    this.out = out;
  }

  /**
   * Runs seeds, prints the result, and ends with status 1 if one has failed.
   *
   * @param arguments the number of seeds, and the first if it is not to come from the clock
   */
  public static void main(String[] arguments) throws InterruptedException {
    long count = Long.parseLong(arguments[0]);
    long first =
        arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime() & 0xffff_ffff_ffffL;
    Schedules schedules = new Schedules(first, count, new SeedRun(), System.out);
    long begin = System.nanoTime();
    boolean held = schedules.run(Runtime.getRuntime().availableProcessors());
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "%s: %d schedules, %d failed, %.1f s, %.0f/s, seed %d%n",
        held ? "held" : "FAILED",
        schedules.ran.get(),
        schedules.failed.get(),
        seconds,
        schedules.ran.get() / seconds,
        first);
    System.exit(held ? 0 : 1);
  }

  /** Runs all seeds, or until some have failed; whether there were any and all held. */
  boolean run(int threads) throws InterruptedException {
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(Thread.ofPlatform().name("schedules " + i).start(this::work));
    }
    for (Thread worker : workers) {
      worker.join();
    }
    return ran.get() == count && count > 0 && failed.get() == 0;
  }

  private void work() {
    for (long i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
      if (failed.get() >= ENOUGH) {
        return;
      }
      Throwable problem = attempt(first + i);
      ran.incrementAndGet();
      if (problem != null) {
        failed.incrementAndGet();
        report(first + i, problem);
      }
    }
  }

  /** A thread that died of an Error would otherwise leave the rest undone, and say nothing. */
  private @Nullable Throwable attempt(long seed) {
    try {
      return run.apply(seed);
    } catch (Error e) {
      return e;
    }
  }

  private void report(long seed, Throwable problem) {
    synchronized (out) {
      out.printf("seed %d failed; to repeat: bin/torture --simulate 1 --seed %d%n", seed, seed);
      problem.printStackTrace(out);
    }
  }
}
