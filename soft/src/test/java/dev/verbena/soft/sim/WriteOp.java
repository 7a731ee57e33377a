package dev.verbena.soft.sim;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;

/** RDMA_WRITE, plain or with immediate data. */
final class WriteOp extends MessageOp {
  private final boolean withImm;
  private final Remote remote;

  WriteOp(long wrId, boolean withImm, Remote remote, Payload payload) {
    super(
        withImm ? WrOpcode.RDMA_WRITE_WITH_IMM : WrOpcode.RDMA_WRITE,
        WcOpcode.RDMA_WRITE,
        wrId,
        payload);
    this.withImm = withImm;
    this.remote = remote;
  }

  static Op plain(Lane lane, long wrId, Dice dice) {
    return draw(lane, wrId, false, dice);
  }

  static Op withImm(Lane lane, long wrId, Dice dice) {
    return draw(lane, wrId, true, dice);
  }

  /** A WRITE without data, and so without effect. */
  static Op empty(Lane lane, long wrId, Dice dice) {
    return new WriteOp(wrId, false, lane.target().at(0), Payload.gather(lane.from(), 0, dice));
  }

  private static Op draw(Lane lane, long wrId, boolean withImm, Dice dice) {
    int length = dice.length();
    Remote remote = lane.target().at(dice.upTo(Target.BYTES - length), length, dice);
    return new WriteOp(wrId, withImm, remote, Payload.gather(lane.from(), length, dice));
  }

  @Override
  void describe(SendWr wr) {
    wr.rkey(remote.rkey()).remoteAddr(remote.addr()).immData(immediate());
    payload().put(wr);
  }

  @Override
  void describe(QueuePairEx qp) {
    if (withImm) {
      qp.wrRdmaWriteImm(remote.rkey(), remote.addr(), immediate());
    } else {
      qp.wrRdmaWrite(remote.rkey(), remote.addr());
    }
    payload().put(qp);
  }

  @Override
  Change changeOf(Shadow before) {
    return new Change(remote.offset(), payload().data());
  }

  @Override
  boolean consumesReceive() {
    return withImm;
  }

  @Override
  WcOpcode receivedOpcode() {
    return WcOpcode.RECV_RDMA_WITH_IMM;
  }

  @Override
  int receivedFlag() {
    return WcFlags.WITH_IMM;
  }

  @Override
  int receivedValue() {
    return immediate();
  }
}
