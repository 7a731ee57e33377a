package dev.verbena.examples.paths;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.vtools.Completions;
import java.io.PrintStream;
import java.time.Duration;

/** Sends from memory whose region was deregistered, and shows what the exception says about it. */
public final class WcErrors {

  /** Runs the example; its argument is a device or a port. */
  public static void main(String[] args) {
    run(args.length == 0 ? "soft0" : args[0], System.out);
  }

  static void run(String name, PrintStream out) {
    try (Context ctx = Rdma.getVerbs(Rdma.getEndPort(name))) {
      ProtectionDomain pd = ctx.allocPd();
      CompletionQueue cq = ctx.createCq(32);
      SelfLoop loop = SelfLoop.in(pd, cq);
      QueuePair qp = loop.qp();
      qp.establish(loop.path());
      MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE);
      SendWr wr = new SendWr().opcode(WrOpcode.SEND).sgList(mr.sge());
      mr.close();
      qp.postSend(wr);
      try {
        Completions.await(cq, Duration.ofSeconds(10));
      } catch (WcException e) {
        out.println(e.workCompletion().status() + " of this queue pair: " + qp.equals(e.qp()));
        out.println("usually: " + e.workCompletion().status().usualCause());
      }
    }
  }

  private WcErrors() {}
}
