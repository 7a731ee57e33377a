package dev.verbena.bench;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WorkCompletion;

/** An RC queue pair with a source and a target region, and its own completion queue. */
final class LoopbackEnd {
  private final CompletionQueue cq;
  private final QueuePairEx qp;
  private final MemoryRegion source;
  private final MemoryRegion target;
  private final WorkCompletion wc = new WorkCompletion();

  LoopbackEnd(ProtectionDomain pd, CompletionQueue cq, long bytes) {
    this.cq = cq;
    qp = pd.createQpEx(QpInitAttr.rc(cq).sendOps(SendOps.RDMA_WRITE, SendOps.RDMA_READ));
    source = pd.allocMr(bytes, LOCAL_WRITE);
    target = pd.allocMr(bytes, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ);
    source.memory().fill((byte) 1);
    target.memory().fill((byte) 2);
  }

  /** Connects two, each of which may write to the other and read from it. */
  static void connect(LoopbackEnd one, LoopbackEnd other) {
    one.qp.connect(other.qp.endpoint(), REMOTE_WRITE, REMOTE_READ);
    other.qp.connect(one.qp.endpoint(), REMOTE_WRITE, REMOTE_READ);
  }

  QueuePairEx qp() {
    return qp;
  }

  /** The region that this end writes from and reads to. */
  MemoryRegion source() {
    return source;
  }

  /** The region that the other end writes to and reads from. */
  MemoryRegion target() {
    return target;
  }

  /** Writes to the other end, signaled, and spins until the completion. */
  WorkCompletion write(LoopbackEnd to, int bytes) {
    qp.wrStart();
    qp.wrFlags(SendFlags.SIGNALED);
    qp.wrRdmaWrite(to.target.rkey(), to.target.addr());
    qp.wrSetSge(source.lkey(), source.addr(), bytes);
    qp.wrComplete();
    return await();
  }

  /** Reads from the other end, signaled, and spins until the completion. */
  WorkCompletion read(LoopbackEnd from, int bytes) {
    qp.wrStart();
    qp.wrFlags(SendFlags.SIGNALED);
    qp.wrRdmaRead(from.target.rkey(), from.target.addr());
    qp.wrSetSge(source.lkey(), source.addr(), bytes);
    qp.wrComplete();
    return await();
  }

  /** Spins until the next completion, which must be a success. */
  WorkCompletion await() {
    while (!cq.poll(wc)) {
      Thread.onSpinWait();
    }
    if (!wc.isSuccess()) {
      throw new WcException(wc);
    }
    return wc;
  }
}
