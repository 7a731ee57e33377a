package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/** Every request is executed once and in order, until one fails. */
final class ReliableDelivery implements Delivery {
  private final Target target;
  private final Deque<MessageOp> toReceive = new ArrayDeque<>();
  private final List<Op> uncertain = new ArrayList<>();
  private final List<Op> untold = new ArrayList<>();

  ReliableDelivery(Target target) {
    this.target = target;
  }

  @Override
  public void posted(Op op) {
    if (op.consumesReceive()) {
      toReceive.add((MessageOp) op);
    }
  }

  @Override
  public void succeeded(Op op, Collection<Op> later) {
    assertThat(op.outcome()).as("%s succeeded", op).isEqualTo(WcStatus.SUCCESS);
    op.checkResult(target, later);
    target.apply(op);
  }

  @Override
  public void doubtful(Op op) {
    uncertain.add(op);
  }

  @Override
  public void received(Place place, WorkCompletion wc) {
    switch (wc.status()) {
      case SUCCESS -> {
        MessageOp message = next(wc);
        assertThat(message.mismatch(place, wc)).as("%s as %s", message, wc).isNull();
        assertThat(message.isRestUntouched(place))
            .as("rest of the receive of %s", message)
            .isTrue();
        message.received();
      }
      case LOC_LEN_ERR -> {
        MessageOp message = next(wc);
        assertThat(message.outcome()).as("%s", message).isEqualTo(WcStatus.REM_INV_REQ_ERR);
        assertThat(message.length()).isGreaterThan(Place.BYTES);
      }
      default -> assertThat(wc.status()).as("%s", wc).isEqualTo(WcStatus.WR_FLUSH_ERR);
    }
  }

  @Override
  public void receiverReset() {
    untold.addAll(toReceive);
  }

  @Override
  public int awaited() {
    return toReceive.size();
  }

  @Override
  public boolean isAwaiting(Op op) {
    return toReceive.contains(op);
  }

  @Override
  public void checkAtRest() {
    assertThat(toReceive).as("messages that were not received").isEmpty();
    target.checkSettled();
  }

  @Override
  public void checkBroken() {
    List<Object> excused = new ArrayList<>(uncertain);
    excused.addAll(untold);
    for (MessageOp message : toReceive) {
      assertThat((Object) message).as("succeeded but was not received: %s", message).isIn(excused);
    }
    target.settle(uncertain);
    uncertain.clear();
    untold.clear();
  }

  @Override
  public void restart() {
    toReceive.clear();
    uncertain.clear();
    untold.clear();
  }

  private MessageOp next(WorkCompletion wc) {
    MessageOp message = toReceive.poll();
    if (message == null) {
      throw new AssertionError("no message for " + wc);
    }
    return message;
  }
}
