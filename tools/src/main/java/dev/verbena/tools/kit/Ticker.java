package dev.verbena.tools.kit;

import java.time.Duration;

/** Calls what is due again and again. */
public interface Ticker {
  /** Calls {@code tick} whenever {@code interval} has passed, until the result is closed. */
  Ticking every(Duration interval, Runnable tick);

  /** Calls that go on. */
  interface Ticking extends AutoCloseable {
    /** Ends them, without waiting for one that is under way. */
    @Override
    void close();
  }

  /** A ticker with a thread for each {@link Ticking}, which does not keep the JVM alive. */
  static Ticker byThreads() {
    return (interval, tick) ->
        Thread.ofPlatform().daemon().name("ticker").start(() -> repeat(interval, tick))::interrupt;
  }

  private static void repeat(Duration interval, Runnable tick) {
    try {
      while (true) {
        Thread.sleep(interval);
        tick.run();
      }
    } catch (InterruptedException ended) {
      // Nobody wants more of them.
    }
  }
}
