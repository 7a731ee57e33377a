package dev.verbena.bench.hops;

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
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One RC WRITE of 5 bytes between two devices of this process, polled at both ends by the thread
 * that posts it, so that this thread does all of the work.
 */
public final class OneWrite implements Runnable, AutoCloseable {
  private static final int BYTES = 5;

  private final Context sender;
  private final Context receiver;
  private final CompletionQueue cq;
  private final CompletionQueue peerCq;
  private final QueuePairEx qp;
  private final int lkey;
  private final int rkey;
  private final long from;
  private final long to;
  private final MemorySegment source;
  private final MemorySegment target;
  private final WorkCompletion wc = new WorkCompletion();
  private final WorkCompletion peerWc = new WorkCompletion();
  private byte value;

  /** Opens two devices with this kind of link and connects a queue pair of each. */
  public OneWrite(String link) {
    sender = Devices.open("soft:" + address(61) + "?link=" + link);
    receiver = Devices.open("soft:" + address(62) + "?link=" + link);
    ProtectionDomain pd = sender.allocPd();
    ProtectionDomain peerPd = receiver.allocPd();
    cq = sender.createCq(16);
    peerCq = receiver.createCq(16);
    qp = pd.createQpEx(QpInitAttr.rc(cq).sendOps(SendOps.RDMA_WRITE));
    QueuePair peer = peerPd.createQp(QpInitAttr.rc(peerCq));
    qp.connect(peer.endpoint());
    peer.connect(qp.endpoint(), REMOTE_WRITE);
    MemoryRegion local = pd.allocMr(4096, LOCAL_WRITE);
    MemoryRegion remote = peerPd.allocMr(4096, LOCAL_WRITE, REMOTE_WRITE);
    source = local.memory();
    target = remote.memory();
    lkey = local.lkey();
    rkey = remote.rkey();
    from = local.addr();
    to = remote.addr();
  }

  /** One that no other process has, which may count at the same time. */
  private static String address(int device) {
    long process = ProcessHandle.current().pid();
    return "127." + device + "." + (process >>> 8 & 0xFF) + "." + (process & 0xFF);
  }

  @Override
  public void run() {
    value++;
    source.set(ValueLayout.JAVA_BYTE, 0, value);
    qp.wrStart();
    qp.wrId(1).wrFlags(SendFlags.SIGNALED);
    qp.wrRdmaWrite(rkey, to);
    qp.wrSetSge(lkey, from, BYTES);
    qp.wrComplete();
    int done = Recorder.mark();
    boolean arrived = false;
    while (!cq.poll(wc)) {
      Recorder.rewind(done);
      if (!arrived) {
        // The peer's poll takes the request and answers it; a poll that found nothing does not
        // count.
        peerCq.poll(peerWc);
        arrived = target.get(ValueLayout.JAVA_BYTE, 0) == value;
        if (arrived) {
          done = Recorder.mark();
        } else {
          Recorder.rewind(done);
        }
      }
    }
    if (!wc.isSuccess()) {
      throw new WcException(wc);
    }
  }

  @Override
  public void close() {
    sender.close();
    receiver.close();
  }
}
