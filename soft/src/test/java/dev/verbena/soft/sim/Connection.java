package dev.verbena.soft.sim;

import static dev.verbena.verbs.Access.FLUSH_GLOBAL;
import static dev.verbena.verbs.Access.REMOTE_ATOMIC;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import java.util.random.RandomGenerator;

/** Two queue pairs of a connected service, and how to connect them. */
final class Connection {
  private static final int MIN_RNR_TIMER = 10;

  private final Scenario scenario;
  private final RandomGenerator random;
  private final Side left;
  private final Side right;
  private final QueuePair leftQp;
  private final QueuePair rightQp;

  Connection(
      Scenario scenario,
      RandomGenerator random,
      Side left,
      Side right,
      QueuePair leftQp,
      QueuePair rightQp) {
    this.scenario = scenario;
    this.random = random;
    this.left = left;
    this.right = right;
    this.leftQp = leftQp;
    this.rightQp = rightQp;
  }

  /** Connects the queue pairs, which are in RESET, with new PSNs. */
  void connect() {
    int leftPsn = psn();
    int rightPsn = psn();
    initialise(leftQp);
    initialise(rightQp);
    ready(leftQp, right, rightQp, rightPsn);
    ready(rightQp, left, leftQp, leftPsn);
    send(leftQp, leftPsn);
    send(rightQp, rightPsn);
    assertThat(leftQp.query().qpState()).isEqualTo(QpState.RTS);
  }

  /** Moves both queue pairs to ERR. */
  void breakDown() {
    breakDown(leftQp);
    breakDown(rightQp);
  }

  /** Moves both queue pairs to RESET. */
  void reset() {
    reset(leftQp);
    reset(rightQp);
  }

  /** Moves one queue pair to RESET. */
  static void reset(QueuePair qp) {
    qp.modify(new QpAttr().qpState(QpState.RESET));
  }

  private static void breakDown(QueuePair qp) {
    QpState state = qp.query().qpState();
    if (state != QpState.ERR && state != QpState.RESET) {
      qp.modify(new QpAttr().qpState(QpState.ERR));
    }
  }

  private int psn() {
    return scenario.nearWrap() ? 0xffffff - random.nextInt(40) : random.nextInt(1 << 24);
  }

  private static void initialise(QueuePair qp) {
    qp.modify(
        new QpAttr()
            .qpState(QpState.INIT)
            .pkeyIndex(0)
            .portNum(1)
            .qpAccessFlags(REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC | FLUSH_GLOBAL));
  }

  private void ready(QueuePair qp, Side peer, QueuePair peerQp, int peerPsn) {
    QpAttr attr =
        new QpAttr()
            .qpState(QpState.RTR)
            .ahAttr(AhAttr.to(peer.context().queryGid(1, 0)))
            .pathMtu(scenario.mtu())
            .destQpNum(peerQp.qpNum())
            .rqPsn(peerPsn);
    if (qp.qpType() == QpType.RC || qp.qpType() == QpType.XRC_RECV) {
      attr.maxDestRdAtomic(scenario.rdAtomic()).minRnrTimer(MIN_RNR_TIMER);
    }
    qp.modify(attr);
  }

  private void send(QueuePair qp, int psn) {
    QpAttr attr = new QpAttr().qpState(QpState.RTS).sqPsn(psn);
    switch (qp.qpType()) {
      case RC, XRC_SEND ->
          attr.timeout(scenario.timeout())
              .retryCnt(7)
              .rnrRetry(scenario.rnrRetry())
              .maxRdAtomic(scenario.rdAtomic());
      case XRC_RECV -> attr.timeout(scenario.timeout());
      default -> {}
    }
    qp.modify(attr);
  }
}
