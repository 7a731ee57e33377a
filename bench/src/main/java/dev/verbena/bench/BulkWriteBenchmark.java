package dev.verbena.bench;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
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
 * Large RC WRITEs over the loopback beside a bare copy of the same bytes between the same two
 * regions: the floor. What counts is the ratio of the two in one run.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 3, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class BulkWriteBenchmark {
  /** Bytes of a message. */
  @Param({"65536", "1048576"})
  public int bytes;

  // Set by open(), which JMH calls first.
  @SuppressWarnings("NullAway.Init")
  private LoopbackPair pair;

  @SuppressWarnings("NullAway.Init")
  private QueuePairEx qp;

  /** Opens the device and connects two queue pairs. */
  @Setup
  public void open() {
    pair = new LoopbackPair("soft0", bytes);
    qp = pair.qp();
    pair.source().memory().fill((byte) 1);
    pair.target().memory().fill((byte) 2);
  }

  /** Closes the device. */
  @TearDown
  public void close() {
    pair.close();
  }

  /** The floor. */
  @Benchmark
  public MemorySegment copy() {
    MemorySegment target = pair.target().memory();
    MemorySegment.copy(pair.source().memory(), 0, target, 0, bytes);
    return target;
  }

  /** One signaled WRITE and the poll of its completion. */
  @Benchmark
  public WorkCompletion write() {
    qp.wrStart();
    qp.wrFlags(SendFlags.SIGNALED);
    qp.wrRdmaWrite(pair.target().rkey(), pair.target().addr());
    qp.wrSetSge(pair.source().lkey(), pair.source().addr(), bytes);
    qp.wrComplete();
    return pair.await();
  }
}
