package dev.verbena.bench;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WorkCompletion;

/** Two connected RC queue pairs of one device, with a source and a target region. */
final class LoopbackPair implements AutoCloseable {
  private final Context context;
  private final CompletionQueue cq;
  private final QueuePairEx qp;
  private final MemoryRegion source;
  private final MemoryRegion target;
  private final WorkCompletion wc = new WorkCompletion();

  LoopbackPair(String device, long bytes) {
    context = Devices.open(device);
    ProtectionDomain pd = context.allocPd();
    cq = context.createCq(256);
    CompletionQueue peerCq = context.createCq(256);
    qp = pd.createQpEx(QpInitAttr.rc(cq).sendOps(SendOps.RDMA_WRITE));
    QueuePairEx peer = pd.createQpEx(QpInitAttr.rc(peerCq).sendOps(0));
    source = pd.allocMr(bytes, LOCAL_WRITE);
    target = pd.allocMr(bytes, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ);
    qp.connect(peer.endpoint());
    peer.connect(qp.endpoint(), REMOTE_WRITE, REMOTE_READ);
  }

  QueuePairEx qp() {
    return qp;
  }

  MemoryRegion source() {
    return source;
  }

  MemoryRegion target() {
    return target;
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

  @Override
  public void close() {
    context.close();
  }
}
