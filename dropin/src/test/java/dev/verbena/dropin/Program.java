package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAhAttr;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvCqInitAttrEx;
import dev.verbena.rdmacore.layout.IbvGlobalRoute;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.layout.IbvQp;
import dev.verbena.rdmacore.layout.IbvQpAttr;
import dev.verbena.rdmacore.layout.IbvQpCap;
import dev.verbena.rdmacore.layout.IbvQpInitAttr;
import dev.verbena.rdmacore.layout.IbvQpInitAttrEx;
import dev.verbena.rdmacore.layout.IbvRecvWr;
import dev.verbena.rdmacore.layout.IbvSendWr;
import dev.verbena.rdmacore.layout.IbvSge;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.rdmacore.layout.StructLayout;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A program with one context and one protection domain. It destroys the objects created by these
 * methods at its end, in reverse order; each destruction must succeed.
 */
final class Program implements AutoCloseable {
  static final int LOCAL_WRITE = 1;
  static final int ALL_REMOTE = 1 << 1 | 1 << 2 | 1 << 3;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int QUEUE = 16;
  private static final int QP_INIT_ATTR_PD = 1;
  private static final int QP_INIT_ATTR_SEND_OPS = 1 << 6;

  private final Arena arena = Arena.ofShared();
  private final Deque<Runnable> ends = new ArrayDeque<>();
  private final long context;
  private final long pd;

  Program() {
    long list = Verbs.call("ibv_get_device_list", 0);
    context = Verbs.call("ibv_open_device", Host.getLong(list));
    Verbs.call("ibv_free_device_list", list);
    assertThat(context).as("context").isNotZero();
    ends.push(() -> assertThat(Verbs.callInt("ibv_close_device", context)).isZero());
    pd = made(Verbs.call("ibv_alloc_pd", context), "ibv_dealloc_pd");
  }

  long context() {
    return context;
  }

  long pd() {
    return pd;
  }

  /** Zeroed memory. */
  long memory(long bytes) {
    return arena.allocate(bytes, Long.BYTES).address();
  }

  /** A zeroed struct. */
  long struct(StructLayout layout) {
    return memory(layout.size());
  }

  /** Registers an object for destruction by this exported function; returns the object. */
  long made(long object, String destroy) {
    assertThat(object).as(() -> "object for %s, errno %d".formatted(destroy, Verbs.errno()));
    assertThat(object).isNotZero();
    ends.push(() -> assertThat(Verbs.callInt(destroy, object)).as(destroy).isZero());
    return object;
  }

  /** Registers an action for the end. */
  void atEnd(Runnable action) {
    ends.push(action);
  }

  /** Registers a region of new memory. */
  long mr(long bytes, int access) {
    return made(Verbs.call("ibv_reg_mr", pd, memory(bytes), bytes, access), "ibv_dereg_mr");
  }

  static long addr(long mr) {
    return Host.getLong(mr + IbvMr.ADDR);
  }

  static int lkey(long mr) {
    return Host.getInt(mr + IbvMr.LKEY);
  }

  static int rkey(long mr) {
    return Host.getInt(mr + IbvMr.RKEY);
  }

  long cq(int cqe) {
    return made(Verbs.call("ibv_create_cq", context, cqe, 0, 0, 0), "ibv_destroy_cq");
  }

  /** Attributes of a queue pair of moderate size. */
  long qpInit(QpType type, long cq) {
    long init = struct(IbvQpInitAttr.LAYOUT);
    Host.setLong(init + IbvQpInitAttr.SEND_CQ, cq);
    Host.setLong(init + IbvQpInitAttr.RECV_CQ, cq);
    Host.setInt(init + IbvQpInitAttr.QP_TYPE, type.number());
    long cap = init + IbvQpInitAttr.CAP;
    Host.setInt(cap + IbvQpCap.MAX_SEND_WR, QUEUE);
    Host.setInt(cap + IbvQpCap.MAX_RECV_WR, QUEUE);
    Host.setInt(cap + IbvQpCap.MAX_SEND_SGE, 2);
    Host.setInt(cap + IbvQpCap.MAX_RECV_SGE, 2);
    Host.setInt(cap + IbvQpCap.MAX_INLINE_DATA, 64);
    return init;
  }

  long qp(QpType type, long cq) {
    return qp(qpInit(type, cq));
  }

  long qp(long init) {
    return made(Verbs.call("ibv_create_qp", pd, init), "ibv_destroy_qp");
  }

  /** A queue pair with the extended posting API, for these operations. */
  long qpEx(QpType type, long cq, int sendOps) {
    long init = qpExInit(type, cq, sendOps);
    long qp = Verbs.operation(context, VerbsContext.CREATE_QP_EX, context, init);
    made(qp, "ibv_destroy_qp");
    return Verbs.call("ibv_qp_to_qp_ex", qp);
  }

  /** Attributes of such a queue pair. */
  long qpExInit(QpType type, long cq, long sendOps) {
    long init = struct(IbvQpInitAttrEx.LAYOUT);
    CLibraryNative.libc().call("memcpy", init, qpInit(type, cq), IbvQpInitAttrEx.COMP_MASK);
    Host.setInt(init + IbvQpInitAttrEx.COMP_MASK, QP_INIT_ATTR_PD | QP_INIT_ATTR_SEND_OPS);
    Host.setLong(init + IbvQpInitAttrEx.PD, pd);
    Host.setLong(init + IbvQpInitAttrEx.SEND_OPS_FLAGS, sendOps);
    return init;
  }

  /** A completion queue with a cursor that reads these fields. */
  long cqEx(int cqe, long wcFlags) {
    long attr = struct(IbvCqInitAttrEx.LAYOUT);
    Host.setInt(attr + IbvCqInitAttrEx.CQE, cqe);
    Host.setLong(attr + IbvCqInitAttrEx.WC_FLAGS, wcFlags);
    return made(
        Verbs.operation(context, VerbsContext.CREATE_CQ_EX, context, attr), "ibv_destroy_cq");
  }

  static int qpNum(long qp) {
    return Host.getInt(qp + IbvQp.QP_NUM);
  }

  int modify(long qp, long attr, int mask) {
    return Verbs.callInt("ibv_modify_qp", qp, attr, mask);
  }

  /** Takes a reliably connected queue pair from RESET to RTS, as the peer of another. */
  void connect(long qp, long peer) {
    connect(qp, peer, LOCAL_WRITE | ALL_REMOTE);
  }

  /** Connects as above, with these rights for the peer. */
  void connect(long qp, long peer, int access) {
    long attr = struct(IbvQpAttr.LAYOUT);
    Host.setInt(attr + IbvQpAttr.QP_STATE, QpState.INIT.number());
    Host.setByte(attr + IbvQpAttr.PORT_NUM, 1);
    Host.setInt(attr + IbvQpAttr.QP_ACCESS_FLAGS, access);
    int init = QpAttrMask.PKEY_INDEX | QpAttrMask.PORT | QpAttrMask.ACCESS_FLAGS;
    assertThat(modify(qp, attr, QpAttrMask.STATE | init)).isZero();

    Host.setInt(attr + IbvQpAttr.QP_STATE, QpState.RTR.number());
    Host.setInt(attr + IbvQpAttr.PATH_MTU, Mtu.MTU_1024.number());
    Host.setInt(attr + IbvQpAttr.DEST_QP_NUM, qpNum(peer));
    Host.setByte(attr + IbvQpAttr.MAX_DEST_RD_ATOMIC, 1);
    Host.setByte(attr + IbvQpAttr.MIN_RNR_TIMER, 12);
    route(attr + IbvQpAttr.AH_ATTR);
    int rtr = QpAttrMask.AV | QpAttrMask.PATH_MTU | QpAttrMask.DEST_QPN | QpAttrMask.RQ_PSN;
    int responder = QpAttrMask.MAX_DEST_RD_ATOMIC | QpAttrMask.MIN_RNR_TIMER;
    assertThat(modify(qp, attr, QpAttrMask.STATE | rtr | responder)).isZero();

    Host.setInt(attr + IbvQpAttr.QP_STATE, QpState.RTS.number());
    Host.setByte(attr + IbvQpAttr.TIMEOUT, 14);
    Host.setByte(attr + IbvQpAttr.RETRY_CNT, 7);
    Host.setByte(attr + IbvQpAttr.RNR_RETRY, 7);
    Host.setByte(attr + IbvQpAttr.MAX_RD_ATOMIC, 1);
    int retries = QpAttrMask.TIMEOUT | QpAttrMask.RETRY_CNT | QpAttrMask.RNR_RETRY;
    int rts = QpAttrMask.SQ_PSN | QpAttrMask.MAX_QP_RD_ATOMIC;
    assertThat(modify(qp, attr, QpAttrMask.STATE | retries | rts)).isZero();
  }

  /** Takes a datagram queue pair from RESET to RTS. */
  void udToRts(long qp, int qkey) {
    long attr = struct(IbvQpAttr.LAYOUT);
    Host.setByte(attr + IbvQpAttr.PORT_NUM, 1);
    Host.setInt(attr + IbvQpAttr.QKEY, qkey);
    int init = QpAttrMask.PKEY_INDEX | QpAttrMask.PORT | QpAttrMask.QKEY;
    Host.setInt(attr + IbvQpAttr.QP_STATE, QpState.INIT.number());
    assertThat(modify(qp, attr, QpAttrMask.STATE | init)).isZero();
    Host.setInt(attr + IbvQpAttr.QP_STATE, QpState.RTR.number());
    assertThat(modify(qp, attr, QpAttrMask.STATE)).isZero();
    Host.setInt(attr + IbvQpAttr.QP_STATE, QpState.RTS.number());
    assertThat(modify(qp, attr, QpAttrMask.STATE | QpAttrMask.SQ_PSN)).isZero();
  }

  /** Fills a struct ibv_ah_attr with the address of this device itself. */
  void route(long ahAttr) {
    long dgid = ahAttr + IbvAhAttr.GRH + IbvGlobalRoute.DGID;
    assertThat(Verbs.callInt("ibv_query_gid", context, 1, 0, dgid)).isZero();
    Host.setByte(ahAttr + IbvAhAttr.GRH + IbvGlobalRoute.HOP_LIMIT, 64);
    Host.setByte(ahAttr + IbvAhAttr.IS_GLOBAL, 1);
    Host.setByte(ahAttr + IbvAhAttr.PORT_NUM, 1);
  }

  /** One element of memory of a region. */
  long sge(long mr, long offset, int length) {
    long sge = struct(IbvSge.LAYOUT);
    Host.setLong(sge + IbvSge.ADDR, addr(mr) + offset);
    Host.setInt(sge + IbvSge.LENGTH, length);
    Host.setInt(sge + IbvSge.LKEY, lkey(mr));
    return sge;
  }

  /** A receive into one element. */
  long recvWr(long wrId, long sge) {
    long wr = struct(IbvRecvWr.LAYOUT);
    Host.setLong(wr + IbvRecvWr.WR_ID, wrId);
    Host.setLong(wr + IbvRecvWr.SG_LIST, sge);
    Host.setInt(wr + IbvRecvWr.NUM_SGE, 1);
    return wr;
  }

  /** A request of one element. */
  long sendWr(long wrId, int opcode, int flags, long sge) {
    long wr = struct(IbvSendWr.LAYOUT);
    Host.setLong(wr + IbvSendWr.WR_ID, wrId);
    Host.setLong(wr + IbvSendWr.SG_LIST, sge);
    Host.setInt(wr + IbvSendWr.NUM_SGE, sge == 0 ? 0 : 1);
    Host.setInt(wr + IbvSendWr.OPCODE, opcode);
    Host.setInt(wr + IbvSendWr.SEND_FLAGS, flags);
    return wr;
  }

  int postSend(long qp, long wr, long bad) {
    return (int) Verbs.inline(context, IbvContext.OPS_POST_SEND, qp, wr, bad);
  }

  int postRecv(long qp, long wr, long bad) {
    return (int) Verbs.inline(context, IbvContext.OPS_POST_RECV, qp, wr, bad);
  }

  int poll(long cq, int entries, long wc) {
    return (int) Verbs.inline(context, IbvContext.OPS_POLL_CQ, cq, entries, wc);
  }

  /** Waits for a completion; returns its struct. */
  long completion(long cq) {
    long wc = struct(IbvWc.LAYOUT);
    long end = System.nanoTime() + PATIENCE.toNanos();
    int found = poll(cq, 1, wc);
    while (found == 0 && System.nanoTime() < end) {
      found = poll(cq, 1, wc);
    }
    assertThat(found).as("completions").isOne();
    return wc;
  }

  /** Waits for a completion, which must be a success of this request. */
  long succeeded(long cq, long wrId) {
    long wc = completion(cq);
    assertThat(Host.getInt(wc + IbvWc.STATUS)).as("status").isZero();
    assertThat(Host.getLong(wc + IbvWc.WR_ID)).as("wr_id").isEqualTo(wrId);
    return wc;
  }

  @Override
  public void close() {
    while (!ends.isEmpty()) {
      ends.pop().run();
    }
    arena.close();
  }
}
