package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** RDMA_READ of the target, or of data that never changes. */
final class ReadOp extends Op {
  private final Remote remote;
  private final Payload landing;
  private final byte @Nullable [] constant;

  private ReadOp(long wrId, Remote remote, Payload landing, byte @Nullable [] constant) {
    super(WrOpcode.RDMA_READ, WcOpcode.RDMA_READ, wrId);
    this.remote = remote;
    this.landing = landing;
    this.constant = constant;
  }

  static Op draw(Lane lane, long wrId, Dice dice) {
    int length = dice.length();
    Payload landing = lane.landing(wrId, length);
    if (dice.oneIn(4)) {
      return new ReadOp(wrId, lane.target().at(dice.upTo(Target.BYTES - length)), landing, null);
    }
    int offset = dice.upTo(Side.CONSTANT - length);
    return new ReadOp(
        wrId, lane.to().constantAt(offset), landing, lane.to().constantBytes(offset, length));
  }

  @Override
  void describe(SendWr wr) {
    wr.rkey(remote.rkey()).remoteAddr(remote.addr());
    landing.put(wr);
  }

  @Override
  void describe(QueuePairEx qp) {
    qp.wrRdmaRead(remote.rkey(), remote.addr());
    landing.put(qp);
  }

  @Override
  boolean needsFenceBehind() {
    return constant == null;
  }

  @Override
  void checkResult(Target target, Collection<Op> later) {
    byte[] expected = constant == null ? target.shadow().read(remote.offset(), length()) : constant;
    assertThat(Arrays.mismatch(landing.landed(), expected)).as("result of %s", this).isEqualTo(-1);
  }

  @Override
  void checkCompletion(WorkCompletion wc) {
    super.checkCompletion(wc);
    assertThat(wc.byteLen()).as("%s", this).isEqualTo(length());
  }

  @Override
  int length() {
    return landing.length();
  }
}
