package dev.verbena.tools.pingpong;

import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import java.util.List;

/** One queue pair with queues of its own. */
final class SingleParty implements Party {
  private final QueuePair qp;
  private final Wiring wiring;
  private final Runnable send;
  private final RecvWr recv;

  /** Asks for queues of one send and so many receives, and no inline data. */
  static QpInitAttr sized(QpInitAttr attr, int receives) {
    return attr.maxSendWr(1).maxRecvWr(receives).maxSendSge(1).maxRecvSge(1).maxInlineData(0);
  }

  /**
   * Takes the queue pair to INIT.
   *
   * @param wiring of its transport service
   * @param send posts a send
   * @param recv the receive, posted over and over
   */
  SingleParty(QueuePair qp, Wiring wiring, Runnable send, RecvWr recv) {
    this.qp = qp;
    this.wiring = wiring;
    this.send = send;
    this.recv = recv;
    wiring.init(qp);
  }

  @Override
  public List<QueuePair> qps() {
    return List.of(qp);
  }

  @Override
  public void connect(int index, Destination local, Destination remote) {
    wiring.connect(qp, local, remote);
  }

  @Override
  public void postSend(int index) {
    send.run();
  }

  @Override
  public void postRecv(int count) {
    for (int i = 0; i < count; i++) {
      qp.postRecv(recv);
    }
  }

  @Override
  public void destroy() {
    qp.destroy();
    wiring.release();
  }
}
