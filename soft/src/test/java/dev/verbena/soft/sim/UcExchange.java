package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcStatus;
import java.util.random.RandomGenerator;

/** A UC connection, whose senders do not learn what happened to their messages. */
final class UcExchange extends ConnectedExchange {
  private static final int OPS =
      SendOps.SEND
          | SendOps.SEND_WITH_IMM
          | SendOps.RDMA_WRITE
          | SendOps.RDMA_WRITE_WITH_IMM
          | SendOps.BIND_MW
          | SendOps.LOCAL_INV;

  private static final OpKind[] KINDS = {
    SendOp::plain, SendOp::withImm, WriteOp::plain, WriteOp::withImm
  };

  /** Mistakes for which the peer drops a message silently. */
  private static final Flaw[] SILENT = {
    Flaw.UNKNOWN_RKEY,
    Flaw.OUT_OF_BOUNDS,
    Flaw.READ_ONLY_TARGET,
    Flaw.SEND_TOO_LONG,
    Flaw.BEHIND_WINDOW,
    Flaw.STALE_WINDOW,
    Flaw.WINDOW_OF_OTHERS
  };

  /** Enough tries for one message to pass the worst network. */
  private static final int MOST_TRIES = 200;

  UcExchange(Scenario scenario, RandomGenerator random, Stage stage) {
    super(QpType.UC, OPS, KINDS, scenario, random, stage);
  }

  @Override
  Delivery promise(Target target) {
    return new UnreliableDelivery(target, !scenario().faults().isActive());
  }

  @Override
  boolean isReliable() {
    return false;
  }

  @Override
  public void act() {
    Lane lane = someLane();
    switch (dice().below(22)) {
      case 0 -> postUnnoticed(lane, Flaw.draw(lane, dice(), SILENT));
      case 1 -> rarely(this::breakDown);
      case 2 -> rarely(sharesReceives() ? this::breakDown : this::reset);
      case 3 -> rarely(() -> deregister(lane));
      case 4 -> rarely(() -> failLocally(lane));
      case 5, 6, 7, 8, 9, 10, 11 -> authorOf(lane).post(1 + dice().below(4));
      case 12, 13, 14 -> changeWindow(lane);
      default -> postReceives(lane);
    }
  }

  /** Checks that a message arrives again after any losses, at once if nothing is lost any more. */
  @Override
  public void finish() {
    for (Lane lane : lanes()) {
      int tries = scenario().faults().isActive() ? MOST_TRIES : 1;
      boolean arrived = false;
      for (int i = 0; i < tries && !arrived; i++) {
        drive(() -> lane.sends().hasRoom(1));
        stage().drainNetwork();
        lane.receives().ensure(1);
        Op op = authorOf(lane).postClosing((wrId, dice) -> SendOp.withImm(lane, wrId, dice));
        drive(() -> lane.sends().isIdle());
        stage().drainNetwork();
        arrived = !lane.delivery().isAwaiting(op);
      }
      assertThat(arrived).as("a message comes through").isTrue();
    }
    lanes().forEach(Lane::checkAtRest);
  }

  private void postUnnoticed(Lane lane, Flaw flaw) {
    if (flaw.isPossible(lane) && lane.sends().hasRoom(1)) {
      Op op = flaw.make(lane, lane.sends().nextWrId(), dice());
      authorOf(lane).post(op.refusedWith(WcStatus.SUCCESS));
    }
  }

  /** The registration of a target ends while requests for it may be under way. */
  private void deregister(Lane lane) {
    if (lane.target().window().isChanging()) {
      return;
    }
    Remote remote = lane.target().at(0);
    lane.target().checkHeldByWindow();
    Shadow last = lane.target().deregister();
    if (lane.sends().hasRoom(1)) {
      Payload payload = Payload.gather(lane.from(), 1 + dice().below(100), dice());
      Op op = new WriteOp(lane.sends().nextWrId(), false, remote, payload);
      authorOf(lane).post(op.refusedWith(WcStatus.SUCCESS));
    }
    stage().drainNetwork();
    lane.target().checkUntouchedSince(last);
    breakDown();
  }

  /** A send that fails locally stops only the send queue (S1.6.2). */
  private void failLocally(Lane lane) {
    if (!lane.sends().hasRoom(1)) {
      return;
    }
    Op op = Flaw.UNKNOWN_LKEY.make(lane, lane.sends().nextWrId(), dice());
    authorOf(lane).post(op.refusedWith(Flaw.UNKNOWN_LKEY.outcome()));
    drive(lane::hasFailed);
    assertThat(lane.qp().query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.SQE);
    authorOf(lane).post(1 + dice().below(3));
    stage().poll();
    lane.checkSendsFlushed();
    lane.qp().modify(new QpAttr().qpState(QpState.RTS));
    lane.resume(false);
  }
}
