package dev.verbena.jcstress.devices;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Two connected queue pairs of one device. There are many states at a time, so they are reused. */
final class Line {
  private static final int DEPTH = 4;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
  private static final Context CONTEXT = Devices.open("soft:new");
  private static final ProtectionDomain DOMAIN = CONTEXT.allocPd();
  private static final MemoryRegion SOURCE = DOMAIN.allocMr(1 << 16, Access.LOCAL_WRITE);
  private static final ConcurrentLinkedQueue<Line> IDLE = new ConcurrentLinkedQueue<>();

  static {
    SOURCE.memory().fill((byte) 1);
  }

  private final CompletionQueue cq = CONTEXT.createCq(2 * DEPTH);
  private final QueuePair from = DOMAIN.createQp(QpInitAttr.rc(cq).maxSendWr(DEPTH));
  private final QueuePair to = DOMAIN.createQp(QpInitAttr.rc(cq).maxSendWr(DEPTH));

  private Line() {
    connect();
  }

  /** One that nobody uses. */
  static Line take() {
    Line idle = IDLE.poll();
    return idle == null ? new Line() : idle;
  }

  static ProtectionDomain domain() {
    return DOMAIN;
  }

  /** For the next state. */
  void giveBack() {
    IDLE.add(this);
  }

  private void connect() {
    from.connect(to.endpoint());
    to.connect(from.endpoint(), Access.REMOTE_WRITE);
  }

  /** Writes ones to an address of a region with this key, by a signaled request. */
  void write(int rkey, long address, int length) {
    from.postSend(
        new SendWr()
            .opcode(WrOpcode.RDMA_WRITE)
            .sendFlags(SendFlags.SIGNALED)
            .rkey(rkey)
            .remoteAddr(address)
            .sgList(SOURCE.sge(length, 0)));
  }

  /** Waits for the next completion, and returns its status; fails if none comes for long. */
  WcStatus await() {
    WorkCompletion wc = new WorkCompletion();
    long start = System.nanoTime();
    while (!cq.poll(wc)) {
      if (System.nanoTime() - start > PATIENCE) {
        throw new IllegalStateException("a request never completes");
      }
      Thread.onSpinWait();
    }
    if (wc.status() != WcStatus.SUCCESS) {
      from.modify(new QpAttr().qpState(QpState.RESET));
      to.modify(new QpAttr().qpState(QpState.RESET));
      connect();
    }
    return wc.status();
  }
}
