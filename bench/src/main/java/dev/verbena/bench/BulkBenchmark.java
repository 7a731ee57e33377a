package dev.verbena.bench;

import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Large RC WRITEs and READs over the loopback, compared with a bare copy of the same bytes between
 * the same two regions, the floor. Only the ratio within one run is meaningful.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class BulkBenchmark {
  /** Bytes of a message. */
  @Param({"65536", "1048576"})
  public int bytes;

  // Set by open(), which JMH calls first.
  @SuppressWarnings("NullAway.Init")
  private LoopbackPair pair;

  /** Opens the device and connects two queue pairs. */
  @Setup
  public void open() {
    pair = new LoopbackPair("soft0", bytes);
  }

  /** Closes the device. */
  @TearDown
  public void close() {
    pair.close();
  }

  /** The floor. */
  @Benchmark
  public MemorySegment copy() {
    MemorySegment target = pair.far().target().memory();
    MemorySegment.copy(pair.near().source().memory(), 0, target, 0, bytes);
    return target;
  }

  /** One signaled WRITE and the poll of its completion. */
  @Benchmark
  public WorkCompletion write() {
    return pair.near().write(pair.far(), bytes);
  }

  /** One signaled READ and the poll of its completion. */
  @Benchmark
  public WorkCompletion read() {
    return pair.near().read(pair.far(), bytes);
  }
}
