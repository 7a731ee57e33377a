package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkRequestException;
import java.util.ArrayList;
import java.util.List;

/** Invents send requests for a sender and posts them, by either posting API. */
final class Author {
  private final Sender sender;
  private final Dice dice;
  private final Draw[] draws;
  private boolean fenceNext;

  /**
   * An author.
   *
   * @param draws what to invent, each as often as it is listed
   */
  Author(Sender sender, Dice dice, Draw... draws) {
    this.sender = sender;
    this.dice = dice;
    this.draws = draws;
  }

  /** Posts up to {@code count} valid requests, fewer if the queue becomes full. */
  void post(int count) {
    List<Op> ops = new ArrayList<>();
    while (ops.size() < count && sender.sends().hasRoom(ops.size() + 1)) {
      ops.add(sound(ops.size()));
    }
    if (ops.isEmpty()) {
      checkFull();
    } else if (dice.isEven()) {
      postList(ops);
    } else {
      postBatch(ops);
    }
  }

  /** Posts a given request. */
  void post(Op op) {
    if (dice.isEven() || sender.sends().mustSignal(0)) {
      op.flags(SendFlags.SIGNALED);
    }
    op.post(sender.qp());
    sender.posted(op);
  }

  /** Posts a signaled request that leaves no earlier outcome in doubt. */
  Op postClosing(Draw draw) {
    Op op = draw.draw(sender.sends().nextWrId(), dice);
    op.flags(SendFlags.SIGNALED).post(sender.qp());
    sender.posted(op);
    return op;
  }

  private Op sound(int ahead) {
    Op op = dice.among(draws).draw(sender.sends().nextWrId() + ahead, dice);
    if (!dice.oneIn(3) || sender.sends().mustSignal(ahead)) {
      op.flags(SendFlags.SIGNALED);
    }
    if (fenceNext || dice.oneIn(8)) {
      op.flags(SendFlags.FENCE);
    }
    fenceNext = op.needsFenceBehind();
    return op;
  }

  private void postList(List<Op> ops) {
    SendWr next = null;
    for (int i = ops.size() - 1; i >= 0; i--) {
      next = ops.get(i).toSendWr().next(next);
    }
    sender.qp().postSend(next);
    ops.forEach(sender::posted);
  }

  private void postBatch(List<Op> ops) {
    QueuePairEx qp = sender.qp();
    if (dice.oneIn(8)) {
      qp.wrStart();
      ops.forEach(op -> op.build(qp));
      qp.wrAbort();
    }
    qp.wrStart();
    ops.forEach(op -> op.build(qp));
    qp.wrComplete();
    ops.forEach(sender::posted);
  }

  private void checkFull() {
    boolean fence = fenceNext;
    try {
      sender.qp().postSend(sound(0).toSendWr());
      fail("posted to a full queue");
    } catch (WorkRequestException e) {
      assertThat(e.errno()).isEqualTo(Errno.ENOMEM);
    }
    // A request that could not be posted must not affect the next.
    fenceNext = fence;
  }
}
