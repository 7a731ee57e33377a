package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvQpAttr;
import dev.verbena.rdmacore.layout.IbvQpInitAttrEx;
import dev.verbena.rdmacore.layout.IbvRecvWr;
import dev.verbena.rdmacore.layout.IbvRwqIndTableInitAttr;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.rdmacore.layout.IbvWq;
import dev.verbena.rdmacore.layout.IbvWqAttr;
import dev.verbena.rdmacore.layout.IbvWqInitAttr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlowAttrType;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RxHashFields;
import dev.verbena.verbs.RxHashFunction;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WqState;
import dev.verbena.verbs.WrOpcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** ibv_create_wq, ibv_create_rwq_ind_table and queue pairs that hash. */
final class WorkQueueVerbsTest {
  private static final int FRAME = 64;
  private static final int LOG_SIZE = 1;
  private static final int KEY_BYTES = 40;
  private static final int STATE = 1;
  private static final int CURR_STATE = 2;
  private static final int FLAGS = 4;

  /** comp_mask of the queue pair: PD, table and hash. */
  private static final int HASHES = 1 | 1 << 4 | 1 << 5;

  private final Program program = new Program();
  private final FlowMemory memory = new FlowMemory();
  private final long cq = program.cq(16);

  @AfterEach
  void end() {
    memory.close();
    program.close();
  }

  private long wqInit(int maxWr) {
    long init = program.struct(IbvWqInitAttr.LAYOUT);
    Host.setInt(init + IbvWqInitAttr.MAX_WR, maxWr);
    Host.setInt(init + IbvWqInitAttr.MAX_SGE, 1);
    Host.setLong(init + IbvWqInitAttr.PD, program.pd());
    Host.setLong(init + IbvWqInitAttr.CQ, cq);
    return init;
  }

  private long createWq(long init) {
    return Verbs.operation(program.context(), VerbsContext.CREATE_WQ, program.context(), init);
  }

  private int modifyWq(long wq, int mask, WqState to, WqState from) {
    long attr = program.struct(IbvWqAttr.LAYOUT);
    Host.setInt(attr + IbvWqAttr.ATTR_MASK, mask);
    Host.setInt(attr + IbvWqAttr.WQ_STATE, to.number());
    Host.setInt(attr + IbvWqAttr.CURR_WQ_STATE, from.number());
    return (int) Verbs.operation(program.context(), VerbsContext.MODIFY_WQ, wq, attr);
  }

  private int destroyWq(long wq) {
    return (int) Verbs.operation(program.context(), VerbsContext.DESTROY_WQ, wq);
  }

  private long createTable(long... wqs) {
    long entries = program.memory((long) wqs.length * Long.BYTES);
    for (int i = 0; i < wqs.length; i++) {
      Host.setLong(entries + (long) i * Long.BYTES, wqs[i]);
    }
    return createTableAt(entries);
  }

  private long createTableAt(long entries) {
    long init = program.struct(IbvRwqIndTableInitAttr.LAYOUT);
    Host.setInt(init + IbvRwqIndTableInitAttr.LOG_IND_TBL_SIZE, LOG_SIZE);
    Host.setLong(init + IbvRwqIndTableInitAttr.IND_TBL, entries);
    return Verbs.operation(
        program.context(), VerbsContext.CREATE_RWQ_IND_TABLE, program.context(), init);
  }

  private int destroyTable(long table) {
    return (int) Verbs.operation(program.context(), VerbsContext.DESTROY_RWQ_IND_TABLE, table);
  }

  private long hashingInit(long table) {
    long init = program.struct(IbvQpInitAttrEx.LAYOUT);
    Host.setInt(init + IbvQpInitAttrEx.QP_TYPE, QpType.RAW_PACKET.number());
    Host.setInt(init + IbvQpInitAttrEx.COMP_MASK, HASHES);
    Host.setLong(init + IbvQpInitAttrEx.PD, program.pd());
    Host.setLong(init + IbvQpInitAttrEx.RWQ_IND_TBL, table);
    Host.setByte(init + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_FUNCTION, RxHashFunction.TOEPLITZ);
    Host.setByte(init + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_KEY_LEN, KEY_BYTES);
    Host.setLong(init + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_KEY, program.memory(KEY_BYTES));
    Host.setLong(init + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_FIELDS_MASK, RxHashFields.SRC_IPV4);
    return init;
  }

  private long createQp(long init) {
    return Verbs.operation(program.context(), VerbsContext.CREATE_QP_EX, program.context(), init);
  }

  private void toRts(long qp) {
    long attr = program.struct(IbvQpAttr.LAYOUT);
    Host.setByte(attr + IbvQpAttr.PORT_NUM, 1);
    for (QpState state : new QpState[] {QpState.INIT, QpState.RTR, QpState.RTS}) {
      Host.setInt(attr + IbvQpAttr.QP_STATE, state.number());
      int mask = QpAttrMask.STATE | (state == QpState.INIT ? QpAttrMask.PORT : 0);
      assertThat(program.modify(qp, attr, mask)).isZero();
    }
  }

  @Test
  void aFrameLandsInAWorkQueueOfTheTable() {
    long first = createWq(wqInit(4));
    long second = createWq(wqInit(4));
    for (long wq : new long[] {first, second}) {
      assertThat(wq).isNotZero();
      assertThat(modifyWq(wq, STATE | CURR_STATE, WqState.RDY, WqState.RESET)).isZero();
      assertThat(Host.getInt(wq + IbvWq.STATE)).isEqualTo(WqState.RDY.number());
    }
    long table = createTable(first, second);
    assertThat(table).isNotZero();
    long qp = createQp(hashingInit(table));
    assertThat(qp).isNotZero();
    memory.rule(FlowAttrType.SNIFFER.number());
    long flow =
        Verbs.operation(program.context(), VerbsContext.IBV_CREATE_FLOW, qp, memory.address());
    assertThat(flow).isNotZero();
    long mr = program.mr(2 * FRAME, Program.LOCAL_WRITE);
    Host.setByte(Program.addr(mr) + FRAME - 1, 42);
    long bad = program.memory(Long.BYTES);
    for (long wq : new long[] {first, second}) {
      long wr = program.recvWr(1, program.sge(mr, FRAME, FRAME));
      assertThat((int) Verbs.inline(wq, IbvWq.POST_RECV, wq, wr, bad)).isZero();
    }

    long sendCq = program.cq(4);
    long sender = program.qp(QpType.RAW_PACKET, sendCq);
    toRts(sender);
    long send =
        program.sendWr(2, WrOpcode.SEND.number(), SendFlags.SIGNALED, program.sge(mr, 0, FRAME));
    assertThat(program.postSend(sender, send, bad)).isZero();

    program.succeeded(sendCq, 2);
    long wc = program.succeeded(cq, 1);
    assertThat(Host.getInt(wc + IbvWc.QP_NUM))
        .as("no IPv4: the hash is 0")
        .isEqualTo(Host.getInt(first + IbvWq.WQ_NUM));
    assertThat(Host.getByte(Program.addr(mr) + 2 * FRAME - 1)).isEqualTo(42);

    assertThat(destroyWq(first)).isEqualTo(Errno.EBUSY);
    assertThat(destroyTable(table)).isEqualTo(Errno.EBUSY);
    assertThat((int) Verbs.operation(program.context(), VerbsContext.IBV_DESTROY_FLOW, flow))
        .isZero();
    assertThat(Verbs.callInt("ibv_destroy_qp", qp)).isZero();
    assertThat(destroyTable(table)).isZero();
    assertThat(destroyWq(second)).isZero();
    assertThat(destroyWq(first)).isZero();
  }

  @Test
  void whatIsWrongIsTold() {
    long init = wqInit(2);
    Host.setInt(init + IbvWqInitAttr.COMP_MASK, 1);
    Host.setInt(init + IbvWqInitAttr.CREATE_FLAGS, 1);
    assertThat(createWq(init)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(createWq(wqInit(-1))).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);

    long wq = createWq(wqInit(1));
    assertThat(modifyWq(wq, STATE | CURR_STATE, WqState.RDY, WqState.ERR)).isEqualTo(Errno.EINVAL);
    assertThat(modifyWq(wq, FLAGS, WqState.RDY, WqState.RESET)).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(modifyWq(wq, STATE, WqState.ERR, WqState.RESET)).isEqualTo(Errno.EINVAL);
    assertThat(Host.getInt(wq + IbvWq.STATE)).isEqualTo(WqState.RESET.number());
    long mr = program.mr(FRAME, Program.LOCAL_WRITE);
    long bad = program.memory(Long.BYTES);
    long wr = program.recvWr(1, program.sge(mr, 0, FRAME));
    assertThat((int) Verbs.inline(wq, IbvWq.POST_RECV, wq, wr, bad)).isZero();
    assertThat((int) Verbs.inline(wq, IbvWq.POST_RECV, wq, wr, bad)).isEqualTo(Errno.ENOMEM);
    assertThat(Host.getLong(bad)).isEqualTo(wr);

    long table = createTable(wq, wq);
    long hashing = hashingInit(table);
    Host.setByte(hashing + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_KEY_LEN, KEY_BYTES - 1);
    assertThat(createQp(hashing)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    long unknown = hashingInit(table);
    Host.setLong(unknown + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_FIELDS_MASK, 1L << 32);
    assertThat(createQp(unknown)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(destroyTable(table)).isZero();
    assertThat(destroyWq(wq)).isZero();
  }

  @Test
  void nullPointersForATableItsQueuesAndAKeyAreRefused() {
    long wq = createWq(wqInit(1));
    assertThat(createTableAt(0)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    assertThat(createTable(wq, 0)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    long table = createTable(wq, wq);
    long hashing = hashingInit(table);
    Host.setLong(hashing + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_KEY, 0);
    assertThat(createQp(hashing)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    assertThat(destroyTable(table)).isZero();
    assertThat(destroyWq(wq)).isZero();
  }

  @Test
  void aListMayBeLongerThanIsReadAtOnce() {
    int length = 1000;
    long wq = createWq(wqInit(length));
    long mr = program.mr(FRAME, Program.LOCAL_WRITE);
    long bad = program.memory(Long.BYTES);
    long first = 0;
    for (int i = length; i >= 0; i--) {
      long wr = program.recvWr(i, program.sge(mr, 0, FRAME));
      Host.setLong(wr + IbvRecvWr.NEXT, first);
      first = wr;
    }
    assertThat((int) Verbs.inline(wq, IbvWq.POST_RECV, wq, first, bad)).isEqualTo(Errno.ENOMEM);
    assertThat(Host.getLong(Host.getLong(bad) + IbvRecvWr.WR_ID)).isEqualTo(length);
    assertThat(destroyWq(wq)).isZero();
  }
}
