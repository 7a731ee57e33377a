package dev.verbena.tools.pingpong;

import dev.verbena.tools.pingpong.end.Destination;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SharedReceiveQueue;
import java.util.List;

/** Several queue pairs that take their receives from one queue. */
final class SharedParty implements Party {
  private final SharedReceiveQueue srq;
  private final List<QueuePair> qps;
  private final Wiring wiring;
  private final SendWr send;
  private final RecvWr recv;

  /**
   * Takes the queue pairs to INIT.
   *
   * @param wiring connects queue pairs of their transport service
   * @param send the send, posted over and over to each of them
   * @param recv the receive, posted over and over
   */
  SharedParty(
      SharedReceiveQueue srq, List<QueuePair> qps, Wiring wiring, SendWr send, RecvWr recv) {
    this.srq = srq;
    this.qps = List.copyOf(qps);
    this.wiring = wiring;
    this.send = send;
    this.recv = recv;
    this.qps.forEach(wiring::init);
  }

  @Override
  public List<QueuePair> qps() {
    return qps;
  }

  @Override
  public void connect(int index, Destination local, Destination remote) {
    wiring.connect(qps.get(index), local, remote);
  }

  @Override
  public void postSend(int index) {
    qps.get(index).postSend(send);
  }

  @Override
  public void postRecv(int count) {
    for (int i = 0; i < count; i++) {
      srq.postRecv(recv);
    }
  }

  @Override
  public void destroy() {
    qps.forEach(QueuePair::destroy);
    srq.destroy();
    wiring.release();
  }
}
