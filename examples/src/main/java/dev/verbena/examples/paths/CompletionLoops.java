package dev.verbena.examples.paths;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.vtools.BufferPool;
import dev.verbena.verbs.vtools.CqPoller;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows how to sleep until something completes: with a selector, which can watch other channels
 * too, and with a poller.
 */
public final class CompletionLoops {

  /** Runs the example; its argument is a device or a port. */
  public static void main(String[] args) throws IOException {
    run(args.length == 0 ? "soft0" : args[0], System.out);
  }

  static void run(String name, PrintStream out) throws IOException {
    try (Context ctx = Rdma.getVerbs(Rdma.getEndPort(name));
        Selector selector = Selector.open()) {
      ProtectionDomain pd = ctx.allocPd();
      CompletionChannel cc = ctx.createCompChannel();
      CompletionQueue cq = ctx.createCq(32, cc);
      QueuePair qp = establish(SelfLoop.in(pd, cq));
      BufferPool pool = new BufferPool(pd, 8, 64);
      pool.postRecvs(qp, 4);

      cc.registerPoll(selector);
      cq.reqNotify();
      qp.postSend(pool.makeSendWr(pool.pop(), 5));
      for (int left = 2; left > 0; ) {
        List<WorkCompletion> wcs = completions(selector, cc);
        wcs.forEach(wc -> out.println("selected " + wc.orThrow().opcode()));
        pool.finishWcs(qp, wcs);
        left -= wcs.size();
      }

      qp.postSend(pool.makeSendWr(pool.pop(), 5));
      try (CqPoller poller = new CqPoller(cq)) {
        for (WorkCompletion wc : poller.iterwc(2, Duration.ofSeconds(10))) {
          out.println("polled " + wc.orThrow().opcode());
          pool.finishWcs(qp, wc);
        }
      }
    }
  }

  private static QueuePair establish(SelfLoop loop) {
    IbPath path = loop.path();
    loop.qp().establish(path);
    return loop.qp();
  }

  /** The new completions, after a queue of the channel has raised an event. */
  private static List<WorkCompletion> completions(Selector selector, CompletionChannel cc)
      throws IOException {
    List<WorkCompletion> wcs = new ArrayList<>();
    while (wcs.isEmpty()) {
      selector.select(
          key -> {
            CompletionQueue cq = cc.checkPoll(key);
            if (cq != null) {
              // Arm before polling, so that a completion in between raises another event.
              cq.reqNotify();
              wcs.addAll(cq.poll(-1));
            }
          });
    }
    return wcs;
  }

  private CompletionLoops() {}
}
