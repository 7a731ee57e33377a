package dev.verbena.soft.sim;

import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;
import java.util.Collection;

/** FLUSH of a part of the target or of all of it: what was written before it has arrived. */
final class FlushOp extends Op {
  private final Remote remote;
  private final int length;
  private final FlushLevel level;

  private FlushOp(long wrId, Remote remote, int length, FlushLevel level) {
    super(WrOpcode.FLUSH, WcOpcode.FLUSH, wrId);
    this.remote = remote;
    this.length = length;
    this.level = level;
  }

  static Op draw(Lane lane, long wrId, Dice dice) {
    FlushLevel level = dice.isEven() ? FlushLevel.RANGE : FlushLevel.MR;
    int length = dice.upTo(Target.BYTES);
    return new FlushOp(wrId, lane.target().at(dice.upTo(Target.BYTES - length)), length, level);
  }

  @Override
  void describe(SendWr wr) {
    wr.rkey(remote.rkey())
        .remoteAddr(remote.addr())
        .flushType(FlushType.GLOBAL)
        .flushLevel(level)
        .flushLength(length);
  }

  @Override
  void describe(QueuePairEx qp) {
    qp.wrFlush(remote.rkey(), remote.addr(), length, FlushType.GLOBAL, level);
  }

  @Override
  void checkResult(Target target, Collection<Op> later) {
    if (level == FlushLevel.MR) {
      target.checkArrived(0, Target.BYTES, later);
    } else {
      target.checkArrived(remote.offset(), length, later);
    }
  }

  @Override
  int length() {
    return length;
  }
}
