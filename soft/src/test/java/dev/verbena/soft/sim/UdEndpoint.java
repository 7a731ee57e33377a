package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.HashSet;
import java.util.Set;

/** A UD queue pair: its send queue, its receives, its Q_Key. */
final class UdEndpoint extends LoneEndpoint {
  private final Iterable<UdEndpoint> senders;
  private final DatagramDelivery datagrams;
  private final int qkey;
  private final Set<Op> received = new HashSet<>();

  /**
   * A queue pair in RTS.
   *
   * @param senders all that may send to it
   */
  UdEndpoint(
      Side side,
      QueuePairEx qp,
      int qkey,
      DatagramDelivery datagrams,
      Iterable<UdEndpoint> senders,
      Scenario scenario) {
    super(side, qp, datagrams, Receives.of(qp, side, false, scenario), scenario);
    this.senders = senders;
    this.datagrams = datagrams;
    this.qkey = qkey;
    start();
  }

  int qkey() {
    return qkey;
  }

  /** Its address, as another queue pair names it. */
  UdDestination addressFor(UdEndpoint sender, int withQkey) {
    AhAttr attr = AhAttr.to(from().context().queryGid(1, 0));
    return new UdDestination(sender.from().pd().createAh(attr), qp().qpNum(), withQkey);
  }

  @Override
  void start() {
    qp().modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qkey(qkey));
    qp().modify(new QpAttr().qpState(QpState.RTR));
    qp().modify(new QpAttr().qpState(QpState.RTS).sqPsn(0));
    receives().restart();
    resume(false);
  }

  /** Whether this datagram has arrived here. */
  boolean hasReceived(Op op) {
    return received.contains(op);
  }

  @Override
  void received(WorkCompletion wc) {
    Place place = receives().take(wc);
    if (wc.status() == WcStatus.WR_FLUSH_ERR) {
      return;
    }
    assertThat(wc.status()).as("%s", wc).isEqualTo(WcStatus.SUCCESS);
    assertThat(wc.wcFlags() & WcFlags.GRH).as("GRH in %s", wc).isNotZero();
    for (UdEndpoint sender : senders) {
      if (sender.qp().qpNum() == wc.srcQp()) {
        received.add(sender.datagrams.received(this, place, wc));
        return;
      }
    }
    throw new AssertionError("nobody sent " + wc);
  }
}
