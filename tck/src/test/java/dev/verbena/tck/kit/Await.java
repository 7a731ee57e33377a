package dev.verbena.tck.kit;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions, never for a fixed time; the deadline only ends a hopeless wait. */
public final class Await {
  /** How long a condition may take on a very busy computer. */
  public static final Duration DEADLINE = Duration.ofSeconds(10);

  private static final int SPINS = 200;
  private static final long PAUSE_NANOS = 20_000;

  /** Waits until the condition holds. */
  public static void until(String what, BooleanSupplier condition) {
    until(() -> what, condition);
  }

  /** Waits until the condition holds; the text is computed only on a timeout. */
  public static void until(Supplier<String> what, BooleanSupplier condition) {
    until(DEADLINE, what, condition);
  }

  /** As {@link #until(Supplier, BooleanSupplier)}, with another deadline. */
  public static void until(Duration deadline, Supplier<String> what, BooleanSupplier condition) {
    long start = System.nanoTime();
    for (int tries = 0; !condition.getAsBoolean(); tries++) {
      if (System.nanoTime() - start > deadline.toNanos()) {
        throw new AssertionError("waited " + deadline.toSeconds() + " s for " + what.get());
      }
      if (tries < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** Polls for the next completion. */
  public static WorkCompletion completion(CompletionQueue cq, String what) {
    WorkCompletion wc = new WorkCompletion();
    until(() -> "the completion of " + what, () -> cq.poll(wc));
    return wc;
  }

  /** Polls for the next {@code count} completions. */
  public static List<WorkCompletion> completions(CompletionQueue cq, int count, String what) {
    List<WorkCompletion> all = new ArrayList<>(count);
    while (all.size() < count) {
      all.add(completion(cq, what + ", " + all.size() + " of " + count + " so far " + all));
    }
    return all;
  }

  private Await() {}
}
