package dev.verbena.examples;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.vtools.Completions;
import java.io.PrintStream;
import java.time.Duration;

/**
 * Writes 4 MiB over a network that loses 2 % of the packets, and asks the counters what became of
 * them. A reliable connection delivers all bytes, and what it costs is told by the counters only,
 * for no completion says how often a request was sent. In tests, use {@code @RdmaDevice(faults =
 * "drop:0.02")} and {@code assertFaultsFired()} of verbena-junit.
 */
public final class LossAndCounters {
  private static final int MESSAGE = 64 << 10;
  private static final int MESSAGES = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Runs the example; its argument is a device with faults. */
  public static void main(String[] args) {
    run(args.length == 0 ? "soft:new?faults=drop:0.02,seed:7" : args[0], System.out);
  }

  static void run(String device, PrintStream out) {
    try (Context ctx = Devices.open(device)) {
      ProtectionDomain pd = ctx.allocPd();
      CompletionQueue cq = ctx.createCq(16, ctx.createCompChannel());
      MemoryRegion from = pd.allocMr(MESSAGE, LOCAL_WRITE);
      MemoryRegion to = pd.allocMr((long) MESSAGES * MESSAGE, LOCAL_WRITE, REMOTE_WRITE);
      QueuePair sender = pd.createQp(QpInitAttr.rc(cq));
      QueuePair receiver = pd.createQp(QpInitAttr.rc(cq));
      sender.connect(receiver.endpoint());
      receiver.connect(sender.endpoint(), REMOTE_WRITE);

      int wrong = 0;
      for (int i = 0; i < MESSAGES; i++) {
        long offset = (long) i * MESSAGE;
        from.memory().fill((byte) (i + 1));
        sender.postSend(
            new SendWr()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(from.sge())
                .rkey(to.rkey())
                .remoteAddr(to.addr() + offset));
        Completions.await(cq, PATIENCE);
        wrong += from.memory().mismatch(to.memory().asSlice(offset, MESSAGE)) < 0 ? 0 : 1;
      }
      out.println(MESSAGES + " messages were written, " + wrong + " of them wrong");

      Counters sent = sender.counters();
      Counters received = receiver.counters();
      tell(out, "packets in all, with answers", ctx.counters().get(Counter.PACKETS_SENT));
      tell(out, "lost on purpose", ctx.counters().get(Counter.FAULTS_DROPPED));
      tell(out, "gaps that the receiver reported", received.get(Counter.SEQUENCE_NAKS_SENT));
      tell(out, "losses that only time told", sent.get(Counter.TIMEOUTS));
      tell(out, "packets sent again", sent.get(Counter.RETRANSMITTED));
      tell(out, "of them known already", received.get(Counter.DUPLICATE_REQUESTS));
    }
  }

  private static void tell(PrintStream out, String what, long count) {
    out.printf("%6d %s%n", count, what);
  }

  private LossAndCounters() {}
}
