package dev.verbena.bench;

import static dev.verbena.verbs.Access.LOCAL_WRITE;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.vtools.Completions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Clients that each send 8 bytes to one server and wait for its answer of 8 bytes, on two
 * processors. All wait for completions in the same way. One operation is one question with its
 * answer; the time is what a client waits. With one client the processors suffice, with four they
 * do not:
 *
 * <pre>taskset -c 0,1 bin/bench WaitingBenchmark -t 4 -prof gc</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Threads(4)
@SuppressWarnings("NullAway.Init") // set by open(), which JMH calls first
public class WaitingBenchmark {
  private static final int BYTES = 8;
  private static final int DEPTH = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How a thread waits for a completion. */
  public enum Way {
    /** It polls, and does nothing else. */
    SPIN,
    /** It sleeps on the completion channel. */
    EVENTS,
    /** {@link Completions}. */
    AWAIT
  }

  /** How all threads wait. */
  @Param public Way way = Way.SPIN;

  /** How packets travel. */
  @Param({"auto", "udp"})
  public String link = "auto";

  private final List<End> answering = new CopyOnWriteArrayList<>();
  private Context context;
  private ProtectionDomain pd;
  private CompletionQueue serverCq;
  private Thread server;

  /** A queue pair with memory and its work requests. */
  private final class End {
    private final QueuePair qp;
    private final SendWr send;
    private final RecvWr receive;

    End(CompletionQueue cq, int number) {
      qp = pd.createQp(QpInitAttr.rc(cq).maxSendWr(DEPTH).maxRecvWr(DEPTH));
      MemoryRegion memory = pd.allocMr(2 * BYTES, LOCAL_WRITE);
      receive = new RecvWr().wrId(number).sgList(memory.sge(BYTES, 0));
      send =
          new SendWr()
              .opcode(WrOpcode.SEND)
              .sendFlags(SendFlags.SIGNALED)
              .sgList(memory.sge(BYTES, BYTES));
    }
  }

  /** A client's half. */
  @State(Scope.Thread)
  public static class Client {
    private WaitingBenchmark bench;
    private CompletionQueue cq;
    private End end;
    private final WorkCompletion wc = new WorkCompletion();

    /** Connects to the server. */
    @Setup(Level.Trial)
    public void open(WaitingBenchmark of) {
      bench = of;
      cq = of.newCq();
      end = of.connect(cq);
    }

    void ask() throws InterruptedException {
      end.qp.postRecv(end.receive);
      end.qp.postSend(end.send);
      // That of the question, and that of the answer.
      bench.next(cq, wc);
      bench.next(cq, wc);
    }
  }

  /** Opens the device, and starts the thread that answers. */
  @Setup(Level.Trial)
  public void open() {
    context = Devices.open("soft0?link=" + link);
    pd = context.allocPd();
    serverCq = newCq();
    server = Thread.ofPlatform().daemon().name("server").start(this::serve);
  }

  private CompletionQueue newCq() {
    return context.createCq(DEPTH * DEPTH, context.createCompChannel());
  }

  private synchronized End connect(CompletionQueue cq) {
    End far = new End(serverCq, answering.size());
    End near = new End(cq, 0);
    far.qp.connect(near.qp.endpoint());
    near.qp.connect(far.qp.endpoint());
    far.qp.postRecv(far.receive);
    answering.add(far);
    return near;
  }

  /** Closes the device, which ends the thread. */
  @TearDown(Level.Trial)
  public void close() throws InterruptedException {
    context.close();
    server.join();
  }

  private void serve() {
    WorkCompletion wc = new WorkCompletion();
    try {
      while (true) {
        next(serverCq, wc);
        if (wc.opcode() == WcOpcode.RECV) {
          End end = answering.get((int) wc.wrId());
          end.qp.postRecv(end.receive);
          end.qp.postSend(end.send);
        }
      }
    } catch (ObjectClosedException | InterruptedException e) {
      // The end of the measurement.
    }
  }

  private void next(CompletionQueue cq, WorkCompletion wc) throws InterruptedException {
    switch (way) {
      case SPIN -> {
        while (!cq.poll(wc)) {
          Thread.onSpinWait();
        }
      }
      case EVENTS -> sleep(cq, wc);
      case AWAIT -> Completions.await(cq, wc, PATIENCE);
    }
    wc.orThrow();
  }

  private static void sleep(CompletionQueue cq, WorkCompletion wc) throws InterruptedException {
    CompletionChannel channel = cq.channel();
    while (!cq.poll(wc)) {
      cq.reqNotify();
      if (cq.poll(wc)) {
        return;
      }
      if (channel != null) {
        channel.getCqEvent().ackEvents(1);
      }
    }
  }

  /** A question and its answer. */
  @Benchmark
  public void roundTrip(Client client) throws InterruptedException {
    client.ask();
  }
}
