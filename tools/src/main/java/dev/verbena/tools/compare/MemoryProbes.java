package dev.verbena.tools.compare;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** The limits of memory and caches, without a device. */
final class MemoryProbes {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final int PAGE = 4096;
  private static final int APART = 256;
  private static final int BATCH = 100;
  private static final long TURNS = 10_000;
  private static final int LOOKS = 100;
  private static final int LOOK_TURNS = 1_000;

  /** Measures one MemorySegment.copy after the other: GB/s. */
  static Figure copy(int bytes, int seconds) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocate(bytes, PAGE).fill((byte) 1);
      MemorySegment to = arena.allocate(bytes, PAGE).fill((byte) 2);
      Pace pace = new Pace(seconds);
      while (pace.goesOn()) {
        for (int i = 0; i < BATCH; i++) {
          MemorySegment.copy(from, 0, to, 0, bytes);
        }
        pace.did(BATCH);
      }
      return Figure.of(pace.perSecond() * bytes / 1e9);
    }
  }

  /** Measures one fetch-and-add of the processor after the other: ns. */
  static Figure fetchAdd(int seconds) {
    return atomic(seconds, (word, turn) -> (long) LONG.getAndAdd(word, 0L, 1L));
  }

  /** Measures one compare-and-swap of the processor after the other, which all succeed: ns. */
  static Figure compareAndSwap(int seconds) {
    return atomic(
        seconds, (word, turn) -> (long) LONG.compareAndExchange(word, 0L, turn, turn + 1));
  }

  private interface Operation {
    long on(MemorySegment word, long turn);
  }

  private static Figure atomic(int seconds, Operation operation) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment word = arena.allocate(APART, APART);
      Pace pace = new Pace(seconds);
      long turn = 0;
      while (pace.goesOn()) {
        for (long end = turn + TURNS; turn < end; turn++) {
          if (operation.on(word, turn) != turn) {
            throw new IllegalStateException("another thread has changed the word");
          }
        }
        pace.did(TURNS);
      }
      return Figure.of(1e9 / pace.perSecond());
    }
  }

  /** Measures two threads that answer each other by a counter in a cache line each: ns one way. */
  static Figure handOff(int seconds) {
    Pace pace = new Pace(seconds);
    try (Echo echo = new Echo()) {
      while (pace.goesOn()) {
        echo.exchange(TURNS);
        pace.did(TURNS);
      }
    }
    return Figure.of(1e9 / pace.perSecond() / 2);
  }

  /**
   * How long a cache line takes from one processor to another one now: the least of many short
   * measurements, because any of them may be interrupted.
   *
   * @return nanoseconds; 0 if there is one processor
   */
  static double handOffNow() {
    if (Runtime.getRuntime().availableProcessors() == 1) {
      return 0;
    }
    long least = Long.MAX_VALUE;
    try (Echo echo = new Echo()) {
      for (int look = 0; look < LOOKS; look++) {
        long start = System.nanoTime();
        echo.exchange(LOOK_TURNS);
        least = Math.min(least, System.nanoTime() - start);
      }
    }
    return least / (2.0 * LOOK_TURNS);
  }

  /** A thread that answers each number in a cache line by the same number in another one. */
  private static final class Echo implements AutoCloseable {
    /** Freed by the garbage collector, because the thread looks at it until it has ended. */
    private final MemorySegment lines = Arena.ofAuto().allocate(2 * APART, APART);

    private long turn;

    Echo() {
      Thread.ofPlatform().daemon().name("compare-echo").start(() -> echo(lines));
    }

    /** Passes so many numbers there and back. */
    void exchange(long turns) {
      for (long end = turn + turns; turn < end; ) {
        LONG.setRelease(lines, 0L, ++turn);
        await(lines, APART, turn);
      }
    }

    @Override
    public void close() {
      LONG.setRelease(lines, 0L, -1L);
    }
  }

  private static void echo(MemorySegment lines) {
    for (long turn = 1; await(lines, 0, turn); turn++) {
      LONG.setRelease(lines, (long) APART, turn);
    }
  }

  /** Waits for a turn; false if the other thread stops. */
  private static boolean await(MemorySegment lines, long offset, long turn) {
    while (true) {
      long seen = (long) LONG.getAcquire(lines, offset);
      if (seen == turn) {
        return true;
      }
      if (seen < 0) {
        return false;
      }
      Thread.onSpinWait();
    }
  }

  private MemoryProbes() {}
}
