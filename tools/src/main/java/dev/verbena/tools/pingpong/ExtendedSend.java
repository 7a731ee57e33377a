package dev.verbena.tools.pingpong;

import dev.verbena.tools.pingpong.end.Completions;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.Sge;

/** Sends with the extended API, ibv_wr_start to ibv_wr_complete. */
final class ExtendedSend implements Runnable {
  private final QueuePairEx qp;
  private final Sge sge;

  ExtendedSend(QueuePairEx qp, Messages messages) {
    this.qp = qp;
    this.sge = messages.sge();
  }

  @Override
  public void run() {
    qp.wrStart();
    qp.wrId(Completions.SEND_WR_ID).wrFlags(SendFlags.SIGNALED);
    qp.wrSend();
    qp.wrSetSge(sge.lkey(), sge.addr(), sge.length());
    qp.wrComplete();
  }
}
