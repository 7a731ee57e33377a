package dev.verbena.soft.sim;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;

/** SEND_WITH_INV of a window on the target. */
final class SendInvOp extends MessageOp {
  private final WindowModel window;
  private final int key;

  SendInvOp(long wrId, Payload payload, WindowModel window) {
    super(WrOpcode.SEND_WITH_INV, WcOpcode.SEND, wrId, payload);
    this.window = window;
    key = window.key();
  }

  @Override
  void describe(SendWr wr) {
    wr.invalidateRkey(key);
    payload().put(wr);
  }

  @Override
  void describe(QueuePairEx qp) {
    qp.wrSendInv(key);
    payload().put(qp);
  }

  @Override
  boolean consumesReceive() {
    return true;
  }

  @Override
  void received() {
    window.invalidated();
  }

  @Override
  WcOpcode receivedOpcode() {
    return WcOpcode.RECV;
  }

  @Override
  int receivedFlag() {
    return WcFlags.WITH_INV;
  }

  @Override
  int receivedValue() {
    return key;
  }
}
