package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whole messages arrive, in order and once, or not at all, and the sender is not told. A lost WRITE
 * may have stored a part of its data.
 */
final class UnreliableDelivery implements Delivery {
  private final Target target;
  private final boolean lossless;
  private final Deque<Op> stores = new ArrayDeque<>();
  private final Set<Op> arrived = new HashSet<>();
  private final Set<Op> doubtful = new HashSet<>();
  private final Deque<MessageOp> toReceive = new ArrayDeque<>();

  /**
   * A model.
   *
   * @param lossless whether no packet is lost, so that a message that needs no receive always
   *     arrives
   */
  UnreliableDelivery(Target target, boolean lossless) {
    this.target = target;
    this.lossless = lossless;
  }

  @Override
  public void posted(Op op) {
    if (!op.isRefused()) {
      stores.add(op);
      if (op.consumesReceive()) {
        toReceive.add((MessageOp) op);
      }
    }
  }

  @Override
  public void succeeded(Op op, Collection<Op> later) {
    assertThat(op.outcome()).as("%s succeeded", op).isEqualTo(WcStatus.SUCCESS);
    op.checkResult(target, later);
  }

  @Override
  public void doubtful(Op op) {
    // A message that was not sent whole cannot arrive whole.
    doubtful.add(op);
    toReceive.remove(op);
  }

  @Override
  public void received(Place place, WorkCompletion wc) {
    if (wc.status() == WcStatus.WR_FLUSH_ERR) {
      return;
    }
    assertThat(wc.status()).as("%s", wc).isEqualTo(WcStatus.SUCCESS);
    MessageOp message = toReceive.poll();
    while (message != null && message.mismatch(place, wc) != null) {
      message = toReceive.poll();
    }
    if (message == null) {
      throw new AssertionError("no message that was sent, or not in this order, fits " + wc);
    }
    arrived.add(message);
  }

  @Override
  public void receiverReset() {
    // Whether a message arrived is never known.
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
    settle(
        op ->
            arrived.contains(op) || (lossless && !op.consumesReceive() && !doubtful.contains(op)));
  }

  @Override
  public void checkBroken() {
    settle(arrived::contains);
  }

  /** Checks that messages that arrived, and parts of doubtful ones, explain the memory. */
  private void settle(Predicate<Op> whole) {
    target.settle(stores, whole);
    stores.clear();
    arrived.clear();
    doubtful.clear();
  }

  @Override
  public void restart() {
    toReceive.clear();
  }
}
