package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** Several UD queue pairs on both sides; each sends to all, and to itself. */
final class UdExchange implements Exchange {
  private static final int PRIVILEGED = 1 << 31;

  /** Enough tries for one message to pass the worst network. */
  private static final int MOST_TRIES = 200;

  private final Scenario scenario;
  private final Stage stage;
  private final Dice dice;
  private final List<UdEndpoint> endpoints = new ArrayList<>();
  private final Map<UdEndpoint, Author> authors = new HashMap<>();

  UdExchange(Scenario scenario, RandomGenerator random, Stage stage) {
    this.scenario = scenario;
    this.stage = stage;
    dice = new Dice(random, scenario.mtu().bytes());
    add(stage.left());
    add(stage.right());
    add(dice.isEven() ? stage.left() : stage.right());
  }

  @Override
  public void act() {
    UdEndpoint endpoint = someone();
    switch (dice.below(18)) {
      case 0 -> rarely(() -> restart(endpoint));
      case 1 -> rarely(() -> failLocally(endpoint));
      case 2, 3, 4, 5, 6, 7, 8 -> authors.get(endpoint).post(1 + dice.below(4));
      default -> {
        for (int i = dice.below(4); i >= 0; i--) {
          endpoint.receives().post();
        }
      }
    }
  }

  /** Checks that all can reach each other, whatever was lost. */
  @Override
  public void finish() {
    for (UdEndpoint from : endpoints) {
      for (UdEndpoint to : endpoints) {
        boolean arrived = false;
        int tries = scenario.faults().isActive() ? MOST_TRIES : 1;
        for (int i = 0; i < tries && !arrived; i++) {
          arrived = reaches(from, to);
        }
        assertThat(arrived).as("a datagram comes through").isTrue();
      }
    }
  }

  @Override
  public boolean take(Side side, WorkCompletion wc) {
    for (UdEndpoint endpoint : endpoints) {
      if (side == endpoint.from() && wc.qpNum() == endpoint.qp().qpNum()) {
        if (Place.isReceive(wc.wrId())) {
          endpoint.received(wc, endpoints);
        } else {
          endpoint.sent(wc);
        }
        return true;
      }
    }
    return false;
  }

  private boolean reaches(UdEndpoint from, UdEndpoint to) {
    drive(() -> from.sends().hasRoom(1));
    stage.drainNetwork();
    to.receives().ensure(1);
    Op op = authors.get(from).postClosing((wrId, d) -> datagram(from, to, wrId, true));
    drive(() -> from.sends().isIdle());
    stage.drainNetwork();
    return to.hasReceived(op);
  }

  /**
   * Moves it to ERR and restarts it: waiting requests are flushed, and datagrams that come
   * meanwhile are lost.
   */
  private void restart(UdEndpoint endpoint) {
    stage.poll();
    endpoint.disturb();
    endpoint.qp().modify(new QpAttr().qpState(QpState.ERR));
    stage.step(20);
    stage.poll();
    endpoint.checkSendsFlushed();
    endpoint.receives().checkFlushed();
    endpoint.qp().modify(new QpAttr().qpState(QpState.RESET));
    endpoint.start();
  }

  /** A send that fails locally stops only the send queue (S1.6.2). */
  private void failLocally(UdEndpoint endpoint) {
    if (!endpoint.sends().hasRoom(1)) {
      return;
    }
    UdEndpoint to = someone();
    Payload payload =
        Payload.gather(endpoint.from(), 1 + dice.below(dice.mtu()), dice).withUnknownLkeys();
    Op op = new DatagramOp(endpoint.sends().nextWrId(), false, payload, to);
    op.to(to.addressFor(endpoint, to.qkey()));
    authors.get(endpoint).post(op.refusedWith(WcStatus.LOC_PROT_ERR));
    drive(endpoint::hasFailed);
    assertThat(endpoint.qp().query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.SQE);
    authors.get(endpoint).post(1 + dice.below(3));
    stage.poll();
    endpoint.checkSendsFlushed();
    endpoint.qp().modify(new QpAttr().qpState(QpState.RTS));
    endpoint.resume(false);
  }

  /** Mostly a valid one; sometimes one that the destination must drop (S3.3.6). */
  private Op something(UdEndpoint from, long wrId) {
    UdEndpoint to = someone();
    Op op = datagram(from, to, wrId, dice.isEven());
    switch (dice.below(8)) {
      case 0 -> op.to(to.addressFor(from, to.qkey() ^ 1)).refusedWith(WcStatus.SUCCESS);
      case 1 -> {
        // Stands for the Q_Key of the sender (S1.7.11).
        op.to(to.addressFor(from, PRIVILEGED | dice.below(1 << 16)));
        if (from.qkey() != to.qkey()) {
          op.refusedWith(WcStatus.SUCCESS);
        }
      }
      default -> {}
    }
    return op;
  }

  private Op datagram(UdEndpoint from, UdEndpoint to, long wrId, boolean withImm) {
    Payload payload = Payload.gather(from.from(), dice.packetLength(), dice);
    return new DatagramOp(wrId, withImm, payload, to).to(to.addressFor(from, to.qkey()));
  }

  private UdEndpoint someone() {
    return endpoints.get(dice.below(endpoints.size()));
  }

  private void drive(BooleanSupplier done) {
    stage.drive(done, () -> {});
  }

  private void rarely(Runnable action) {
    if (dice.oneIn(4)) {
      action.run();
    }
  }

  private void add(Side side) {
    SharedPool pool = side.pool();
    QueuePairEx qp =
        side.pd()
            .createQpEx(
                new QpInitAttr(QpType.UD)
                    .sendCq(side.cq())
                    .recvCq(side.cq())
                    .maxSendWr(scenario.depth())
                    .maxRecvWr(scenario.depth())
                    .srq(pool == null || dice.isEven() ? null : pool.srq())
                    .sendOps(SendOps.SEND, SendOps.SEND_WITH_IMM));
    DatagramDelivery datagrams = new DatagramDelivery(scenario.faults());
    UdEndpoint endpoint = new UdEndpoint(side, qp, 0x1000 + dice.below(2), datagrams, scenario);
    endpoints.add(endpoint);
    authors.put(endpoint, new Author(endpoint, dice, (wrId, d) -> something(endpoint, wrId)));
  }
}
