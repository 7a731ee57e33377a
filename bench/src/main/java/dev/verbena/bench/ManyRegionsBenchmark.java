package dev.verbena.bench;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.Arena;
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
 * RC WRITEs of 8 bytes over the loopback on a device that has one region or many besides the
 * sender's own: all to one of them, or to each in turn, which then is in no cache.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ManyRegionsBenchmark {
  private static final int BYTES = 8;

  /** A cache line, so that no two regions share one. */
  private static final int DISTANCE = 64;

  /** From one region to the next in turn: a prime number, which no prefetcher follows. */
  private static final int STEP = 7919;

  /** Regions that may be written to. */
  @Param({"1", "100000"})
  public int regions;

  // Set by open(), which JMH calls first.
  @SuppressWarnings("NullAway.Init")
  private LoopbackPair pair;

  private int[] rkeys = new int[0];
  private long base;
  private int next;

  /** Opens the device, connects two queue pairs and registers the regions. */
  @Setup
  public void open() {
    pair = new LoopbackPair("soft0", BYTES);
    MemorySegment memory = Arena.global().allocate((long) regions * DISTANCE, DISTANCE);
    base = memory.address();
    rkeys = new int[regions];
    for (int i = 0; i < regions; i++) {
      MemorySegment part = memory.asSlice((long) i * DISTANCE, BYTES);
      MemoryRegion region = pair.pd().regMr(part, LOCAL_WRITE, REMOTE_WRITE);
      rkeys[i] = region.rkey();
    }
  }

  /** Closes the device. */
  @TearDown
  public void close() {
    pair.close();
  }

  private WorkCompletion write(int region) {
    QueuePairEx qp = pair.near().qp();
    MemoryRegion source = pair.near().source();
    qp.wrStart();
    qp.wrFlags(SendFlags.SIGNALED);
    qp.wrRdmaWrite(rkeys[region], base + (long) region * DISTANCE);
    qp.wrSetSge(source.lkey(), source.addr(), BYTES);
    qp.wrComplete();
    return pair.near().await();
  }

  /** One signaled WRITE to the first region, and the poll of its completion. */
  @Benchmark
  public WorkCompletion toOne() {
    return write(0);
  }

  /** The same, to the next region. */
  @Benchmark
  public WorkCompletion toEachInTurn() {
    next = (next + STEP) % regions;
    return write(next);
  }
}
