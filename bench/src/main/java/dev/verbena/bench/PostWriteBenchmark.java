package dev.verbena.bench;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * Lists of RC WRITEs of 8 bytes over the loopback, the last one signaled, and the poll of its
 * completion. One operation is one list. Run with the GC profiler: nothing may be allocated.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class PostWriteBenchmark {
  private static final int BYTES = 8;

  /** Work requests of a list. */
  @Param({"1", "32"})
  public int list;

  // Set by open(), which JMH calls first.
  @SuppressWarnings("NullAway.Init")
  private LoopbackPair pair;

  @SuppressWarnings("NullAway.Init")
  private QueuePairEx qp;

  private @Nullable SendWr first;

  private int lkey;
  private int rkey;
  private long from;
  private long to;

  /** Opens the device and connects two queue pairs. */
  @Setup
  public void open() {
    pair = new LoopbackPair("soft0", 4096);
    qp = pair.near().qp();
    MemoryRegion source = pair.near().source();
    MemoryRegion target = pair.far().target();
    lkey = source.lkey();
    rkey = target.rkey();
    from = source.addr();
    to = target.addr();
    SendWr wr = null;
    for (int i = list - 1; i >= 0; i--) {
      wr =
          new SendWr()
              .wrId(i)
              .opcode(WrOpcode.RDMA_WRITE)
              .sendFlags(i == list - 1 ? SendFlags.SIGNALED : 0)
              .remoteAddr(to)
              .rkey(rkey)
              .sgList(new Sge(from, BYTES, lkey))
              .next(wr);
    }
    first = wr;
  }

  /** Closes the device. */
  @TearDown
  public void close() {
    pair.close();
  }

  /** The extended API: wrStart … wrComplete. */
  @Benchmark
  public WorkCompletion wrRdmaWrite() {
    qp.wrStart();
    for (int i = 0; i < list; i++) {
      qp.wrId(i).wrFlags(i == list - 1 ? SendFlags.SIGNALED : 0);
      qp.wrRdmaWrite(rkey, to);
      qp.wrSetSge(lkey, from, BYTES);
    }
    qp.wrComplete();
    return pair.near().await();
  }

  /** The classic API with reused work requests. */
  @Benchmark
  public WorkCompletion postSend() {
    qp.postSend(first);
    return pair.near().await();
  }
}
