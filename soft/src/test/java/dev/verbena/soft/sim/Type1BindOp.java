package dev.verbena.soft.sim;

import dev.verbena.verbs.MwBind;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;
import java.util.Collection;

/**
 * A bind of a window of type 1 by its own call: to another part of the target, or to nothing, which
 * ends it.
 */
final class Type1BindOp extends Op {
  private final WindowModel window;
  private final MwBindInfo info;

  Type1BindOp(long wrId, WindowModel window, MwBindInfo info) {
    super(WrOpcode.BIND_MW, WcOpcode.BIND_MW, wrId);
    this.window = window;
    this.info = info;
  }

  @Override
  void post(QueuePairEx qp) {
    qp.bindMw(window.mw(), new MwBind(wrId(), flags(), info));
    window.rekeyed();
  }

  @Override
  void describe(SendWr wr) {
    throw new IllegalStateException("no work request binds a window of type 1");
  }

  @Override
  void describe(QueuePairEx qp) {
    throw new IllegalStateException("no builder binds a window of type 1");
  }

  @Override
  void checkResult(Target target, Collection<Op> later) {
    if (info.length() > 0) {
      window.bound();
    } else {
      window.invalidated();
    }
  }

  @Override
  int length() {
    return 0;
  }
}
