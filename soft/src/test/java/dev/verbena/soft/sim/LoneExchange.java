package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** Several queue pairs without peers on both sides, which fail and are restarted one by one. */
abstract class LoneExchange<E extends LoneEndpoint> implements Exchange {
  private final Scenario scenario;
  private final Stage stage;
  private final Dice dice;
  private final List<E> endpoints = new ArrayList<>();
  private final Map<E, Author> authors = new HashMap<>();

  LoneExchange(Scenario scenario, RandomGenerator random, Stage stage) {
    this.scenario = scenario;
    this.stage = stage;
    dice = new Dice(random, scenario.mtu().bytes());
  }

  /** Something to send, which may have no effect. */
  abstract Op something(E from, long wrId);

  /** Something whose memory cannot be read. */
  abstract Op unreadable(E from, long wrId);

  @Override
  public void act() {
    E endpoint = someone();
    switch (dice.below(18)) {
      case 0 -> rarely(() -> restart(endpoint));
      case 1 -> rarely(() -> failLocally(endpoint));
      case 2, 3, 4, 5, 6, 7, 8 -> authorOf(endpoint).post(1 + dice.below(4));
      default -> {
        for (int i = dice.below(4); i >= 0; i--) {
          endpoint.receives().post();
        }
      }
    }
  }

  @Override
  public final boolean take(Side side, WorkCompletion wc) {
    for (E endpoint : endpoints) {
      if (side == endpoint.from() && wc.qpNum() == endpoint.qp().qpNum()) {
        if (Place.isReceive(wc.wrId())) {
          endpoint.received(wc);
        } else {
          endpoint.sent(wc);
        }
        return true;
      }
    }
    return false;
  }

  final void add(E endpoint) {
    endpoints.add(endpoint);
    authors.put(endpoint, new Author(endpoint, dice, (wrId, d) -> something(endpoint, wrId)));
  }

  final Scenario scenario() {
    return scenario;
  }

  final Stage stage() {
    return stage;
  }

  final Dice dice() {
    return dice;
  }

  final List<E> endpoints() {
    return endpoints;
  }

  final Author authorOf(E endpoint) {
    return authors.get(endpoint);
  }

  final E someone() {
    return endpoints.get(dice.below(endpoints.size()));
  }

  final void drive(BooleanSupplier done) {
    stage.drive(done, () -> {});
  }

  final void rarely(Runnable action) {
    if (dice.oneIn(4)) {
      action.run();
    }
  }

  /**
   * Moves it to ERR and restarts it: waiting requests are flushed, and what comes meanwhile is
   * lost.
   */
  private void restart(E endpoint) {
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
  private void failLocally(E endpoint) {
    if (!endpoint.sends().hasRoom(1)) {
      return;
    }
    authorOf(endpoint).post(unreadable(endpoint, endpoint.sends().nextWrId()));
    drive(endpoint::hasFailed);
    assertThat(endpoint.qp().query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.SQE);
    authorOf(endpoint).post(1 + dice.below(3));
    stage.poll();
    endpoint.checkSendsFlushed();
    endpoint.qp().modify(new QpAttr().qpState(QpState.RTS));
    endpoint.resume(false);
  }
}
