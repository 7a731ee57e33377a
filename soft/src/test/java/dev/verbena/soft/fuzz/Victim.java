package dev.verbena.soft.fuzz;

import dev.verbena.soft.device.Pair;
import dev.verbena.soft.link.Gids;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Address;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RocePorts;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A queue pair that takes packets in its peer's name, of which it knows no more than the address.
 * Time stands still.
 */
final class Victim implements AutoCloseable {
  static final int PSN_BITS = 24;
  static final int QKEY = 0x1234_5678;

  /** Its requests that await an answer, if it is of RC: their PSNs differ in the lowest bits. */
  static final int AWAITED = 64;

  private static final Gid GROUP = Gid.parse("::ffff:239.1.2.3");
  private static final int PEERS_QPN = 0x1234;
  private static final int RECEIVES = 4;
  private static final int MESSAGE = 64;
  private static final int ALIGNED = 1 << 12;
  private static final int DEFAULT_PKEY = 0xffff;

  /** The timeout code that stands for no time-out. */
  private static final int NEVER = 0;

  private final Pair pair;
  private final Context context;
  private final Gid peer;
  private final CompletionQueue cq;
  private final MemoryRegion memory;
  private final QueuePair qp;
  private final int expected;
  private final int awaited;
  private final boolean grouped;
  private final boolean waits;
  private final Tap tap;
  private final Draft draft = new Draft();
  private final Icrc icrc = new Icrc();
  private final WorkCompletion wc = new WorkCompletion();
  private int received;

  /**
   * Opens it.
   *
   * @param seed of its numbers
   * @param grouped whether packets come to a group that it has joined
   * @param waits whether it waits for its peer to post a receive, if it is of RC
   */
  Victim(long seed, QpType type, boolean grouped, boolean waits) {
    this.grouped = grouped;
    this.waits = waits;
    SplittableRandom random = new SplittableRandom(seed);
    List<Tap> taps = new ArrayList<>();
    pair =
        Pair.tapped(
            random.nextLong(),
            FaultSpec.NONE,
            Pair.WIDE,
            link -> {
              taps.add(new Tap(link, (datagram, length) -> {}));
              return taps.getLast();
            });
    tap = taps.getLast();
    peer = pair.left().queryGid(1, 0);
    context = pair.right();
    expected = random.nextInt(1 << PSN_BITS);
    awaited = random.nextInt(1 << PSN_BITS) & -ALIGNED;
    cq = context.createCq(2 * AWAITED);
    ProtectionDomain domain = context.allocPd();
    memory = domain.allocMr(MESSAGE, Access.LOCAL_WRITE);
    qp =
        domain.createQp(
            new QpInitAttr(type)
                .sendCq(cq)
                .recvCq(cq)
                .maxSendWr(AWAITED)
                .maxRecvWr(RECEIVES)
                .maxRecvSge(1));
    connect();
    if (grouped) {
      qp.attachMcast(GROUP);
    }
  }

  private void connect() {
    QpType type = qp.qpType();
    boolean isDatagram = type == QpType.UD;
    boolean isReliable = type == QpType.RC;
    QpAttr init = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1);
    qp.modify(isDatagram ? init.qkey(QKEY) : init.qpAccessFlags(0));
    QpAttr ready = new QpAttr().qpState(QpState.RTR);
    if (!isDatagram) {
      ready.ahAttr(AhAttr.to(peer)).pathMtu(Mtu.MTU_256).destQpNum(PEERS_QPN).rqPsn(expected);
    }
    qp.modify(isReliable ? ready.maxDestRdAtomic(1).minRnrTimer(1) : ready);
    QpAttr sends = new QpAttr().qpState(QpState.RTS).sqPsn(awaited);
    qp.modify(isReliable ? sends.timeout(NEVER).retryCnt(7).rnrRetry(7).maxRdAtomic(1) : sends);
    received = 0;
    for (int i = 0; i < RECEIVES; i++) {
      postReceive();
    }
    if (waits) {
      postSend();
      put(Opcode.RC_ACKNOWLEDGE, qp.qpNum(), awaited, 0, AethSyndrome.ack(0));
      while (cq.poll(wc)) {
        // The message has arrived, and the peer has no more receives.
      }
      postSend();
    }
    for (int i = 0; isReliable && !waits && i < AWAITED; i++) {
      postSend();
    }
    pair.driveUntilIdle();
  }

  private void postSend() {
    qp.postSend(new SendWr().opcode(WrOpcode.SEND));
  }

  private void postReceive() {
    qp.postRecv(new RecvWr().sgList(new Sge(memory.addr(), MESSAGE, memory.lkey())));
  }

  /** The number that packets to it name. */
  int qpn() {
    return grouped ? AddressHandle.MULTICAST_QPN : qp.qpNum();
  }

  /** The PSN of the request that it expects. */
  int expected() {
    return Psn.add(expected, received);
  }

  /** The first PSN that awaits an answer. */
  int awaited() {
    return awaited;
  }

  /**
   * Whether a packet is taken for the peer's. An answer is a NAK, and ends the connection; or, to
   * one that waits, an ACK with receives.
   */
  boolean isHitBy(int opcode, int qpn, int psn, int qkey) {
    long before = notifications();
    long sent = context.counters().get(Counter.PACKETS_SENT);
    put(opcode, qpn, psn, qkey, waits ? AethSyndrome.ack(1) : AethSyndrome.NAK_INVALID_REQUEST);
    boolean hit = notifications() > before;
    if (waits && context.counters().get(Counter.PACKETS_SENT) > sent) {
      hit = true;
      reconnect();
    }
    while (cq.poll(wc)) {
      hit = true;
      if (wc.status() == WcStatus.SUCCESS) {
        received++;
        postReceive();
      }
    }
    if (qp.query(QpAttrMask.STATE).qpState() == QpState.ERR) {
      reconnect();
    }
    return hit;
  }

  private void reconnect() {
    qp.modify(new QpAttr().qpState(QpState.RESET));
    connect();
  }

  private void put(int opcode, int qpn, int psn, int qkey, int syndrome) {
    write(opcode, qpn, psn, qkey, syndrome);
    Address source = Gids.address(peer);
    Address to = grouped ? Gids.address(GROUP) : tap.address();
    icrc.addresses(source, to, RocePorts.UDP_PORT, RocePorts.UDP_PORT);
    icrc.seal(draft.memory(), 0, draft.length());
    tap.put(draft, source, to, 0);
    pair.driveUntilIdle();
  }

  private void write(int opcode, int qpn, int psn, int qkey, int syndrome) {
    Opcode.Row row = Opcode.row(opcode);
    draft.memory().asSlice(0, row.headerLength).fill((byte) 0);
    draft.length(row.headerLength + Draft.ICRC);
    draft.opcode(opcode);
    draft.pkey(DEFAULT_PKEY);
    draft.qpn(qpn);
    draft.psn(psn);
    if (row.has(Aeth.BIT)) {
      Aeth.write(draft.memory(), row.offset(Aeth.BIT), syndrome, 0);
    }
    if (row.has(Deth.BIT)) {
      Deth.write(draft.memory(), row.offset(Deth.BIT), qkey, PEERS_QPN);
    }
  }

  private long notifications() {
    return context.counters().get(Counter.CONGESTION_NOTIFICATIONS_RECEIVED);
  }

  @Override
  public void close() {
    pair.close();
  }
}
