package dev.verbena.tck.torture;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/**
 * The parameters on which the two ends of a lane must agree.
 *
 * @param service transport service of the queue pairs
 * @param mischiefs what targets do to themselves now and then
 * @param losesPackets whether faults of the devices do
 * @param exchangesPackets whether faults of the devices let packets overtake others
 * @param batch operations that a lane posts at a time
 * @param size longest message
 * @param mtu path MTU in bytes
 * @param timeout timeout code of the queue pairs
 * @param retries retry_cnt of the queue pairs
 * @param seed of lengths and operations
 */
record Traffic(
    Service service,
    Set<Mischief> mischiefs,
    boolean losesPackets,
    boolean exchangesPackets,
    int batch,
    int size,
    Mtu mtu,
    int timeout,
    int retries,
    long seed) {
  /** What peers may do with a target's memory and queue pair. */
  static final int RIGHTS =
      Access.REMOTE_WRITE
          | Access.REMOTE_READ
          | Access.REMOTE_ATOMIC
          | Access.FLUSH_GLOBAL
          | Access.FLUSH_PERSISTENT;

  /** The rights of a target's memory. */
  static final int TARGET = Access.LOCAL_WRITE | Access.MW_BIND | RIGHTS;

  /** The Q_Key of datagrams. */
  static final int QKEY = 0x0707_0707;

  /** Nanoseconds of timeout code 0, if it had a meaning. */
  private static final long TIMEOUT_UNIT = 4096;

  private static final int READS = 8;
  private static final int RNR_TIMER = 12;

  /** Reads what {@link #write} has written. */
  static Traffic read(DataInput in) throws IOException {
    return new Traffic(
        Service.valueOf(in.readUTF()),
        readMischiefs(in),
        in.readBoolean(),
        in.readBoolean(),
        in.readInt(),
        in.readInt(),
        Mtu.of(in.readInt()),
        in.readInt(),
        in.readInt(),
        in.readLong());
  }

  private static Set<Mischief> readMischiefs(DataInput in) throws IOException {
    Set<Mischief> mischiefs = EnumSet.noneOf(Mischief.class);
    for (int left = in.readInt(); left > 0; left--) {
      mischiefs.add(Mischief.valueOf(in.readUTF()));
    }
    return mischiefs;
  }

  void write(DataOutput out) throws IOException {
    out.writeUTF(service.name());
    out.writeInt(mischiefs.size());
    for (Mischief mischief : mischiefs) {
      out.writeUTF(mischief.name());
    }
    out.writeBoolean(losesPackets);
    out.writeBoolean(exchangesPackets);
    out.writeInt(batch);
    out.writeInt(size);
    out.writeInt(mtu.number());
    out.writeInt(timeout);
    out.writeInt(retries);
    out.writeLong(seed);
  }

  /**
   * Whether faults may lose the answer that ends an operation, which then gets none. That of a
   * READ, for instance, counts no more if it was overtaken: it is asked for again.
   */
  boolean mayLoseAnswer(Operation op) {
    return losesPackets || (exchangesPackets && op.isAnswered());
  }

  /** The same with another service. */
  Traffic with(Service other) {
    return new Traffic(
        other, mischiefs, losesPackets, exchangesPackets, batch, size, mtu, timeout, retries, seed);
  }

  /** The same with another seed. */
  Traffic withSeed(long other) {
    return new Traffic(
        service,
        mischiefs,
        losesPackets,
        exchangesPackets,
        batch,
        size,
        mtu,
        timeout,
        retries,
        other);
  }

  /**
   * A third of the targets have memory of each kind. That is out of step with the services, which
   * come in turn, so that each has all kinds.
   */
  static LaneMemory.Kind memory(int lane) {
    LaneMemory.Kind[] kinds = LaneMemory.Kind.values();
    return kinds[(lane + lane / kinds.length) % kinds.length];
  }

  /** The most packets of a batch. */
  int mostPackets() {
    return batch * Math.max(1, Math.ceilDiv(size, mtu.bytes()));
  }

  /** How long a lane takes to give up a silent peer, in nanoseconds. */
  long patience() {
    return (retries + 1) * (TIMEOUT_UNIT << timeout);
  }

  /** Takes a queue pair from RESET to RTS. */
  void connect(QueuePair qp, QpEndpoint peer) {
    QpAttr init = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1);
    QpAttr ready = new QpAttr().qpState(QpState.RTS).sqPsn(qp.endpoint().psn());
    switch (qp.qpType()) {
      case UD -> {
        qp.modify(init.qkey(QKEY));
        qp.modify(new QpAttr().qpState(QpState.RTR));
        qp.modify(ready);
      }
      case UC -> {
        qp.modify(init.qpAccessFlags(RIGHTS));
        qp.modify(toPeer(peer));
        qp.modify(ready);
      }
      case XRC_RECV -> {
        qp.modify(init.qpAccessFlags(RIGHTS));
        qp.modify(toPeer(peer).maxDestRdAtomic(READS).minRnrTimer(RNR_TIMER));
        qp.modify(ready.timeout(timeout));
      }
      default -> {
        boolean receives = qp.qpType() == QpType.RC;
        QpAttr toPeer = toPeer(peer);
        qp.modify(init.qpAccessFlags(receives ? RIGHTS : 0));
        qp.modify(receives ? toPeer.maxDestRdAtomic(READS).minRnrTimer(RNR_TIMER) : toPeer);
        qp.modify(ready.timeout(timeout).retryCnt(retries).rnrRetry(7).maxRdAtomic(READS));
      }
    }
  }

  private QpAttr toPeer(QpEndpoint peer) {
    return new QpAttr()
        .qpState(QpState.RTR)
        .ahAttr(AhAttr.to(peer))
        .pathMtu(mtu)
        .destQpNum(peer.qpNum())
        .rqPsn(peer.psn());
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
