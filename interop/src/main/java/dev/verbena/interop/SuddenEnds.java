package dev.verbena.interop;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Keys;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program with objects of most kinds, and traffic on a connection to itself, to which something
 * happens. The arguments are a device and what happens:
 *
 * <ul>
 *   <li>{@code closed}: the context is closed under traffic, 20 times. Each thread has to end by an
 *       error that the API names.
 *   <li>{@code outside}: something else happens, which the caller causes after the line {@code
 *       READY}: the process is killed, or the device is removed. After a line of standard input it
 *       closes the context, and tells how the threads had ended until then.
 * </ul>
 */
public final class SuddenEnds {
  private static final int BYTES = 4096;
  private static final int DEPTH = 16;
  private static final int ROUNDS = 20;

  /** Writes after which traffic counts as flowing. */
  private static final long ENOUGH = 200;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Work that a thread repeats until it fails. */
  private interface Step {
    void run() throws InterruptedException;
  }

  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final CompletionChannel channel;
  private final CompletionQueue sleepy;
  private final QueuePair qp;
  private final CompletionQueueEx visited;
  private final QueuePairEx builds;
  private final MemoryRegion mr;
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> ends = new ConcurrentLinkedQueue<>();
  private final AtomicLong written = new AtomicLong();
  private final WorkCompletion wc = new WorkCompletion();

  private SuddenEnds(String device) {
    context = Devices.open(device);
    pd = context.allocPd();
    cq = context.createCq(2 * DEPTH);
    channel = context.createCompChannel();
    sleepy = context.createCq(DEPTH, channel);
    mr = pd.allocMr(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MW_BIND);
    qp = pd.createQp(QpInitAttr.rc(cq).cap(new QpCap(DEPTH, DEPTH, 1, 1, 0)));
    QueuePair peer = pd.createQp(QpInitAttr.rc(sleepy).cap(new QpCap(DEPTH, DEPTH, 1, 1, 0)));
    qp.connect(peer.endpoint(), Access.REMOTE_WRITE);
    peer.connect(qp.endpoint(), Access.REMOTE_WRITE);
    visited = context.createCqEx(new CqInitAttrEx(DEPTH));
    builds = pd.createQpEx(QpInitAttr.rc(visited).sendOps(SendOps.RDMA_WRITE));
    builds.connect(builds.endpoint(), Access.REMOTE_WRITE);
    openOthers();
  }

  /** What the traffic does not need, and ends with the context all the same. */
  private void openOthers() {
    pd.createSrq(SrqInitAttr.basic(DEPTH, 1)).postRecv(new RecvWr());
    pd.createAh(AhAttr.to(context.queryGid(1, 0)));
    pd.createQp(QpInitAttr.ud(cq));
    pd.allocMw(MwType.TYPE_1);
    MemoryWindow mw = pd.allocMw(MwType.TYPE_2);
    qp.postSend(
        new SendWr()
            .opcode(WrOpcode.BIND_MW)
            .sendFlags(SendFlags.SIGNALED)
            .mw(mw)
            .bindRkey(Keys.incRkey(mw.rkey()))
            .bindInfo(MwBindInfo.of(mr, Access.REMOTE_WRITE)));
  }

  /**
   * Runs it.
   *
   * @throws AssertionError if a thread ends otherwise than it may, or not at all
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments[1].equals("closed")) {
      for (int round = 0; round < ROUNDS; round++) {
        SuddenEnds program = new SuddenEnds(arguments[0]);
        program.start();
        program.close();
      }
      System.out.println("closed " + ROUNDS + " times");
      return;
    }
    SuddenEnds program = new SuddenEnds(arguments[0]);
    program.start();
    System.out.println("READY");
    if (System.in.read() < 0) {
      throw new AssertionError("standard input ended");
    }
    System.out.println("before the end: " + program.written + " written, " + program.ends);
    program.close();
  }

  private void start() throws InterruptedException {
    begin("writes", this::write);
    begin("completions", this::sleep);
    begin("events", this::hear);
    begin("cursor", this::visit);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (written.get() < ENOUGH) {
      require(System.nanoTime() < deadline, "traffic does not flow: " + ends);
      Thread.onSpinWait();
    }
  }

  private void begin(String name, Step step) {
    threads.add(Thread.ofPlatform().name(name).start(() -> repeat(name, step)));
  }

  private void repeat(String name, Step step) {
    try {
      while (true) {
        step.run();
      }
    } catch (RdmaException | InterruptedException e) {
      tell(name + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
    }
  }

  /** Posts as many writes as fit, and takes what has completed. */
  private void write() {
    try {
      qp.postSend(
          new SendWr()
              .opcode(WrOpcode.RDMA_WRITE)
              .sendFlags(SendFlags.SIGNALED)
              .sgList(mr.sge(BYTES / 2, 0))
              .remoteAddr(mr.addr() + BYTES / 2)
              .rkey(mr.rkey()));
    } catch (WorkRequestException e) {
      if (e.errno() != Errno.ENOMEM) {
        throw e;
      }
    }
    while (cq.poll(wc)) {
      wc.orThrow();
      written.incrementAndGet();
    }
  }

  /** Has a batch open, and then a cursor, and closes neither by itself. */
  private void visit() {
    builds.wrStart();
    builds.wrId(1).wrFlags(SendFlags.SIGNALED);
    builds.wrRdmaWrite(mr.rkey(), mr.addr() + BYTES / 2);
    builds.wrSetSge(mr.lkey(), mr.addr(), BYTES / 2);
    builds.wrComplete();
    while (!visited.startPoll()) {
      Thread.onSpinWait();
    }
    builds.wrStart();
    while (true) {
      visited.nextPoll();
    }
  }

  private void sleep() throws InterruptedException {
    sleepy.reqNotify();
    channel.getCqEvent().ackEvents(1);
  }

  private void hear() throws InterruptedException {
    try (AsyncEvent event = context.getAsyncEvent()) {
      tell("event " + event.eventType());
      require(event.eventType() != EventType.CQ_ERR, "a completion queue failed");
    }
  }

  private void close() throws InterruptedException {
    try {
      context.close();
    } catch (RdmaException e) {
      ends.add("close: " + e.getMessage());
    }
    for (Thread thread : threads) {
      require(thread.join(PATIENCE), thread.getName() + " goes on");
    }
    for (String name : List.of("writes", "completions", "events", "cursor")) {
      require(ends.stream().anyMatch(end -> end.startsWith(name + ": ")), name + " died: " + ends);
    }
  }

  private void tell(String news) {
    ends.add(news);
    System.out.println(news);
  }

  private static void require(boolean isTrue, String why) {
    if (!isTrue) {
      throw new AssertionError(why);
    }
  }
}
