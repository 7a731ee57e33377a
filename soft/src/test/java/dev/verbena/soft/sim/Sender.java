package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;

/** The send queue of a queue pair with the model of what it should do. */
class Sender {
  private final Side from;
  private final QueuePairEx qp;
  private final Delivery delivery;
  private final SendModel sends;
  private final MemoryRegion landing;
  private boolean failed;
  private boolean disturbed;

  /**
   * The sender of a queue pair.
   *
   * @param from its side
   * @param delivery what the service guarantees for its requests
   */
  Sender(Side from, QueuePairEx qp, Delivery delivery, Scenario scenario) {
    this.from = from;
    this.qp = qp;
    this.delivery = delivery;
    sends = new SendModel(scenario.depth());
    landing = from.newLanding(Place.BYTES * scenario.depth());
  }

  final Side from() {
    return from;
  }

  final QueuePairEx qp() {
    return qp;
  }

  final SendModel sends() {
    return sends;
  }

  final Delivery delivery() {
    return delivery;
  }

  /** The place where the answer to a request lands. */
  final Payload landing(long wrId, int length) {
    return Payload.landing(landing, (int) (wrId % sends.depth()) * Place.BYTES, length);
  }

  /** A body behind a header, which has its place in memory until the request has completed. */
  final Payload behind(long wrId, byte[] header, Payload body) {
    return body.behind(header, landing, (int) (wrId % sends.depth()) * Place.BYTES);
  }

  final boolean hasFailed() {
    return failed;
  }

  /** Lets requests fail from now on, because the queue pair was stopped on purpose. */
  final void disturb() {
    disturbed = true;
  }

  final void posted(Op op) {
    sends.posted(op);
    delivery.posted(op);
  }

  /** A completion of a send. */
  final void sent(WorkCompletion wc) {
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

  /** The queue was reset; outstanding requests may or may not have been executed. */
  final void vanished() {
    sends.takeAll().forEach(delivery::doubtful);
  }

  /** Checks the queue when it is in error and all completions were taken. */
  final void checkSendsFlushed() {
    sends.succeedRest(this::succeed);
  }

  /**
   * The queue continues, empty.
   *
   * @param impatient whether requests may fail at any time
   */
  final void resume(boolean impatient) {
    sends.restart();
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
