package dev.verbena.bench;

import dev.verbena.verbs.WorkCompletion;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Two threads that WRITE 8 bytes to each other over the loopback, signaled, and do not wait for
 * each other, beside a thread that writes alone. A WRITE takes as long in both cases if the two
 * ends of a connection share no cache line.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Group)
public class BothWaysBenchmark {
  // Set by open(), which JMH calls first.
  @SuppressWarnings("NullAway.Init")
  private LoopbackPair pair;

  /** Opens the device and connects two queue pairs. */
  @Setup(Level.Trial)
  public void open() {
    pair = new LoopbackPair("soft0", Long.BYTES);
  }

  /** Closes the device. */
  @TearDown(Level.Trial)
  public void close() {
    pair.close();
  }

  /** One thread. */
  @Benchmark
  @Group("alone")
  public WorkCompletion alone() {
    return pair.near().write(pair.far(), Long.BYTES);
  }

  /** One of two threads. */
  @Benchmark
  @Group("both")
  public WorkCompletion there() {
    return pair.near().write(pair.far(), Long.BYTES);
  }

  /** The other one. */
  @Benchmark
  @Group("both")
  public WorkCompletion back() {
    return pair.far().write(pair.near(), Long.BYTES);
  }
}
