package dev.verbena.soft.sim;

import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.XrcDomain;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** An XRC connection from the left to a shared receive queue on the right. */
final class XrcExchange implements Exchange {
  private static final int OPS =
      SendOps.SEND
          | SendOps.SEND_WITH_IMM
          | SendOps.RDMA_WRITE
          | SendOps.RDMA_WRITE_WITH_IMM
          | SendOps.RDMA_READ
          | SendOps.ATOMIC_CMP_AND_SWP
          | SendOps.ATOMIC_FETCH_AND_ADD
          | SendOps.ATOMIC_WRITE
          | SendOps.FLUSH;

  private static final OpKind[] KINDS = {
    SendOp::plain,
    SendOp::withImm,
    WriteOp::plain,
    WriteOp::withImm,
    ReadOp::draw,
    AtomicOp::compareAndSwap,
    AtomicOp::fetchAndAdd,
    AtomicWriteOp::draw,
    FlushOp::draw
  };

  private static final Flaw[] FLAWS = {
    Flaw.UNKNOWN_RKEY,
    Flaw.OUT_OF_BOUNDS,
    Flaw.READ_ONLY_TARGET,
    Flaw.MISALIGNED_ATOMIC,
    Flaw.UNKNOWN_LKEY,
    Flaw.SEND_TOO_LONG
  };

  /** The shared receive queue that every request names. */
  private record Destination(int srqn) implements Addressing {
    @Override
    public void put(SendWr wr) {
      wr.remoteSrqn(srqn);
    }

    @Override
    public void put(QueuePairEx qp) {
      qp.wrSetXrcSrqn(srqn);
    }
  }

  private final Scenario scenario;
  private final Stage stage;
  private final Dice dice;
  private final Destination destination;
  private final QueuePair receiver;
  private final Connection connection;
  private final Lane lane;
  private final Author author;

  XrcExchange(Scenario scenario, RandomGenerator random, Stage stage) {
    this.scenario = scenario;
    this.stage = stage;
    dice = new Dice(random, scenario.mtu().bytes());
    Side left = stage.left();
    Side right = stage.right();
    XrcDomain domain = right.context().openXrcd();
    SharedPool pool = new SharedPool(stage, right, SrqInitAttr.xrc(domain, right.cq(), 1, 1), dice);
    destination = new Destination(pool.srq().srqNum());
    QueuePairEx sender =
        left.pd()
            .createQpEx(QpInitAttr.xrcSend(left.cq()).maxSendWr(scenario.depth()).sendOps(OPS));
    receiver = right.context().createQpEx(QpInitAttr.xrcRecv(domain));
    connection = new Connection(scenario, random, left, right, sender, receiver);
    Target target = new Target(right, MwType.TYPE_2);
    Receives receives = new SharedReceives(pool, receiver, false);
    lane = new Lane(left, right, sender, receives, target, new ReliableDelivery(target), scenario);
    author = new Author(lane, dice, Arrays.stream(KINDS).map(this::addressed).toArray(Draw[]::new));
    connect();
  }

  @Override
  public void act() {
    switch (dice.below(16)) {
      case 0 -> postFlawed();
      case 1 -> rarely(this::recover);
      case 2 -> rarely(this::deregister);
      case 3, 4, 5, 6, 7, 8 -> author.post(1 + dice.below(4));
      case 9 -> lane.receives().armLimit();
      default -> {
        for (int i = dice.below(4); i >= 0; i--) {
          lane.receives().post();
        }
      }
    }
    if (lane.hasFailed()) {
      recover();
    }
  }

  @Override
  public void finish() {
    drive(() -> lane.sends().hasRoom(1));
    if (!lane.hasFailed()) {
      author.postClosing(addressed(WriteOp::empty));
      drive(() -> lane.sends().isIdle());
    }
    if (lane.hasFailed()) {
      recover();
    } else {
      lane.checkAtRest();
    }
  }

  @Override
  public boolean take(Side side, WorkCompletion wc) {
    if (side == lane.from() && wc.qpNum() == lane.qp().qpNum()) {
      lane.sent(wc);
      return true;
    }
    if (side == lane.to() && wc.qpNum() == receiver.qpNum()) {
      lane.received(wc);
      return true;
    }
    return false;
  }

  private void postFlawed() {
    if (lane.sends().hasRoom(1)) {
      if (scenario.faults().isActive()) {
        // Its NAK may be lost, and a queue pair in error answers no retransmission.
        lane.disturb();
      }
      author.post(flawed(lane.sends().nextWrId()));
      drive(lane::hasFailed);
    }
  }

  private Op flawed(long wrId) {
    if (dice.oneIn(4)) {
      Op op = SendOp.plain(lane, wrId, dice).to(new Destination(destination.srqn() ^ 1));
      return op.refusedWith(WcStatus.REM_INV_REQ_ERR);
    }
    Flaw flaw = dice.among(FLAWS);
    return flaw.make(lane, wrId, dice).to(destination).refusedWith(flaw.outcome());
  }

  /** The registration of the target ends while requests for it may be under way. */
  private void deregister() {
    if (lane.sends().hasRoom(1)) {
      Remote remote = lane.target().at(0);
      lane.disturb();
      Shadow last = lane.target().deregister();
      Payload payload = Payload.gather(lane.from(), 1 + dice.below(100), dice);
      Op op = new WriteOp(lane.sends().nextWrId(), false, remote, payload).to(destination);
      author.post(op.refusedWith(WcStatus.REM_ACCESS_ERR));
      drive(lane::hasFailed);
      lane.target().checkUntouchedSince(last);
    }
  }

  /** Flushes, checks what can be known, and reconnects. */
  private void recover() {
    stage.poll();
    lane.disturb();
    connection.breakDown();
    stage.step(20);
    stage.poll();
    lane.checkAfterFlush();
    connection.reset();
    // Packets of the old connection that are still under way must not reach the new one.
    stage.drainNetwork();
    connect();
  }

  private void connect() {
    stage.forgetPackets();
    connection.connect();
    lane.restart();
  }

  /** Continues until a condition holds or the connection fails. */
  private void drive(BooleanSupplier done) {
    stage.drive(() -> done.getAsBoolean() || lane.hasFailed(), lane::ensureReceives);
  }

  private void rarely(Runnable action) {
    if (dice.oneIn(4)) {
      action.run();
    }
  }

  private Draw addressed(OpKind kind) {
    return (wrId, any) -> kind.draw(lane, wrId, any).to(destination);
  }
}
