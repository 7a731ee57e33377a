package dev.verbena.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.path.Paths;
import dev.verbena.verbs.vtools.BufferPool;
import dev.verbena.verbs.vtools.CqPoller;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * A message from a {@link BufferPool} and back to it, over the loopback: a buffer is popped, filled
 * and sent; a {@link CqPoller} returns the completions of the SEND and of the receive; the pool
 * takes both buffers back, and posts the receive again. One operation is one message. Run with the
 * GC profiler: only {@link #loopForEachMessage} may allocate, for the loop.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // set by open(), which JMH calls first
public class PoolBenchmark {
  private static final int BUFFERS = 64;
  private static final int BYTES = 256;

  private final byte[] text = "a message of some bytes".getBytes(US_ASCII);
  private Context context;
  private BufferPool pool;
  private CqPoller poller;
  private Iterator<WorkCompletion> steps;
  private QueuePair sender;
  private QueuePair receiver;
  private QueuePair datagrams;
  private IbPath path;

  /** Opens the device, connects two queue pairs, and makes one for datagrams to itself. */
  @Setup(Level.Trial)
  public void open() {
    EndPort endPort = Rdma.getEndPort("soft0");
    context = Rdma.getVerbs(endPort);
    ProtectionDomain pd = context.allocPd();
    CompletionQueue cq = context.createCq(2 * BUFFERS, context.createCompChannel());
    pool = new BufferPool(pd, BUFFERS, BYTES);
    poller = new CqPoller(cq);
    steps = poller.iterwc().iterator();
    sender = pd.createQp(QpInitAttr.rc(cq));
    receiver = pd.createQp(QpInitAttr.rc(cq));
    sender.connect(receiver.endpoint());
    receiver.connect(sender.endpoint());
    pool.postRecvs(receiver, BUFFERS / 4);
    datagrams = pd.createQp(QpInitAttr.ud(cq));
    path =
        Paths.resolveLocally(
            Paths.from(endPort)
                .copy(b -> b.dgid(endPort.defaultGid()).dqpn(datagrams.qpNum()).qkey(0x1111)));
    datagrams.establish(path);
    pool.postRecvs(datagrams, BUFFERS / 4);
  }

  /** Closes the device. */
  @TearDown
  public void close() {
    poller.close();
    context.close();
  }

  private SendWr filled() {
    int buffer = pool.pop();
    return pool.makeSendWr(buffer, pool.copyTo(text, buffer));
  }

  /** One loop over completions for all messages. */
  @Benchmark
  public void message() {
    sender.postSend(filled());
    pool.finishWcs(receiver, steps.next());
    pool.finishWcs(receiver, steps.next());
  }

  /** A datagram along a path, with the address handle that the path caches. */
  @Benchmark
  public void datagram() {
    int buffer = pool.pop();
    int length = pool.copyTo(text, buffer);
    datagrams.postSend(pool.makeSendWr(buffer, length, path));
    pool.finishWcs(datagrams, steps.next());
    pool.finishWcs(datagrams, steps.next());
  }

  /** A loop of its own for each message. */
  @Benchmark
  public void loopForEachMessage() {
    sender.postSend(filled());
    for (WorkCompletion wc : poller.iterwc(2)) {
      pool.finishWcs(receiver, wc);
    }
  }
}
