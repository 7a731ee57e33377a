package dev.verbena.tools.pingpong;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;

/** Sends through the extended API, ibv_wr_start to ibv_wr_complete. */
final class RcExPoster extends RcPoster {
  private final QueuePairEx qp;
  private final MemoryRegion region;

  RcExPoster(QueuePairEx qp, MemoryRegion region) {
    super(qp, region);
    this.qp = qp;
    this.region = region;
  }

  @Override
  public void postSend() {
    qp.wrStart();
    qp.wrId(PingpongLoop.SEND_WR_ID).wrFlags(SendFlags.SIGNALED);
    qp.wrSend();
    qp.wrSetSge(region.lkey(), region.addr(), region.length());
    qp.wrComplete();
  }
}
