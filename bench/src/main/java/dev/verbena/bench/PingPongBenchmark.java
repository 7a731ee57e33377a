package dev.verbena.bench;

import dev.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Two threads that answer each other, each waiting for 8 bytes in its memory. The floor is a store
 * to the other's memory, the hand-off of a cache line. One operation is one direction. Needs two
 * otherwise idle processors.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class PingPongBenchmark {
  /** How the 8 bytes are sent. */
  public enum Way {
    /** By a store: the floor. */
    HAND_OFF,
    /** By a signaled RC WRITE, whose completion is polled, as in ib_write_lat. */
    WRITE
  }

  private static final int WAYS = 2;
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final long END = -1;

  /** How the 8 bytes are sent. */
  @Param public Way way = Way.HAND_OFF;

  // Set by open(), which JMH calls first.
  @SuppressWarnings("NullAway.Init")
  private LoopbackPair pair;

  @SuppressWarnings("NullAway.Init")
  private Thread echo;

  private long number;

  /** Opens the device, connects two queue pairs, and starts the thread that answers. */
  @Setup(Level.Trial)
  public void open() {
    pair = new LoopbackPair("soft0", Long.BYTES);
    set(pair.near().target().memory(), 0);
    set(pair.far().target().memory(), 0);
    echo = new Thread(this::answer, "echo");
    echo.start();
  }

  /** Ends the thread, and closes the device. */
  @TearDown(Level.Trial)
  public void close() throws InterruptedException {
    set(pair.far().target().memory(), END);
    echo.join();
    pair.close();
  }

  /** There and back. */
  @Benchmark
  @OperationsPerInvocation(WAYS)
  public long roundTrip() {
    number++;
    give(pair.near(), pair.far(), number);
    return await(pair.near(), number);
  }

  private void answer() {
    long expected = 1;
    while (await(pair.far(), expected) != END) {
      give(pair.far(), pair.near(), expected);
      expected++;
    }
  }

  private void give(LoopbackEnd from, LoopbackEnd to, long value) {
    switch (way) {
      case HAND_OFF -> set(to.target().memory(), value);
      case WRITE -> {
        MemoryRegion source = from.source();
        source.memory().set(ValueLayout.JAVA_LONG, 0, value);
        from.write(to, Long.BYTES);
      }
    }
  }

  private static void set(MemorySegment memory, long value) {
    LONG.setRelease(memory, 0L, value);
  }

  private static long await(LoopbackEnd at, long expected) {
    MemorySegment memory = at.target().memory();
    long seen = (long) LONG.getAcquire(memory, 0L);
    while (seen != expected && seen != END) {
      Thread.onSpinWait();
      seen = (long) LONG.getAcquire(memory, 0L);
    }
    return seen;
  }
}
