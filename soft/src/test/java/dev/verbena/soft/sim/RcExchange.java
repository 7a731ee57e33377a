package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** Two RC queue pairs that send to each other, fail, and are connected anew. */
final class RcExchange implements Exchange {
  private static final int OPS =
      SendOps.SEND
          | SendOps.SEND_WITH_IMM
          | SendOps.RDMA_WRITE
          | SendOps.RDMA_WRITE_WITH_IMM
          | SendOps.RDMA_READ
          | SendOps.ATOMIC_CMP_AND_SWP
          | SendOps.ATOMIC_FETCH_AND_ADD;

  private static final OpKind[] KINDS = {
    SendOp::plain,
    SendOp::withImm,
    WriteOp::plain,
    WriteOp::plain,
    WriteOp::withImm,
    ReadOp::draw,
    AtomicOp::compareAndSwap,
    AtomicOp::fetchAndAdd
  };

  private final Scenario scenario;
  private final Stage stage;
  private final Dice dice;
  private final Connection connection;
  private final Lane there;
  private final Lane back;
  private final Author thereAuthor;
  private final Author backAuthor;

  RcExchange(Scenario scenario, RandomGenerator random, Stage stage) {
    this.scenario = scenario;
    this.stage = stage;
    dice = new Dice(random, scenario.mtu().bytes());
    QueuePairEx leftQp = create(stage.left());
    QueuePairEx rightQp = create(stage.right());
    connection =
        new Connection(QpType.RC, scenario, random, stage.left(), stage.right(), leftQp, rightQp);
    there = lane(stage.left(), stage.right(), leftQp, rightQp);
    back = lane(stage.right(), stage.left(), rightQp, leftQp);
    thereAuthor = new Author(there, dice, KINDS);
    backAuthor = new Author(back, dice, KINDS);
    connect();
  }

  @Override
  public void act() {
    Lane lane = lanes().get(dice.below(2));
    switch (dice.below(19)) {
      case 0 -> postFlawed(lane);
      case 1 -> rarely(this::breakDown);
      case 2 -> rarely(this::reset);
      case 3 -> rarely(() -> vanish(lane));
      case 4 -> rarely(() -> deregister(lane));
      case 5, 6, 7, 8, 9, 10, 11 -> authorOf(lane).post(1 + dice.below(4));
      default -> {
        for (int i = dice.below(4); i >= 0; i--) {
          lane.receives().post();
        }
      }
    }
    if (hasFailed()) {
      recover();
    }
  }

  @Override
  public void finish() {
    for (Lane lane : lanes()) {
      if (!hasFailed() && !lane.sends().isIdle()) {
        drive(() -> lane.sends().hasRoom(1));
      }
      if (!hasFailed()) {
        authorOf(lane).postClosing(WriteOp::empty);
        drive(() -> lane.sends().isIdle());
      }
    }
    drive(() -> lanes().stream().allMatch(lane -> lane.sends().isIdle()));
    if (hasFailed()) {
      recover();
    } else {
      lanes().forEach(Lane::checkAtRest);
    }
  }

  @Override
  public boolean take(Side side, WorkCompletion wc) {
    for (Lane lane : lanes()) {
      if (side == lane.from() && wc.qpNum() == lane.sender().qpNum()) {
        if (Place.isReceive(wc.wrId())) {
          other(lane).received(wc);
        } else {
          lane.sent(wc);
        }
        return true;
      }
    }
    return false;
  }

  private void postFlawed(Lane lane) {
    if (!lane.sends().hasRoom(1)) {
      return;
    }
    // The responder that refuses it takes the other direction down with it.
    other(lane).disturb();
    if (scenario.faults().isActive()) {
      // Its NAK may be lost, and a queue pair in error answers nothing that is sent again.
      lane.disturb();
    }
    Flaw flaw = dice.among(Flaw.values());
    Op op = flaw.make(lane, lane.sends().nextWrId(), dice);
    authorOf(lane).post(op.refusedWith(flaw.outcome()));
    drive(this::hasFailed);
    assertThat(hasFailed()).as("a flawed request failed").isTrue();
  }

  /** The registration of a target ends while requests for it may be under way. */
  private void deregister(Lane lane) {
    if (!lane.sends().hasRoom(1)) {
      return;
    }
    Remote remote = lane.target().at(0);
    lanes().forEach(Lane::disturb);
    Shadow last = lane.target().deregister();
    Payload payload = Payload.gather(lane.from(), 1 + dice.below(100), dice);
    Op op = new WriteOp(lane.sends().nextWrId(), false, remote, payload);
    authorOf(lane).post(op.refusedWith(WcStatus.REM_ACCESS_ERR));
    drive(this::hasFailed);
    lane.target().checkUntouchedSince(last);
    recover();
  }

  private void breakDown() {
    stage.poll();
    disconnect();
    recover();
  }

  private void reset() {
    stage.poll();
    if (!hasFailed()) {
      lanes().forEach(Lane::disturb);
      connection.reset();
      reconnect(true);
    }
  }

  /**
   * One side is reset, as if its process had died: the other one must notice if it has anything to
   * send.
   */
  private void vanish(Lane gone) {
    stage.poll();
    if (hasFailed()) {
      return;
    }
    lanes().forEach(Lane::disturb);
    Connection.reset(gone.sender());
    // Completions from before the reset survive it.
    stage.poll();
    Lane other = other(gone);
    gone.senderVanished();
    other.receives().forget();
    while (!other.hasFailed()) {
      // What is under way may still be acknowledged by an answer that was sent before.
      if (other.sends().hasRoom(1)) {
        authorOf(other).postClosing(WriteOp::empty);
        drive(() -> other.sends().isIdle());
      } else {
        drive(() -> other.sends().hasRoom(1));
      }
    }
    recover();
  }

  /**
   * The connection has met an error: flushes it, checks what can be known, and connects it anew.
   */
  private void recover() {
    disconnect();
    stage.step(20);
    stage.poll();
    lanes().forEach(Lane::checkAfterFlush);
    connection.reset();
    reconnect(false);
  }

  private void disconnect() {
    lanes().forEach(Lane::disturb);
    connection.breakDown();
  }

  private void reconnect(boolean wasReset) {
    // Packets of the old connection that are still under way must not meet the new one.
    stage.drainNetwork();
    if (wasReset) {
      lanes().forEach(Lane::checkAfterReset);
    }
    connect();
  }

  private void connect() {
    connection.connect();
    lanes().forEach(Lane::restart);
  }

  /** Goes on until a condition holds or the connection fails. */
  private void drive(BooleanSupplier done) {
    stage.drive(
        () -> done.getAsBoolean() || hasFailed(), () -> lanes().forEach(Lane::ensureReceives));
  }

  private void rarely(Runnable action) {
    if (dice.oneIn(4)) {
      action.run();
    }
  }

  private boolean hasFailed() {
    return there.hasFailed() || back.hasFailed();
  }

  private List<Lane> lanes() {
    return List.of(there, back);
  }

  private Lane other(Lane lane) {
    return lane == there ? back : there;
  }

  private Author authorOf(Lane lane) {
    return lane == there ? thereAuthor : backAuthor;
  }

  private Lane lane(Side from, Side to, QueuePairEx sender, QueuePairEx receiver) {
    Target target = new Target(to);
    Receives receives = new OwnReceives(receiver, to, scenario.depth());
    return new Lane(from, to, sender, receives, target, new ReliableDelivery(target), scenario);
  }

  private QueuePairEx create(Side side) {
    return side.pd()
        .createQpEx(
            QpInitAttr.rc(side.cq())
                .maxSendWr(scenario.depth())
                .maxRecvWr(scenario.depth())
                .sendOps(OPS));
  }
}
