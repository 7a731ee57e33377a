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
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.XrcDomain;
import dev.verbena.wire.Address;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.BufferSize;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Reth;
import dev.verbena.wire.RocePorts;
import dev.verbena.wire.Xrceth;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair that takes packets in its peer's name, of which it knows no more than the address.
 * Time stands still.
 */
final class Victim implements AutoCloseable {
  /** What a packet has done. */
  enum Effect {
    NONE,
    /** A message, a notification, or news of receives or a buffer, was taken for the peer's. */
    TAKEN,
    /** Memory was written, or its bytes are on their way to the peer. */
    ACCESSED,
    /** The connection is over. */
    ENDED
  }

  /** What it does, if its type allows. */
  enum Role {
    /** Sends messages, which await an answer, and takes requests. */
    SENDS,
    /** Waits for its peer to post a receive. */
    WAITS,
    /** Awaits the answer to a READ. */
    READS,
    /** Has answered a READ, and nothing else, with the PSN that is called the expected one. */
    ANSWERS,
    /** Takes datagrams to a group that it has joined. */
    GROUPED
  }

  static final int PSN_BITS = 24;

  /** Its messages that await an answer: their PSNs differ in the lowest bits. */
  static final int AWAITED = 64;

  private static final int QKEY = 0x1234_5678;
  private static final Gid GROUP = Gid.parse("::ffff:239.1.2.3");
  private static final int PEERS_QPN = 0x1234;
  private static final int RECEIVES = 4;
  private static final int MESSAGE = 64;
  private static final int WORD = Integer.BYTES;
  private static final int BUFFER = 1 << 20;
  private static final int RIGHTS = Access.REMOTE_WRITE | Access.REMOTE_READ;
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
  private final @Nullable SharedReceiveQueue shared;
  private final int srqn;
  private final Role role;
  private final int expected;
  private final int awaited;
  private final Tap tap;
  private final Draft draft = new Draft();
  private final Icrc icrc = new Icrc();
  private final WorkCompletion wc = new WorkCompletion();
  private int received;
  private int sentByPeer;
  private boolean sentData;

  /**
   * Opens it.
   *
   * @param seed of its numbers
   */
  Victim(long seed, QpType type, Role role) {
    this.role = role;
    SplittableRandom random = new SplittableRandom(seed);
    List<Tap> taps = new ArrayList<>();
    pair =
        Pair.tapped(
            random.nextLong(),
            FaultSpec.NONE,
            Pair.WIDE,
            link -> {
              taps.add(new Tap(link, this::hear));
              return taps.getLast();
            });
    tap = taps.getLast();
    peer = pair.left().queryGid(1, 0);
    context = pair.right();
    expected = random.nextInt(1 << PSN_BITS);
    awaited = random.nextInt(1 << PSN_BITS) & -ALIGNED;
    cq = context.createCq(2 * AWAITED);
    ProtectionDomain domain = context.allocPd();
    memory = domain.allocMr(MESSAGE, Access.LOCAL_WRITE, RIGHTS);
    if (type == QpType.XRC_RECV) {
      XrcDomain targets = context.openXrcd();
      shared = domain.createSrq(SrqInitAttr.xrc(targets, cq, RECEIVES, 1));
      srqn = shared.srqNum();
      qp = context.createQpEx(QpInitAttr.xrcRecv(targets));
      postReceives();
    } else {
      shared = null;
      srqn = 0;
      QpInitAttr attr = new QpInitAttr(type).sendCq(cq).maxSendWr(AWAITED).maxSendSge(1);
      boolean receives = type != QpType.XRC_SEND;
      qp = domain.createQp(receives ? attr.recvCq(cq).maxRecvWr(RECEIVES).maxRecvSge(1) : attr);
    }
    connect();
    if (role == Role.GROUPED) {
      qp.attachMcast(GROUP);
    }
  }

  private void connect() {
    QpType type = qp.qpType();
    QpAttr init = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1);
    qp.modify(type == QpType.UD ? init.qkey(QKEY) : init.qpAccessFlags(RIGHTS));
    QpAttr ready = new QpAttr().qpState(QpState.RTR);
    if (type != QpType.UD) {
      ready.ahAttr(AhAttr.to(peer)).pathMtu(Mtu.MTU_256).destQpNum(PEERS_QPN).rqPsn(expected);
    }
    boolean answers = type == QpType.RC || type == QpType.XRC_RECV;
    qp.modify(answers ? ready.maxDestRdAtomic(1).minRnrTimer(1) : ready);
    boolean requests = type == QpType.RC || type == QpType.XRC_SEND;
    QpAttr sends = new QpAttr().qpState(QpState.RTS).sqPsn(awaited);
    if (requests) {
      sends.retryCnt(7).rnrRetry(7).maxRdAtomic(1);
    }
    qp.modify(requests || answers ? sends.timeout(NEVER) : sends);
    received = 0;
    if (shared == null && type != QpType.XRC_SEND) {
      postReceives();
    }
    if (role == Role.WAITS) {
      postSend();
      put(Opcode.RC_ACKNOWLEDGE, qp.qpNum(), awaited, 0, AethSyndrome.ack(0));
      while (cq.poll(wc)) {
        // The message has arrived, and the peer has no more receives.
      }
      postSend();
    } else if (role == Role.READS) {
      Sge word = new Sge(memory.addr(), WORD, memory.lkey());
      qp.postSend(new SendWr().opcode(WrOpcode.RDMA_READ).sgList(word));
    } else if (role == Role.ANSWERS) {
      put(Opcode.RC_READ_REQUEST, qp.qpNum(), expected, memory.rkey(), 0);
    } else if (requests) {
      for (int i = 0; i < AWAITED; i++) {
        postSend();
      }
    }
    pair.driveUntilIdle();
  }

  private void postSend() {
    // The peer has no such queue, as it has no such queue pair.
    qp.postSend(new SendWr().opcode(WrOpcode.SEND).remoteSrqn(1));
  }

  private void postReceives() {
    for (int i = 0; i < RECEIVES; i++) {
      postReceive();
    }
  }

  private void postReceive() {
    RecvWr receive = new RecvWr().sgList(new Sge(memory.addr(), MESSAGE, memory.lkey()));
    if (shared != null) {
      shared.postRecv(receive);
    } else {
      qp.postRecv(receive);
    }
  }

  private void hear(MemorySegment datagram, int length) {
    int opcode = datagram.get(ValueLayout.JAVA_BYTE, 0) & 0xff;
    sentData |= Opcode.row(opcode).operation == Operation.READ_RESPONSE;
  }

  /** The number that packets to it name. */
  int qpn() {
    return role == Role.GROUPED ? AddressHandle.MULTICAST_QPN : qp.qpNum();
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
   * What a packet must name besides: a Q_Key, the key of its memory, or the number of its shared
   * receive queue.
   */
  int key(int opcode) {
    Opcode.Row row = Opcode.row(opcode);
    if (row.has(Reth.BIT)) {
      return memory.rkey();
    }
    return row.has(Xrceth.BIT) ? srqn : QKEY;
  }

  /** Takes a packet in its peer's name. */
  Effect take(int opcode, int qpn, int psn, int key) {
    long before = notifications();
    long sent = context.counters().get(Counter.PACKETS_SENT);
    sentData = false;
    put(opcode, qpn, psn, key, syndrome());
    Effect effect = notifications() > before ? Effect.TAKEN : Effect.NONE;
    if (opcode == Opcode.VERBENA_BUFFER && knowsBuffer()) {
      effect = Effect.TAKEN;
      reconnect();
    }
    if (role == Role.WAITS && context.counters().get(Counter.PACKETS_SENT) > sent) {
      effect = Effect.TAKEN;
      reconnect();
    }
    while (cq.poll(wc)) {
      if (wc.status() == WcStatus.SUCCESS) {
        effect = Effect.TAKEN;
        received++;
        postReceive();
      }
    }
    if (sentData || memory.memory().get(ValueLayout.JAVA_INT, 0) != 0) {
      effect = Effect.ACCESSED;
      memory.memory().fill((byte) 0);
      reconnect();
    }
    if (qp.query(QpAttrMask.STATE).qpState() == QpState.ERR) {
      effect = Effect.ENDED;
      reconnect();
    }
    return effect;
  }

  /** What an answer says. */
  private int syndrome() {
    return switch (role) {
      case WAITS -> AethSyndrome.ack(1);
      case READS -> AethSyndrome.ACK_UNLIMITED;
      case SENDS, ANSWERS, GROUPED -> AethSyndrome.NAK_INVALID_REQUEST;
    };
  }

  /**
   * Takes messages of the peer of an unreliable connection, until one has an effect or so many have
   * had none.
   *
   * @return how many had none
   */
  int peerSends(int most) {
    int lost = 0;
    while (lost < most && takeFromPeer() == Effect.NONE) {
      lost++;
    }
    return lost;
  }

  private Effect takeFromPeer() {
    return take(Opcode.UC_SEND_ONLY, qpn(), Psn.add(expected, sentByPeer++), 0);
  }

  private void reconnect() {
    qp.modify(new QpAttr().qpState(QpState.RESET));
    connect();
  }

  private void put(int opcode, int qpn, int psn, int key, int syndrome) {
    write(opcode, qpn, psn, key, syndrome);
    Address source = Gids.address(peer);
    Address to = role == Role.GROUPED ? Gids.address(GROUP) : tap.address();
    icrc.addresses(source, to, RocePorts.UDP_PORT, RocePorts.UDP_PORT);
    icrc.seal(draft.memory(), 0, draft.length());
    tap.put(draft, source, to, 0);
    pair.driveUntilIdle();
  }

  private void write(int opcode, int qpn, int psn, int key, int syndrome) {
    Opcode.Row row = Opcode.row(opcode);
    int header = row.headerLength;
    draft.memory().asSlice(0, header).fill((byte) 0);
    boolean carries = row.operation == Operation.WRITE || row.operation == Operation.READ_RESPONSE;
    draft.length(header + (carries ? WORD : 0) + Draft.ICRC);
    draft.opcode(opcode);
    draft.pkey(DEFAULT_PKEY);
    draft.qpn(qpn);
    draft.psn(psn);
    if (row.has(Aeth.BIT)) {
      Aeth.write(draft.memory(), row.offset(Aeth.BIT), syndrome, 0);
    }
    if (row.has(BufferSize.BIT)) {
      BufferSize.write(draft.memory(), row.offset(BufferSize.BIT), BUFFER);
    }
    if (row.has(Deth.BIT)) {
      Deth.write(draft.memory(), row.offset(Deth.BIT), key, PEERS_QPN);
    }
    if (row.has(Reth.BIT)) {
      Reth.write(draft.memory(), row.offset(Reth.BIT), memory.addr(), key, WORD);
    }
    if (row.has(Xrceth.BIT)) {
      Xrceth.write(draft.memory(), row.offset(Xrceth.BIT), row.has(Reth.BIT) ? srqn : key);
    }
    if (carries) {
      draft.setInt(header, -1);
    }
  }

  private boolean knowsBuffer() {
    return qp.dump().contains("its receive buffer has " + BUFFER + " bytes");
  }

  private long notifications() {
    return context.counters().get(Counter.CONGESTION_NOTIFICATIONS_RECEIVED);
  }

  @Override
  public void close() {
    pair.close();
  }
}
