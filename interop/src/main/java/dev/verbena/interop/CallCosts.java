package dev.verbena.interop;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * What calls of the data path take in Java, on one thread: a poll that finds nothing, a WRITE of 8
 * bytes that is posted alone (with an eighth of a completion), and 32 of them built in a batch
 * (with one completion). Prints a line {@code NAME NANOSECONDS BYTES} for each: the best of several
 * parts, and what a call allocated on average in the part that allocated most. The program
 * interop/src/costs/calls.c does the same in C, and interop/calls compares.
 */
public final class CallCosts {
  private static final int CALLS = 640_000;
  private static final int LIST = 32;
  private static final int SIGNALED_EACH = 8;
  private static final int BYTES = 8;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Parts after which everything has been compiled. */
  private static final int WARM_UPS = 15;

  /** Something to do over and over again. */
  private interface Call {
    void run(int number);
  }

  private final CompletionQueue cq;
  private final QueuePairEx qp;
  private final MemoryRegion from;
  private final MemoryRegion to;
  private final SendWr wr;
  private final WorkCompletion wc = new WorkCompletion();

  private CallCosts(Context context) {
    ProtectionDomain pd = context.allocPd();
    cq = context.createCq(2 * LIST);
    from = pd.allocMr(4096, Access.LOCAL_WRITE);
    to = pd.allocMr(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    QpInitAttr attr = QpInitAttr.rc(cq).cap(new QpCap(2 * LIST, 1, 1, 1, 0));
    qp = pd.createQpEx(attr.sendOps(SendOps.RDMA_WRITE));
    QueuePair peer = pd.createQp(QpInitAttr.rc(cq));
    qp.connect(peer.endpoint());
    peer.connect(qp.endpoint(), Access.REMOTE_WRITE);
    wr =
        new SendWr()
            .opcode(WrOpcode.RDMA_WRITE)
            .remoteAddr(to.addr())
            .rkey(to.rkey())
            .sgList(new Sge(from.addr(), BYTES, from.lkey()));
  }

  /**
   * The arguments are a device and a number of parts.
   *
   * @throws AssertionError if a call does what it should not
   */
  public static void main(String[] arguments) {
    int parts = Integer.parseInt(arguments[1]);
    try (Context context = Devices.open(arguments[0])) {
      CallCosts costs = new CallCosts(context);
      costs.measure("empty-poll", parts, CALLS, _ -> costs.pollInVain());
      costs.measure("post-one", parts, CALLS, costs::postOne);
      costs.measure("batch-of-32", parts, CALLS / LIST, _ -> costs.batch());
    }
  }

  private void measure(String name, int parts, int calls, Call call) {
    double best = Double.MAX_VALUE;
    double allocated = 0;
    for (int part = -WARM_UPS; part < parts; part++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      for (int i = 1; i <= calls; i++) {
        call.run(i);
      }
      double nanos = (double) (System.nanoTime() - start) / calls;
      double bytes = (double) (THREADS.getCurrentThreadAllocatedBytes() - before) / calls;
      if (part >= 0) {
        best = Math.min(best, nanos);
        allocated = Math.max(allocated, bytes);
      }
    }
    System.out.println(String.format(Locale.ROOT, "%s %.1f %.3f", name, best, allocated));
  }

  private void pollInVain() {
    require(!cq.poll(wc), "a completion of nothing");
  }

  private void postOne(int number) {
    boolean signaled = number % SIGNALED_EACH == 0;
    qp.postSend(wr.sendFlags(signaled ? SendFlags.SIGNALED : 0));
    if (signaled) {
      complete();
    }
  }

  private void batch() {
    int lkey = from.lkey();
    int rkey = to.rkey();
    long source = from.addr();
    long target = to.addr();
    qp.wrStart();
    for (int n = 1; n <= LIST; n++) {
      qp.wrId(n).wrFlags(n == LIST ? SendFlags.SIGNALED : 0);
      qp.wrRdmaWrite(rkey, target);
      qp.wrSetSge(lkey, source, BYTES);
    }
    qp.wrComplete();
    complete();
  }

  private void complete() {
    while (!cq.poll(wc)) {
      Thread.onSpinWait();
    }
    require(wc.isSuccess(), "a request failed");
  }

  private static void require(boolean isTrue, String otherwise) {
    if (!isTrue) {
      throw new AssertionError(otherwise);
    }
  }
}
