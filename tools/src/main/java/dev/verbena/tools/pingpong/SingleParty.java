package dev.verbena.tools.pingpong;

import dev.verbena.tools.pingpong.end.Destination;
import dev.verbena.tools.pingpong.end.PingpongEnd;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import java.util.List;
import java.util.function.Function;

/** One queue pair with queues of its own. */
final class SingleParty implements Party {
  private final QueuePair qp;
  private final Wiring wiring;
  private final Runnable send;
  private final RecvWr recv;

  /** Requests queues of one send and {@code receives} receives, and no inline data. */
  static QpInitAttr sized(QpInitAttr attr, int receives) {
    return attr.maxSendWr(1).maxRecvWr(receives).maxSendSge(1).maxRecvSge(1).maxInlineData(0);
  }

  /**
   * A queue pair that sends with the post calls.
   *
   * @param wiring connects queue pairs of its transport service, and may fill in the send
   */
  static SingleParty of(
      PingpongEnd end,
      QpInitAttr attr,
      ExchangeOptions exchange,
      Messages messages,
      Function<SendWr, Wiring> wiring) {
    QueuePair qp = end.pd().createQp(sized(attr, exchange.rxDepth()));
    SendWr send = messages.send(qp);
    return new SingleParty(qp, wiring.apply(send), () -> qp.postSend(send), messages.recv());
  }

  /** A queue pair that sends with the extended API. */
  static SingleParty extended(
      PingpongEnd end,
      QpInitAttr attr,
      ExchangeOptions exchange,
      Messages messages,
      Wiring wiring) {
    QueuePairEx qp = end.pd().createQpEx(sized(attr, exchange.rxDepth()).sendOps(SendOps.SEND));
    return new SingleParty(qp, wiring, new ExtendedSend(qp, messages), messages.recv());
  }

  /**
   * Takes the queue pair to INIT.
   *
   * @param wiring connects queue pairs of its transport service
   * @param send posts a send
   * @param recv the receive, posted over and over
   */
  private SingleParty(QueuePair qp, Wiring wiring, Runnable send, RecvWr recv) {
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
