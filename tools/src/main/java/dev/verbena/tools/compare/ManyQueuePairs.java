package dev.verbena.tools.compare;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Many connected queue pairs of this process, on one device, which are used in turn. */
final class ManyQueuePairs implements AutoCloseable {
  private static final int BATCH = 1000;

  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final MemoryRegion region;
  private final List<QueuePair> near = new ArrayList<>();
  private final WorkCompletion wc = new WorkCompletion();
  private int next;

  private ManyQueuePairs(String device, int bytes) {
    context = Devices.open(device);
    pd = context.allocPd();
    cq = context.createCq(BATCH);
    region = pd.allocMr(2L * bytes, LOCAL_WRITE, REMOTE_WRITE);
  }

  /** Measures one WRITE after the other, each by the next pair: ns for each. */
  static Figure writes(String device, int pairs, int bytes, int seconds) {
    try (ManyQueuePairs many = new ManyQueuePairs(device, bytes)) {
      many.connect(pairs);
      return many.write(bytes, seconds);
    }
  }

  /** Measures the creation of this many pairs, in seconds, without warm-up. */
  static Figure setup(String device, int pairs) {
    try (ManyQueuePairs many = new ManyQueuePairs(device, Long.BYTES)) {
      long start = System.nanoTime();
      many.connect(pairs);
      return Figure.of((double) (System.nanoTime() - start) / TimeUnit.SECONDS.toNanos(1));
    }
  }

  /** Measures the bytes of an idle queue pair, all of which are on Java's heap. */
  static Figure memory(String device, int pairs) {
    try (ManyQueuePairs many = new ManyQueuePairs(device, Long.BYTES)) {
      // Allocates what only the first ones need.
      many.connect(1);
      double before = usedHeap();
      many.connect(pairs);
      return Figure.of((usedHeap() - before) / (2 * pairs));
    }
  }

  /** Once a collection frees nothing more: the first one leaves what cleaners let go of later. */
  private static double usedHeap() {
    double used = usedAfterCollection();
    double least = Double.MAX_VALUE;
    while (used < least) {
      least = used;
      used = usedAfterCollection();
    }
    return least;
  }

  private static double usedAfterCollection() {
    System.gc();
    return (double) ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private void connect(int pairs) {
    for (int i = 0; i < pairs; i++) {
      QueuePair one = pd.createQp(QpInitAttr.rc(cq));
      QueuePair other = pd.createQp(QpInitAttr.rc(cq));
      one.connect(other.endpoint(), REMOTE_WRITE);
      other.connect(one.endpoint(), REMOTE_WRITE);
      near.add(one);
    }
  }

  private Figure write(int bytes, int seconds) {
    SendWr wr =
        new SendWr()
            .opcode(WrOpcode.RDMA_WRITE)
            .sgList(region.sge(bytes, 0))
            .remoteAddr(region.addr() + bytes)
            .rkey(region.rkey())
            .sendFlags(SendFlags.SIGNALED);
    // A queue creates its entries on first use.
    long fresh = (long) near.size() * QpInitAttr.rc(cq).maxSendWr();
    for (long i = 0; i < fresh; i++) {
      post(wr);
    }
    Pace pace = new Pace(seconds);
    while (pace.goesOn()) {
      for (int i = 0; i < BATCH; i++) {
        post(wr);
      }
      pace.did(BATCH);
    }
    return pace.figure(TimeUnit.SECONDS.toNanos(1) / pace.perSecond());
  }

  /** Posts to the next queue pair, and waits. */
  private void post(SendWr wr) {
    near.get(next).postSend(wr);
    next = next + 1 == near.size() ? 0 : next + 1;
    while (!cq.poll(wc)) {
      Thread.onSpinWait();
    }
    if (!wc.isSuccess()) {
      throw ToolException.failure("a WRITE has failed: " + wc);
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
