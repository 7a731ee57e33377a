package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;

/** One direction of a connection with the model of what it should do. */
final class Lane {
  private final Side from;
  private final Side to;
  private final QueuePairEx sender;
  private final Receives receives;
  private final Target target;
  private final Delivery delivery;
  private final boolean impatient;
  private final SendModel sends;
  private final MemoryRegion landing;
  private boolean failed;
  private boolean disturbed;

  /**
   * A lane.
   *
   * @param sender of this side
   * @param receives what the messages take at the other side
   * @param target what they may change there
   * @param delivery what is promised
   */
  Lane(
      Side from,
      Side to,
      QueuePairEx sender,
      Receives receives,
      Target target,
      Delivery delivery,
      Scenario scenario) {
    this.from = from;
    this.to = to;
    this.sender = sender;
    this.receives = receives;
    this.target = target;
    this.delivery = delivery;
    impatient = scenario.rnrRetry() < 7;
    sends = new SendModel(scenario.depth());
    landing = from.newLanding(Place.BYTES * scenario.depth());
  }

  Side from() {
    return from;
  }

  Side to() {
    return to;
  }

  QueuePairEx sender() {
    return sender;
  }

  Target target() {
    return target;
  }

  Receives receives() {
    return receives;
  }

  Delivery delivery() {
    return delivery;
  }

  SendModel sends() {
    return sends;
  }

  /** The place where the answer to a request lands. */
  Payload landing(long wrId, int length) {
    return Payload.landing(landing, (int) (wrId % sends.depth()) * Place.BYTES, length);
  }

  boolean hasFailed() {
    return failed;
  }

  /** From now on requests may fail because the connection was broken on purpose. */
  void disturb() {
    disturbed = true;
  }

  void posted(Op op) {
    sends.posted(op);
    delivery.posted(op);
  }

  /** Posts the receives that what was sent so far needs. */
  void ensureReceives() {
    receives.ensure(delivery.awaited());
  }

  /** A completion of a send. */
  void sent(WorkCompletion wc) {
    Op op = sends.complete(wc, this::succeed);
    switch (wc.status()) {
      case SUCCESS -> {
        assertThat(failed).as("%s after an error", wc).isFalse();
        assertThat(op.outcome()).as("%s", op).isEqualTo(WcStatus.SUCCESS);
        assertThat(op.isSignaled()).as("%s has a completion", op).isTrue();
        op.checkCompletion(wc);
        succeed(op);
      }
      case WR_FLUSH_ERR -> {
        assertThat(failed || disturbed).as("%s without reason", wc).isTrue();
        failed = true;
        delivery.doubtful(op);
      }
      default -> {
        assertThat(failed).as("%s is a second error", wc).isFalse();
        boolean expected =
            wc.status() == op.outcome() || (disturbed && isOfBrokenConnection(wc.status()));
        assertThat(expected).as("%s for %s", wc, op).isTrue();
        failed = true;
        delivery.doubtful(op);
      }
    }
  }

  /** A completion of a receive that the lane's requests use. */
  void received(WorkCompletion wc) {
    delivery.received(receives.take(wc), wc);
  }

  /**
   * The sender was reset: what was outstanding may or may not have happened, and nothing more will.
   */
  void senderVanished() {
    sends.takeAll().forEach(delivery::doubtful);
  }

  /** Everything has come to rest without an error: nothing may be missing. */
  void checkAtRest() {
    assertThat(sends.outstanding()).as("requests without completion").isEmpty();
    delivery.checkAtRest();
  }

  /** The sender alone is in error, and all completions were taken. */
  void checkSendsFlushed() {
    sends.succeedRest(this::succeed);
  }

  /** The sender alone had failed and goes on. */
  void resumeSending() {
    sends.restart();
    failed = false;
  }

  /** Both queue pairs are in error and all completions were taken. */
  void checkAfterFlush() {
    checkSendsFlushed();
    receives.checkFlushed();
    delivery.checkBroken();
  }

  /** Both queue pairs were reset. */
  void checkAfterReset() {
    senderVanished();
    delivery.checkBroken();
  }

  /** The queue pairs start again. */
  void restart() {
    target.register();
    sends.restart();
    delivery.restart();
    receives.restart();
    failed = false;
    disturbed = impatient;
  }

  private void succeed(Op op) {
    delivery.succeeded(op, sends.outstanding());
  }

  private static boolean isOfBrokenConnection(WcStatus status) {
    return status == WcStatus.RETRY_EXC_ERR
        || status == WcStatus.RNR_RETRY_EXC_ERR
        || status == WcStatus.REM_ACCESS_ERR;
  }
}
