package dev.verbena.examples.paths;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.path.WcPath;
import dev.verbena.verbs.vtools.BufferPool;
import dev.verbena.verbs.vtools.CqPoller;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** Sends datagrams back to their senders, which are known from the completions. */
final class UdServer implements AutoCloseable {
  /** The Q_Key that datagrams must carry to be received here. */
  static final int QKEY = 0x1ee7_c0de;

  private static final int DEPTH = 16;
  private static final int SIZE = Grh.LENGTH + 256;

  private final EndPort endPort;
  private final Context ctx;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final BufferPool pool;
  private final IbPath[] replies = new IbPath[2 * DEPTH];

  UdServer(EndPort endPort) {
    this.endPort = endPort;
    this.ctx = Rdma.getVerbs(endPort);
    ProtectionDomain pd = ctx.allocPd();
    this.cq = ctx.createCq(2 * DEPTH, ctx.createCompChannel());
    this.qp = pd.createQp(QpInitAttr.ud(cq).maxSendWr(DEPTH).maxRecvWr(DEPTH));
    this.pool = new BufferPool(pd, 2 * DEPTH, SIZE);
    IbPath own = IbPath.builder(endPort).qkey(QKEY).build();
    qp.modifyToInit(own);
    pool.postRecvs(qp, DEPTH);
    qp.establish(own);
  }

  /** The path that clients send along. */
  IbPath pathFrom(EndPort client) {
    return IbPath.builder(client).dgid(endPort.defaultGid()).dqpn(qp.qpNum()).qkey(QKEY).build();
  }

  /** Serves until {@code count} datagrams have been answered, or the time is up. */
  int serve(int count, Duration timeout) {
    int answered = 0;
    try (CqPoller poller = new CqPoller(cq)) {
      // Each datagram has two completions: when it has arrived, and when the reply was sent.
      for (WorkCompletion wc : poller.iterwc(2L * count, timeout)) {
        boolean received = (wc.wrId() & pool.recvFlag()) != 0;
        if (wc.isSuccess() && received) {
          answer(wc);
          answered++;
        } else if (!received) {
          replies[(int) wc.wrId()].dropCache();
        }
        pool.finishWcs(qp, wc);
      }
    }
    return answered;
  }

  private void answer(WorkCompletion wc) {
    MemorySegment came = pool.memory(wc.wrId());
    IbPath reply = WcPath.of(endPort, wc, came, 0, path -> path.qkey(QKEY)).reverse();
    int buffer = pool.pop();
    replies[buffer] = reply;
    int length = (int) wc.byteLen() - Grh.LENGTH;
    pool.copyTo(came.asSlice(Grh.LENGTH), buffer, 0, length);
    qp.postSend(pool.makeSendWr(buffer, length, reply));
  }

  @Override
  public void close() {
    ctx.close();
  }
}
