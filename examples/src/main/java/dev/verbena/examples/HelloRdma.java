package dev.verbena.examples;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.vtools.Completions;
import java.time.Duration;

/** The example of README.md: one queue pair writes five bytes into the memory of another. */
public final class HelloRdma {
  private HelloRdma() {}

  /** Prints {@code SUCCESS: hello}. */
  public static void main(String[] args) {
    try (Context ctx = Devices.open("soft0");
        ProtectionDomain pd = ctx.allocPd();
        CompletionQueue cq = ctx.createCq(16, ctx.createCompChannel());
        MemoryRegion src = pd.allocMr(4096, LOCAL_WRITE);
        MemoryRegion dst = pd.allocMr(4096, LOCAL_WRITE, REMOTE_WRITE);
        QueuePairEx a = pd.createQpEx(QpInitAttr.rc(cq).sendOps(SendOps.RDMA_WRITE));
        QueuePair b = pd.createQp(QpInitAttr.rc(cq))) {
      a.connect(b.endpoint());
      b.connect(a.endpoint(), REMOTE_WRITE);

      src.memory().setString(0, "hello");
      a.wrStart();
      a.wrId(1).wrFlags(SendFlags.SIGNALED);
      a.wrRdmaWrite(dst.rkey(), dst.addr());
      a.wrSetSge(src.lkey(), src.addr(), 5);
      a.wrComplete();

      WorkCompletion wc = Completions.await(cq, Duration.ofSeconds(1));
      System.out.println(wc.status() + ": " + dst.memory().getString(0));
    }
  }
}
