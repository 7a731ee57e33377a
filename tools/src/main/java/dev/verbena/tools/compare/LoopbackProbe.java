package dev.verbena.tools.compare;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Two connected queue pairs of this process, on one device. */
final class LoopbackProbe implements AutoCloseable {
  private static final int LIST = 32;
  private static final int SMALL = 8;
  private static final int PAGE = 4096;
  private static final int BATCH = 100;
  private static final int[] ACCESS = {
    Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC
  };

  private final Context context;
  private final ProtectionDomain pd;
  private final int seconds;
  private final End here;
  private final End there;

  /** A queue pair with memory to send from and, a page later, memory for the peer. */
  private final class End {
    private final CompletionQueue cq;
    private final MemoryRegion region;
    private final long half;
    private final QueuePair qp;
    private final WorkCompletion wc = new WorkCompletion();

    End(int bytes) {
      cq = context.createCq(LIST);
      half = Math.ceilDiv(bytes, PAGE) * (long) PAGE;
      region = pd.allocMr(2 * half, ACCESS);
      qp = pd.createQp(QpInitAttr.rc(cq).maxSendWr(LIST).maxSendSge(1));
    }

    SendWr request(WrOpcode opcode, End peer, int bytes) {
      return new SendWr()
          .opcode(opcode)
          .sgList(new Sge(region.addr(), bytes, region.lkey()))
          .remoteAddr(peer.region.addr() + peer.half)
          .rkey(peer.region.rkey())
          .sendFlags(SendFlags.SIGNALED);
    }

    MemoryPingPong pingPong(End peer) {
      return new MemoryPingPong(
          pd,
          qp,
          cq,
          region.memory().asSlice(half),
          peer.region.addr() + peer.half,
          peer.region.rkey());
    }

    void await() {
      while (!cq.poll(wc)) {
        Thread.onSpinWait();
      }
      if (wc.status() != WcStatus.SUCCESS) {
        throw ToolException.failure("a request failed: " + wc);
      }
    }
  }

  LoopbackProbe(String device, int bytes, int seconds) {
    context = Devices.open(device);
    pd = context.allocPd();
    this.seconds = seconds;
    here = new End(bytes);
    there = new End(bytes);
    QpEndpoint target = there.qp.endpoint();
    there.qp.connect(here.qp.endpoint(), ACCESS);
    here.qp.connect(target, ACCESS);
  }

  /** Measures two threads that answer each other: ns one way. */
  Figure latency() throws InterruptedException {
    MemoryPingPong leader = here.pingPong(there);
    MemoryPingPong follower = there.pingPong(here);
    Thread thread = Thread.ofPlatform().daemon().name("compare-echo").start(follower::follow);
    Figure figure = leader.lead(new Pace(seconds));
    thread.join();
    return figure;
  }

  /** Measures one large READ or WRITE after the other: GB/s. */
  Figure bulk(boolean read, int bytes) {
    SendWr request = here.request(read ? WrOpcode.RDMA_READ : WrOpcode.RDMA_WRITE, there, bytes);
    return oneByOne(request, pace -> pace.perSecond() * bytes / 1e9);
  }

  /** Measures one atomic after the other: ns for each. It adds 0, or replaces 0 by 0. */
  Figure atomic(WrOpcode opcode) {
    return oneByOne(
        here.request(opcode, there, SMALL), pace -> TimeUnit.SECONDS.toNanos(1) / pace.perSecond());
  }

  private Figure oneByOne(SendWr request, ToDoubleFunction<Pace> value) {
    Pace pace = new Pace(seconds);
    while (pace.goesOn()) {
      for (int i = 0; i < BATCH; i++) {
        here.qp.postSend(request);
        here.await();
      }
      pace.did(BATCH);
    }
    return pace.figure(value.applyAsDouble(pace));
  }

  /** Lists of WRITEs of 8 bytes, the last of each signaled: millions a second. */
  Figure lists() {
    SendWr first = here.request(WrOpcode.RDMA_WRITE, there, SMALL);
    for (int i = 1; i < LIST; i++) {
      first = here.request(WrOpcode.RDMA_WRITE, there, SMALL).sendFlags(0).next(first);
    }
    Pace pace = new Pace(seconds);
    while (pace.goesOn()) {
      for (int i = 0; i < BATCH; i++) {
        here.qp.postSend(first);
        here.await();
      }
      pace.did(BATCH * LIST);
    }
    return pace.figure(pace.perSecond() / 1e6);
  }

  @Override
  public void close() {
    context.close();
  }
}
