package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.WorkCompletion;

/** One direction of a connection with the model of what it should do. */
final class Lane extends Sender {
  private final Side to;
  private final Receives receives;
  private final Target target;
  private final boolean impatient;

  /**
   * A lane.
   *
   * @param sender of this side
   * @param receives the receives of its messages at the other side
   * @param target the memory that they may change there
   * @param delivery what the service guarantees
   */
  Lane(
      Side from,
      Side to,
      QueuePairEx sender,
      Receives receives,
      Target target,
      Delivery delivery,
      Scenario scenario) {
    super(from, sender, delivery, scenario);
    this.to = to;
    this.receives = receives;
    this.target = target;
    impatient = scenario.rnrRetry() < 7;
  }

  Side to() {
    return to;
  }

  Target target() {
    return target;
  }

  Receives receives() {
    return receives;
  }

  /** Posts the receives that all sent messages need. */
  void ensureReceives() {
    receives.ensure(delivery().awaited());
  }

  /** A completion of a receive that the lane's requests use. */
  void received(WorkCompletion wc) {
    delivery().received(receives.take(wc), wc);
  }

  /** Checks, after everything has ended without an error, that nothing is missing. */
  void checkAtRest() {
    assertThat(sends().outstanding()).as("requests without completion").isEmpty();
    delivery().checkAtRest();
  }

  /** Checks the state when both queue pairs are in error and all completions were taken. */
  void checkAfterFlush() {
    checkSendsFlushed();
    receives.checkFlushed();
    delivery().checkBroken();
  }

  /** The queue pair that the lane ends at was reset. */
  void receiverReset() {
    if (!receives.areShared()) {
      delivery().receiverReset();
    }
    receives.forget();
  }

  /** Both queue pairs were reset. */
  void checkAfterReset() {
    vanished();
    receiverReset();
    delivery().checkBroken();
  }

  /** The queue pairs start again. */
  void restart() {
    target.register();
    delivery().restart();
    receives.restart();
    resume(impatient);
  }
}
