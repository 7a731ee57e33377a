package dev.verbena.soft.device;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WorkCompletion;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue pair that is its own peer, with memory and a separate device. */
record ConnectedQp(
    Context context, ProtectionDomain pd, CompletionQueue cq, QueuePairEx qp, MemoryRegion mr)
    implements AutoCloseable {
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final long DEADLINE_NANOS = 10_000_000_000L;

  /** Allows everything to peers. */
  static final int ACCESS = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  /** An address that no test of another process uses at the same time. */
  static String address(int host) {
    return "127.201." + ProcessHandle.current().pid() % 250 + "." + (host % 250 + 1);
  }

  /** Opens a queue pair of these sizes for these operations. */
  static ConnectedQp open(String options, QpCap cap, int... sendOps) {
    int host = NEXT.incrementAndGet();
    Context context = Devices.open("soft:" + address(host) + options);
    ProtectionDomain pd = context.allocPd();
    CompletionQueue cq = context.createCq(256);
    QueuePairEx qp = pd.createQpEx(QpInitAttr.rc(cq).cap(cap).sendOps(sendOps));
    MemoryRegion mr = pd.allocMr(4096, Access.LOCAL_WRITE, ACCESS);
    qp.connect(qp.endpoint(), ACCESS);
    return new ConnectedQp(context, pd, cq, qp, mr);
  }

  /** Another queue pair that is its own peer, with the same memory, and a shared receive queue. */
  ConnectedQp sharing(SharedReceiveQueue srq) {
    QpInitAttr init = qp.queryInit().srq(srq);
    QueuePairEx next = pd.createQpEx(init);
    next.connect(next.endpoint(), ACCESS);
    return new ConnectedQp(context, pd, cq, next, mr);
  }

  /** The next completion. */
  WorkCompletion awaitCompletion() {
    WorkCompletion wc = new WorkCompletion();
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (!cq.poll(wc)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("no completion");
      }
      Thread.onSpinWait();
    }
    return wc;
  }

  @Override
  public void close() {
    context.close();
  }
}
