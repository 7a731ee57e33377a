package dev.verbena.bench;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
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
 * RC WRITEs over the loopback by one pair of queue pairs, or by each of 5,000 pairs in turn, with
 * regions of their own: the cost of an operation when its queue pair's data is in no cache.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class ManyPairsBenchmark {
  private static final int ENTRIES = 16;

  /** Pairs of queue pairs. */
  @Param({"1", "5000"})
  public int pairs;

  /** Bytes of a message. */
  @Param({"8", "4096"})
  public int bytes;

  // Set by open(), which JMH calls first.
  @SuppressWarnings("NullAway.Init")
  private Context context;

  private final List<LoopbackEnd> near = new ArrayList<>();
  private final List<LoopbackEnd> far = new ArrayList<>();
  private int next;

  /** Opens the device and connects the queue pairs. */
  @Setup
  public void open() {
    context = Devices.open("soft0");
    ProtectionDomain pd = context.allocPd();
    CompletionQueue cq = context.createCq(ENTRIES);
    for (int i = 0; i < pairs; i++) {
      near.add(new LoopbackEnd(pd, cq, bytes));
      far.add(new LoopbackEnd(pd, cq, bytes));
      LoopbackEnd.connect(near.get(i), far.get(i));
    }
  }

  /** Closes the device. */
  @TearDown
  public void close() {
    context.close();
  }

  /** One signaled WRITE by the next pair, and the poll of its completion. */
  @Benchmark
  public WorkCompletion write() {
    int pair = next;
    next = pair + 1 == pairs ? 0 : pair + 1;
    return near.get(pair).write(far.get(pair), bytes);
  }
}
