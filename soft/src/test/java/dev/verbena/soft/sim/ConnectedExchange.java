package dev.verbena.soft.sim;

import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.WorkCompletion;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** Two queue pairs of a connected service that send to each other, fail, and are reconnected. */
abstract class ConnectedExchange implements Exchange {
  private final QpType type;
  private final int ops;
  private final Scenario scenario;
  private final Stage stage;
  private final Dice dice;
  private final Connection connection;
  private final Lane there;
  private final Lane back;
  private final Author thereAuthor;
  private final Author backAuthor;

  /**
   * Connects two queue pairs.
   *
   * @param ops operations of the extended posting API
   * @param kinds what is posted
   */
  ConnectedExchange(
      QpType type,
      int ops,
      OpKind[] kinds,
      Scenario scenario,
      RandomGenerator random,
      Stage stage) {
    this.type = type;
    this.ops = ops;
    this.scenario = scenario;
    this.stage = stage;
    dice = new Dice(random, scenario.mtu().bytes());
    QueuePairEx leftQp = create(stage.left());
    QueuePairEx rightQp = create(stage.right());
    connection = new Connection(scenario, random, stage.left(), stage.right(), leftQp, rightQp);
    there = lane(stage.left(), stage.right(), leftQp, rightQp);
    back = lane(stage.right(), stage.left(), rightQp, leftQp);
    thereAuthor = author(there, kinds);
    backAuthor = author(back, kinds);
    connect();
  }

  /** What the service guarantees for requests that change this target. */
  abstract Delivery promise(Target target);

  /** Whether every message arrives, or the connection fails. */
  abstract boolean isReliable();

  @Override
  public final boolean take(Side side, WorkCompletion wc) {
    for (Lane lane : lanes()) {
      if (side == lane.from() && wc.qpNum() == lane.qp().qpNum()) {
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

  final Stage stage() {
    return stage;
  }

  final Scenario scenario() {
    return scenario;
  }

  final Dice dice() {
    return dice;
  }

  final List<Lane> lanes() {
    return List.of(there, back);
  }

  final Lane someLane() {
    return dice.isEven() ? there : back;
  }

  final Lane other(Lane lane) {
    return lane == there ? back : there;
  }

  final Author authorOf(Lane lane) {
    return lane == there ? thereAuthor : backAuthor;
  }

  final boolean hasFailed() {
    return there.hasFailed() || back.hasFailed();
  }

  /** Otherwise a reset would silently lose a receive that has a part of a message. */
  final boolean sharesReceives() {
    return there.receives().areShared() || back.receives().areShared();
  }

  final void postReceives(Lane lane) {
    for (int i = dice.below(4); i >= 0; i--) {
      lane.receives().post();
    }
  }

  final void rarely(Runnable action) {
    if (dice.oneIn(4)) {
      action.run();
    }
  }

  /** Binds the window of a target, or ends or invalidates it from either side. */
  final void changeWindow(Lane lane) {
    WindowModel window = lane.target().window();
    // A window is of the queue pair that its lane ends at.
    Lane owner = other(lane);
    if (window.isFree() && owner.sends().hasRoom(1)) {
      bind(window, lane);
    } else if (window.isBound()
        && window.isOwned()
        && isReliable()
        && dice.isEven()
        && lane.sends().hasRoom(1)) {
      Payload payload = Payload.gather(lane.from(), dice.length(), dice);
      window.invalidating();
      authorOf(lane).post(new SendInvOp(lane.sends().nextWrId(), payload, window));
    } else if (window.isBound() && owner.sends().hasRoom(1) && lane.sends().isIdle()) {
      // Packets under way must not come too late for it.
      stage.drainNetwork();
      if (window.isOwned() || dice.isEven()) {
        authorOf(owner).post(window.end(owner.sends().nextWrId()));
      } else {
        bind(window, lane);
      }
    }
  }

  private void bind(WindowModel window, Lane lane) {
    Lane owner = other(lane);
    authorOf(owner).post(window.bind(owner.sends().nextWrId(), lane.target(), dice));
  }

  /** Continues, with the necessary receives, until a condition holds. */
  final void drive(BooleanSupplier done) {
    stage.drive(done, () -> lanes().forEach(Lane::ensureReceives));
  }

  /** Moves both queue pairs to ERR and reconnects them. */
  final void breakDown() {
    stage.poll();
    recover();
  }

  /** Moves both queue pairs to RESET and reconnects them. */
  final void reset() {
    stage.poll();
    if (!hasFailed()) {
      lanes().forEach(Lane::disturb);
      connection.reset();
      reconnect(true);
    }
  }

  /** After an error: flushes the connection, checks what can be known, and reconnects it. */
  final void recover() {
    lanes().forEach(Lane::disturb);
    connection.breakDown();
    stage.step(20);
    stage.poll();
    lanes().forEach(Lane::checkAfterFlush);
    connection.reset();
    reconnect(false);
  }

  private void reconnect(boolean wasReset) {
    // Packets of the old connection that are still under way must not reach the new one.
    stage.drainNetwork();
    if (wasReset) {
      lanes().forEach(Lane::checkAfterReset);
    }
    connect();
  }

  private void connect() {
    stage.forgetPackets();
    connection.connect();
    lanes().forEach(Lane::restart);
  }

  private Lane lane(Side from, Side to, QueuePairEx sender, QueuePairEx receiver) {
    Target target = new Target(to, dice.isEven() ? MwType.TYPE_1 : MwType.TYPE_2);
    Receives receives = Receives.of(receiver, to, !isReliable(), scenario);
    return new Lane(from, to, sender, receives, target, promise(target), scenario);
  }

  private Author author(Lane lane, OpKind[] kinds) {
    return new Author(
        lane, dice, Arrays.stream(kinds).map(kind -> kind.on(lane)).toArray(Draw[]::new));
  }

  private QueuePairEx create(Side side) {
    SharedPool pool = side.pool();
    return side.pd()
        .createQpEx(
            new QpInitAttr(type)
                .sendCq(side.cq())
                .recvCq(side.cq())
                .maxSendWr(scenario.depth())
                .maxRecvWr(scenario.depth())
                .srq(pool == null || dice.isEven() ? null : pool.srq())
                .sendOps(ops));
  }
}
