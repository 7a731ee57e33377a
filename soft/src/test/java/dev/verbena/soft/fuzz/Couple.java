package dev.verbena.soft.fuzz;

import static dev.verbena.verbs.Access.FLUSH_GLOBAL;
import static dev.verbena.verbs.Access.REMOTE_ATOMIC;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Keys;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.MwBind;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.XrcDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Two queue pairs that are each other's peers, and what they send. */
final class Couple {
  private static final int QKEY = 0x1234_5678;
  private static final int RIGHTS = REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC | FLUSH_GLOBAL;
  private static final int MOST_BYTES = 1400;
  private static final int RELIABLE =
      SendOps.SEND
          | SendOps.SEND_WITH_IMM
          | SendOps.RDMA_WRITE
          | SendOps.RDMA_WRITE_WITH_IMM
          | SendOps.RDMA_READ
          | SendOps.ATOMIC_CMP_AND_SWP
          | SendOps.ATOMIC_FETCH_AND_ADD
          | SendOps.ATOMIC_WRITE
          | SendOps.FLUSH
          | SendOps.BIND_MW;
  private static final int UNRELIABLE =
      SendOps.SEND | SendOps.SEND_WITH_IMM | SendOps.RDMA_WRITE | SendOps.RDMA_WRITE_WITH_IMM;
  private static final int DATAGRAMS = SendOps.SEND | SendOps.SEND_WITH_IMM;

  private final QpType type;
  private final Mtu mtu;
  private final RandomGenerator random;
  private final Mutator mutator;
  private final Endpoint left;
  private final Endpoint right;
  private final @Nullable SharedReceiveQueue shared;
  private final Map<Endpoint, AddressHandle> handles = new HashMap<>();
  private final Map<Endpoint, MemoryWindow> windows = new HashMap<>();

  /** Two new queue pairs; with {@link QpType#XRC_SEND} the right one is an XRC_RECV. */
  Couple(
      QpType type, Station left, Station right, Mtu mtu, Mutator mutator, RandomGenerator random) {
    this.type = type;
    this.mtu = mtu;
    this.mutator = mutator;
    this.random = random;
    this.left = new Endpoint(left, create(left, null), null);
    if (type == QpType.XRC_SEND) {
      XrcDomain domain = right.context().openXrcd();
      shared = right.domain().createSrq(SrqInitAttr.xrc(domain, right.cq(), Endpoint.DEPTH, 1));
      QueuePair receiver = right.context().createQpEx(QpInitAttr.xrcRecv(domain));
      this.right = new Endpoint(right, receiver, shared);
      mutator.numbers.add(shared.srqNum());
    } else {
      shared = null;
      SharedReceiveQueue own = type == QpType.RC && random.nextBoolean() ? share(right) : null;
      this.right = new Endpoint(right, create(right, own), own);
    }
    if (type == QpType.UD) {
      handles.put(this.left, left.domain().createAh(AhAttr.to(right.context().queryGid(1, 0))));
      handles.put(this.right, right.domain().createAh(AhAttr.to(left.context().queryGid(1, 0))));
    }
    mutator.numbers.add(this.left.qp().qpNum());
    mutator.numbers.add(this.right.qp().qpNum());
    connect();
  }

  private static SharedReceiveQueue share(Station station) {
    return station.domain().createSrq(new SrqInitAttr().maxWr(Endpoint.DEPTH).maxSge(1));
  }

  private QueuePairEx create(Station station, @Nullable SharedReceiveQueue own) {
    int ops =
        switch (type) {
          case UC -> UNRELIABLE;
          case UD -> DATAGRAMS;
          default -> RELIABLE;
        };
    QpInitAttr attr =
        new QpInitAttr(type)
            .sendCq(station.cq())
            .maxSendWr(Endpoint.DEPTH + 1)
            .sendOps(type == QpType.XRC_SEND ? ops & ~SendOps.BIND_MW : ops);
    return station
        .domain()
        .createQpEx(
            switch (type) {
              case XRC_SEND -> attr;
              default ->
                  own == null
                      ? attr.recvCq(station.cq()).maxRecvWr(Endpoint.DEPTH)
                      : attr.recvCq(station.cq()).srq(own);
            });
  }

  /** Those of datagrams join a group. */
  void join(Gid group) {
    if (type == QpType.UD) {
      endpoints().forEach(endpoint -> endpoint.qp().attachMcast(group));
    }
  }

  List<Endpoint> endpoints() {
    return List.of(left, right);
  }

  private Endpoint other(Endpoint endpoint) {
    return endpoint == left ? right : left;
  }

  /** Whether a request or a queue pair has failed. */
  boolean hasFailed() {
    return left.hasFailed()
        || right.hasFailed()
        || left.qp().query(QpAttrMask.STATE).qpState() != QpState.RTS
        || right.qp().query(QpAttrMask.STATE).qpState() != QpState.RTS;
  }

  boolean isIdle() {
    return left.isIdle() && right.isIdle();
  }

  boolean isFlushed() {
    return left.isFlushed() && right.isFlushed();
  }

  /** Moves both to ERR. */
  void breakDown() {
    for (Endpoint endpoint : endpoints()) {
      endpoint.qp().modify(new QpAttr().qpState(QpState.ERR));
    }
  }

  /** Moves both, which are in ERR, to RESET, and connects them again. */
  void reconnect() {
    for (Endpoint endpoint : endpoints()) {
      endpoint.qp().modify(new QpAttr().qpState(QpState.RESET));
      endpoint.restart();
    }
    connect();
  }

  private void connect() {
    int leftPsn = random.nextInt(1 << 24);
    int rightPsn = random.nextInt(4) == 0 ? 0xff_ffff : random.nextInt(1 << 24);
    ready(left, rightPsn);
    ready(right, leftPsn);
    send(left.qp(), leftPsn);
    send(right.qp(), rightPsn);
    if (type == QpType.RC) {
      endpoints().forEach(this::bindWindow);
    }
    postReceives();
  }

  private void ready(Endpoint endpoint, int peerPsn) {
    QueuePair qp = endpoint.qp();
    QpAttr init = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1);
    qp.modify(type == QpType.UD ? init.qkey(QKEY) : init.qpAccessFlags(RIGHTS));
    QpAttr ready = new QpAttr().qpState(QpState.RTR);
    if (type != QpType.UD) {
      Endpoint peer = other(endpoint);
      ready
          .ahAttr(AhAttr.to(peer.station().context().queryGid(1, 0)))
          .pathMtu(mtu)
          .destQpNum(peer.qp().qpNum())
          .rqPsn(peerPsn);
    }
    if (qp.qpType() == QpType.RC || qp.qpType() == QpType.XRC_RECV) {
      ready.maxDestRdAtomic(2).minRnrTimer(1);
    }
    qp.modify(ready);
  }

  private static void send(QueuePair qp, int psn) {
    QpAttr attr = new QpAttr().qpState(QpState.RTS).sqPsn(psn);
    switch (qp.qpType()) {
      case RC, XRC_SEND -> attr.timeout(10).retryCnt(3).rnrRetry(3).maxRdAtomic(2);
      case XRC_RECV -> attr.timeout(10);
      default -> {}
    }
    qp.modify(attr);
  }

  private void bindWindow(Endpoint endpoint) {
    MemoryWindow old = windows.get(endpoint);
    if (old != null) {
      old.dealloc();
    }
    Station station = endpoint.station();
    MwType kind = random.nextBoolean() ? MwType.TYPE_1 : MwType.TYPE_2;
    MemoryWindow window = station.domain().allocMw(kind);
    windows.put(endpoint, window);
    MemoryRegion zone = station.estate().windowed();
    long start = zone.addr() + Estate.WINDOW_FROM;
    long length = Estate.WINDOW_TO - Estate.WINDOW_FROM;
    MwBindInfo part = new MwBindInfo(zone, start, length, REMOTE_WRITE | REMOTE_READ);
    QueuePairEx qp = (QueuePairEx) endpoint.qp();
    if (kind == MwType.TYPE_1) {
      qp.bindMw(window, new MwBind(endpoint.sends(-1), SendFlags.SIGNALED, part));
      mutator.learn(window.rkey(), start, length);
    } else {
      int key = Keys.incRkey(window.rkey());
      qp.wrStart();
      qp.wrId(endpoint.sends(-1)).wrFlags(SendFlags.SIGNALED);
      qp.wrBindMw(window, key, part);
      qp.wrComplete();
      mutator.learn(key, start, length);
    }
  }

  /** Posts receives, so that there are enough. */
  void postReceives() {
    if (type != QpType.XRC_SEND) {
      left.postReceives();
    }
    right.postReceives();
  }

  /** Posts a request of one of the queue pairs, if there is room. */
  void post() {
    Endpoint from = type == QpType.XRC_SEND || random.nextBoolean() ? left : right;
    if (!from.hasRoom()) {
      return;
    }
    Estate estate = from.station().estate();
    int kind =
        switch (type) {
          case UD -> random.nextInt(2);
          case UC -> random.nextInt(4);
          default -> random.nextInt(9);
        };
    int slot = -1;
    if (kind >= 4 && kind < 7) {
      slot = estate.take();
      if (slot < 0) {
        return;
      }
    }
    QueuePairEx qp = (QueuePairEx) from.qp();
    qp.wrStart();
    int solicited = random.nextBoolean() ? SendFlags.SOLICITED : 0;
    qp.wrId(from.sends(slot)).wrFlags(SendFlags.SIGNALED | solicited);
    build(qp, kind, from, slot);
    qp.wrComplete();
  }

  private void build(QueuePairEx qp, int kind, Endpoint from, int slot) {
    Estate there = other(from).station().estate();
    int key = there.openKey();
    long place = there.openAddress() + random.nextInt(Estate.ZONE - MOST_BYTES);
    int most = type == QpType.UD ? Math.min(mtu.bytes(), MOST_BYTES) : MOST_BYTES;
    int length = Math.min(length(), most);
    switch (kind) {
      case 0 -> qp.wrSend();
      case 1 -> qp.wrSendImm(random.nextInt());
      case 2 -> qp.wrRdmaWrite(key, place);
      case 3 -> qp.wrRdmaWriteImm(key, place, random.nextInt());
      case 4 -> {
        if (random.nextBoolean()) {
          qp.wrRdmaRead(key, place);
        } else {
          MemoryRegion region = there.readable();
          qp.wrRdmaRead(region.rkey(), region.addr() + random.nextInt(Estate.ZONE - MOST_BYTES));
        }
      }
      case 5 -> qp.wrAtomicCmpSwp(key, place & -8, random.nextLong(), random.nextLong());
      case 6 -> qp.wrAtomicFetchAdd(key, place & -8, random.nextLong());
      case 7 -> qp.wrAtomicWrite(key, place & -8, random.nextLong());
      default -> qp.wrFlush(key, place, length, FlushType.GLOBAL, FlushLevel.RANGE);
    }
    address(qp, from);
    if (slot >= 0) {
      Estate here = from.station().estate();
      qp.wrSetSge(here.slots().lkey(), here.address(slot), kind == 4 ? length : Long.BYTES);
    } else if (kind < 4) {
      MemoryRegion source = from.station().estate().source();
      qp.wrSetSge(source.lkey(), source.addr() + random.nextInt(Estate.ZONE - MOST_BYTES), length);
    }
  }

  private void address(QueuePairEx qp, Endpoint from) {
    AddressHandle handle = handles.get(from);
    if (handle != null) {
      qp.wrSetUdAddr(handle, other(from).qp().qpNum(), QKEY);
    }
    if (shared != null) {
      qp.wrSetXrcSrqn(shared.srqNum());
    }
  }

  private int length() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(9);
      case 1 -> mtu.bytes() * random.nextInt(1, 3);
      default -> random.nextInt(MOST_BYTES);
    };
  }

  @Override
  public String toString() {
    return type + ": " + left + ", " + right;
  }
}
