package dev.verbena.soft.sim;

import static dev.verbena.verbs.Access.REMOTE_ATOMIC;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WorkCompletion;
import java.util.List;
import java.util.random.RandomGenerator;

/** A pair of connected queue pairs: two lanes, one each way. */
final class Connection {
  private static final int OPS =
      SendOps.SEND
          | SendOps.SEND_WITH_IMM
          | SendOps.RDMA_WRITE
          | SendOps.RDMA_WRITE_WITH_IMM
          | SendOps.RDMA_READ
          | SendOps.ATOMIC_CMP_AND_SWP
          | SendOps.ATOMIC_FETCH_AND_ADD;
  private static final int TIMEOUT = 9;
  private static final int MIN_RNR_TIMER = 10;

  private final Scenario scenario;
  private final RandomGenerator random;
  private final Side left;
  private final Side right;
  private final QueuePairEx leftQp;
  private final QueuePairEx rightQp;
  private final Lane there;
  private final Lane back;
  private final Author thereAuthor;
  private final Author backAuthor;

  Connection(Scenario scenario, RandomGenerator random, Side left, Side right) {
    this.scenario = scenario;
    this.random = random;
    this.left = left;
    this.right = right;
    leftQp = create(left);
    rightQp = create(right);
    there = new Lane(left, right, leftQp, rightQp, scenario);
    back = new Lane(right, left, rightQp, leftQp, scenario);
    thereAuthor = new Author(scenario, random);
    backAuthor = new Author(scenario, random);
    connect();
  }

  List<Lane> lanes() {
    return List.of(there, back);
  }

  Author authorOf(Lane lane) {
    return lane == there ? thereAuthor : backAuthor;
  }

  boolean hasFailed() {
    return there.hasFailed() || back.hasFailed();
  }

  /** Takes a completion of either side if it is of this connection. */
  boolean take(Side side, WorkCompletion wc) {
    boolean isLeft = side == left && wc.qpNum() == leftQp.qpNum();
    boolean isRight = side == right && wc.qpNum() == rightQp.qpNum();
    if (!isLeft && !isRight) {
      return false;
    }
    boolean isReceive = (wc.wrId() >>> 62) != 0;
    Lane own = isLeft ? there : back;
    Lane other = isLeft ? back : there;
    if (isReceive) {
      other.received(wc);
    } else {
      own.sent(wc);
    }
    return true;
  }

  /** Moves both queue pairs to ERR. */
  void breakDown() {
    for (Lane lane : lanes()) {
      lane.disturb();
      QpState state = lane.sender().query().qpState();
      if (state != QpState.ERR && state != QpState.RESET) {
        lane.sender().modify(new QpAttr().qpState(QpState.ERR));
      }
    }
  }

  /** Moves one queue pair to RESET, as if its process had died: the peer hears nothing any more. */
  void vanish(Lane lane) {
    there.disturb();
    back.disturb();
    lane.sender().modify(new QpAttr().qpState(QpState.RESET));
  }

  /** All completions from before a queue pair vanished were taken. */
  void forget(Lane lane) {
    lane.senderVanished();
    other(lane).receiverVanished();
  }

  Lane other(Lane lane) {
    return lane == there ? back : there;
  }

  /** Moves both queue pairs to RESET. */
  void reset() {
    for (Lane lane : lanes()) {
      lane.disturb();
      lane.sender().modify(new QpAttr().qpState(QpState.RESET));
    }
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
    there.restart();
    back.restart();
  }

  private QueuePairEx create(Side side) {
    return side.pd()
        .createQpEx(
            QpInitAttr.rc(side.cq())
                .maxSendWr(scenario.depth())
                .maxRecvWr(scenario.depth())
                .sendOps(OPS));
  }

  private int psn() {
    return scenario.nearWrap() ? 0xffffff - random.nextInt(40) : random.nextInt(1 << 24);
  }

  private static void initialise(QueuePairEx qp) {
    qp.modify(
        new QpAttr()
            .qpState(QpState.INIT)
            .pkeyIndex(0)
            .portNum(1)
            .qpAccessFlags(REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC));
  }

  private void ready(QueuePairEx qp, Side peer, QueuePairEx peerQp, int peerPsn) {
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTR)
            .ahAttr(AhAttr.to(peer.context().queryGid(1, 0)))
            .pathMtu(scenario.mtu())
            .destQpNum(peerQp.qpNum())
            .rqPsn(peerPsn)
            .maxDestRdAtomic(scenario.rdAtomic())
            .minRnrTimer(MIN_RNR_TIMER));
  }

  private void send(QueuePairEx qp, int psn) {
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTS)
            .timeout(TIMEOUT)
            .retryCnt(7)
            .rnrRetry(scenario.rnrRetry())
            .sqPsn(psn)
            .maxRdAtomic(scenario.rdAtomic()));
  }
}
