package dev.verbena.soft.sim;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;
import java.util.Collection;

/** LOCAL_INV of a window on the target of the other direction. */
final class LocalInvOp extends Op {
  private final WindowModel window;
  private final int key;

  LocalInvOp(long wrId, WindowModel window) {
    super(WrOpcode.LOCAL_INV, WcOpcode.LOCAL_INV, wrId);
    this.window = window;
    key = window.key();
  }

  @Override
  void describe(SendWr wr) {
    wr.invalidateRkey(key);
  }

  @Override
  void describe(QueuePairEx qp) {
    qp.wrLocalInv(key);
  }

  @Override
  void checkResult(Target target, Collection<Op> later) {
    window.invalidated();
  }

  @Override
  int length() {
    return 0;
  }
}
