package dev.verbena.soft.sim;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcStatus;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** An RC connection. */
final class RcExchange extends ConnectedExchange {
  private static final int OPS =
      SendOps.SEND
          | SendOps.SEND_WITH_IMM
          | SendOps.RDMA_WRITE
          | SendOps.RDMA_WRITE_WITH_IMM
          | SendOps.RDMA_READ
          | SendOps.ATOMIC_CMP_AND_SWP
          | SendOps.ATOMIC_FETCH_AND_ADD
          | SendOps.ATOMIC_WRITE
          | SendOps.FLUSH
          | SendOps.BIND_MW
          | SendOps.LOCAL_INV
          | SendOps.SEND_WITH_INV;

  private static final OpKind[] KINDS = {
    SendOp::plain,
    SendOp::withImm,
    WriteOp::plain,
    WriteOp::plain,
    WriteOp::withImm,
    ReadOp::draw,
    AtomicOp::compareAndSwap,
    AtomicOp::fetchAndAdd,
    AtomicWriteOp::draw,
    FlushOp::draw
  };

  RcExchange(Scenario scenario, RandomGenerator random, Stage stage) {
    super(QpType.RC, OPS, KINDS, scenario, random, stage);
  }

  @Override
  Delivery promise(Target target) {
    return new ReliableDelivery(target);
  }

  @Override
  boolean isReliable() {
    return true;
  }

  @Override
  public void act() {
    Lane lane = someLane();
    switch (dice().below(24)) {
      case 0 -> postFlawed(lane);
      case 1 -> rarely(this::breakDown);
      case 2 -> rarely(sharesReceives() ? this::breakDown : this::reset);
      case 3 -> rarely(sharesReceives() ? this::breakDown : () -> vanish(lane));
      case 4 -> rarely(() -> deregister(lane));
      case 5, 6, 7, 8, 9, 10, 11 -> authorOf(lane).post(1 + dice().below(4));
      case 12, 13, 14, 15 -> changeWindow(lane);
      case 16 -> lane.receives().armLimit();
      default -> postReceives(lane);
    }
    if (hasFailed()) {
      recover();
    }
  }

  @Override
  public void finish() {
    for (Lane lane : lanes()) {
      if (!hasFailed() && !lane.sends().isIdle()) {
        driveOn(() -> lane.sends().hasRoom(1));
      }
      if (!hasFailed()) {
        postEmpty(lane);
        driveOn(() -> lane.sends().isIdle());
      }
    }
    driveOn(() -> lanes().stream().allMatch(lane -> lane.sends().isIdle()));
    if (hasFailed()) {
      recover();
    } else {
      lanes().forEach(Lane::checkAtRest);
    }
  }

  private void postFlawed(Lane lane) {
    if (!lane.sends().hasRoom(1)) {
      return;
    }
    // The responder that refuses it also ends the other direction.
    other(lane).disturb();
    if (scenario().faults().isActive()) {
      // Its NAK may be lost, and a queue pair in error answers no retransmission.
      lane.disturb();
    }
    Flaw flaw = Flaw.draw(lane, dice(), Flaw.values());
    if (!flaw.isPossible(lane)) {
      return;
    }
    Op op = flaw.make(lane, lane.sends().nextWrId(), dice());
    authorOf(lane).post(op.refusedWith(flaw.outcome()));
    drive(this::hasFailed);
  }

  /** The registration of a target ends while requests for it may be under way. */
  private void deregister(Lane lane) {
    if (!lane.sends().hasRoom(1)) {
      return;
    }
    if (lane.target().window().isChanging()) {
      return;
    }
    Remote remote = lane.target().at(0);
    lanes().forEach(Lane::disturb);
    lane.target().checkHeldByWindow();
    Shadow last = lane.target().deregister();
    Payload payload = Payload.gather(lane.from(), 1 + dice().below(100), dice());
    Op op = new WriteOp(lane.sends().nextWrId(), false, remote, payload);
    authorOf(lane).post(op.refusedWith(WcStatus.REM_ACCESS_ERR));
    drive(this::hasFailed);
    lane.target().checkUntouchedSince(last);
    recover();
  }

  /**
   * Resets one side, as if its process had died; the other must notice if it has anything to send.
   */
  private void vanish(Lane gone) {
    stage().poll();
    if (hasFailed()) {
      return;
    }
    lanes().forEach(Lane::disturb);
    Connection.reset(gone.qp());
    // Completions of shared receives survive it.
    stage().poll();
    Lane other = other(gone);
    gone.vanished();
    other.receiverReset();
    while (!other.hasFailed()) {
      // An answer that was sent before may still acknowledge requests under way.
      if (other.sends().hasRoom(1)) {
        postEmpty(other);
        driveOn(() -> other.sends().isIdle());
      } else {
        driveOn(() -> other.sends().hasRoom(1));
      }
    }
    recover();
  }

  private void postEmpty(Lane lane) {
    authorOf(lane).postClosing((wrId, dice) -> WriteOp.empty(lane, wrId, dice));
  }

  /** Continues until a condition holds or the connection fails. */
  private void driveOn(BooleanSupplier done) {
    drive(() -> done.getAsBoolean() || hasFailed());
  }
}
