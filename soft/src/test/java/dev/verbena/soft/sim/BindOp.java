package dev.verbena.soft.sim;

import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;
import java.util.Collection;

/** BIND_MW: a window on the target of the other direction, which ends at this queue pair. */
final class BindOp extends Op {
  private final WindowModel window;
  private final int key;
  private final MwBindInfo info;

  BindOp(long wrId, WindowModel window, MwBindInfo info) {
    super(WrOpcode.BIND_MW, WcOpcode.BIND_MW, wrId);
    this.window = window;
    key = window.key();
    this.info = info;
  }

  @Override
  void describe(SendWr wr) {
    wr.mw(window.mw()).bindRkey(key).bindInfo(info);
  }

  @Override
  void describe(QueuePairEx qp) {
    qp.wrBindMw(window.mw(), key, info);
  }

  @Override
  void checkResult(Target target, Collection<Op> later) {
    window.bound();
  }

  @Override
  int length() {
    return 0;
  }
}
