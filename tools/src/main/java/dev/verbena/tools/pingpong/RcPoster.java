package dev.verbena.tools.pingpong;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WrOpcode;

/** Posts through ibv_post_send and ibv_post_recv, on a connected queue pair. */
class RcPoster implements PingpongLoop.Poster {
  private final QueuePair qp;
  private final SendWr send;
  private final RecvWr recv;

  /** Whole-region messages, inline if the queue pair has room for that. */
  RcPoster(QueuePair qp, MemoryRegion region) {
    this.qp = qp;
    Sge whole = region.sge();
    int room = qp.queryInit().maxInlineData();
    int inline = region.length() <= room ? SendFlags.INLINE : 0;
    send =
        new SendWr()
            .wrId(PingpongLoop.SEND_WR_ID)
            .opcode(WrOpcode.SEND)
            .sendFlags(SendFlags.SIGNALED | inline)
            .sgList(whole);
    recv = new RecvWr().wrId(PingpongLoop.RECV_WR_ID).sgList(whole);
  }

  @Override
  public void postSend() {
    qp.postSend(send);
  }

  @Override
  public void postRecv(int count) {
    for (int i = 0; i < count; i++) {
      qp.postRecv(recv);
    }
  }
}
