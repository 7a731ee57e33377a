package dev.verbena.tck.torture;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The parameters on which the two ends of a lane must agree.
 *
 * @param batch operations that a lane posts at a time
 * @param size longest message
 * @param mtu path MTU in bytes
 * @param timeout timeout code of the queue pairs
 * @param retries retry_cnt of the queue pairs
 * @param seed of lengths and operations
 */
record Traffic(int batch, int size, Mtu mtu, int timeout, int retries, long seed) {
  /** The rights of a target's memory and queue pair. */
  static final int RIGHTS = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  /** Reads what {@link #write} has written. */
  static Traffic read(DataInput in) throws IOException {
    return new Traffic(
        in.readInt(),
        in.readInt(),
        Mtu.of(in.readInt()),
        in.readInt(),
        in.readInt(),
        in.readLong());
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(batch);
    out.writeInt(size);
    out.writeInt(mtu.number());
    out.writeInt(timeout);
    out.writeInt(retries);
    out.writeLong(seed);
  }

  /** Takes a queue pair from RESET to RTS. */
  void connect(QueuePair qp, QpEndpoint peer) {
    qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(RIGHTS));
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTR)
            .ahAttr(AhAttr.to(peer))
            .pathMtu(mtu)
            .destQpNum(peer.qpNum())
            .rqPsn(peer.psn())
            .maxDestRdAtomic(8)
            .minRnrTimer(12));
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTS)
            .sqPsn(qp.endpoint().psn())
            .timeout(timeout)
            .retryCnt(retries)
            .rnrRetry(7)
            .maxRdAtomic(8));
  }

  /** Fails the run, and names the lane, unless a condition holds. */
  void require(int lane, boolean condition, String message) {
    if (!condition) {
      throw problem(lane, message);
    }
  }

  AssertionError problem(int lane, String message) {
    return new AssertionError("seed " + seed + ", lane " + lane + ": " + message);
  }
}
