package dev.verbena.soft.sim;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;

/** ATOMIC_WRITE of a word that the other atomics use as well. */
final class AtomicWriteOp extends Op {
  private final Remote remote;
  private final Payload value;

  private AtomicWriteOp(long wrId, Remote remote, Payload value) {
    super(WrOpcode.ATOMIC_WRITE, WcOpcode.ATOMIC_WRITE, wrId);
    this.remote = remote;
    this.value = value;
  }

  static Op draw(Lane lane, long wrId, Dice dice) {
    Payload value = Payload.gather(lane.from(), Long.BYTES, dice).fromMemory();
    return new AtomicWriteOp(wrId, AtomicOp.someWord(lane, dice), value);
  }

  @Override
  void describe(SendWr wr) {
    wr.rkey(remote.rkey()).remoteAddr(remote.addr());
    value.put(wr);
  }

  @Override
  void describe(QueuePairEx qp) {
    qp.wrAtomicWrite(remote.rkey(), remote.addr(), Shadow.word(value.data()));
  }

  @Override
  Change changeOf(Shadow before) {
    return new Change(remote.offset(), value.data());
  }

  @Override
  int length() {
    return Long.BYTES;
  }
}
