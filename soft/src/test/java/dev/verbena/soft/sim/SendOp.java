package dev.verbena.soft.sim;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;

/** SEND, plain or with immediate data. */
class SendOp extends MessageOp {
  private final boolean withImm;

  SendOp(long wrId, boolean withImm, Payload payload) {
    super(withImm ? WrOpcode.SEND_WITH_IMM : WrOpcode.SEND, WcOpcode.SEND, wrId, payload);
    this.withImm = withImm;
  }

  static Op plain(Lane lane, long wrId, Dice dice) {
    return new SendOp(wrId, false, Payload.gather(lane.from(), dice.length(), dice));
  }

  static Op withImm(Lane lane, long wrId, Dice dice) {
    return new SendOp(wrId, true, Payload.gather(lane.from(), dice.length(), dice));
  }

  @Override
  void describe(SendWr wr) {
    wr.immData(immediate());
    payload().put(wr);
  }

  @Override
  void describe(QueuePairEx qp) {
    if (withImm) {
      qp.wrSendImm(immediate());
    } else {
      qp.wrSend();
    }
    payload().put(qp);
  }

  @Override
  boolean consumesReceive() {
    return true;
  }

  @Override
  WcOpcode receivedOpcode() {
    return WcOpcode.RECV;
  }

  @Override
  int receivedFlag() {
    return withImm ? WcFlags.WITH_IMM : 0;
  }

  @Override
  int receivedValue() {
    return immediate();
  }
}
