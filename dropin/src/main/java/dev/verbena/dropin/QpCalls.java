package dev.verbena.dropin;

import dev.verbena.dropin.object.CqBinding;
import dev.verbena.dropin.object.HandleKind;
import dev.verbena.dropin.object.Handles;
import dev.verbena.dropin.object.QpBinding;
import dev.verbena.dropin.object.SrqBinding;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.QpAttrs;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvQp;
import dev.verbena.rdmacore.layout.IbvQpInitAttr;
import dev.verbena.rdmacore.layout.IbvQpInitAttrEx;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpOpenAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RxHashConf;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** Calls about queue pairs. */
final class QpCalls {
  /** Bits of comp_mask of struct ibv_qp_init_attr_ex. */
  private static final int MASK_CREATE_FLAGS = 1 << 2;

  private static final int MASK_MAX_TSO_HEADER = 1 << 3;
  private static final int MASK_RX_HASH = 1 << 5;
  private static final int MASK_SEND_OPS = 1 << 6;

  /**
   * Operations for which struct ibv_qp_ex has functions: those of rdma-core 44, and FLUSH of 47.
   */
  private static final long SEND_OPS =
      (SendOps.TSO << 1) - 1 | SendOps.FLUSH | SendOps.ATOMIC_WRITE;

  /** Offsets of handles in the shim's struct parts. */
  private static final int PD = 0;

  private static final int SEND_CQ = PD + Long.BYTES;
  private static final int RECV_CQ = SEND_CQ + Long.BYTES;
  private static final int SRQ = RECV_CQ + Long.BYTES;
  private static final int XRCD = SRQ + Long.BYTES;
  private static final int RWQ_IND_TBL = XRCD + Long.BYTES;

  static long createQp(long contextHandle, long attr, long parts, long struct) {
    Context context = DeviceCalls.context(contextHandle);
    int mask = Host.getInt(attr + IbvQpInitAttrEx.COMP_MASK);
    QpType type = QpType.of(Host.getInt(attr + IbvQpInitAttrEx.QP_TYPE));
    QpBinding binding = new QpBinding(struct, type);
    QpInitAttr init =
        new QpInitAttr(type)
            .qpContext(binding)
            .sendCq(cq(Host.getLong(parts + SEND_CQ)))
            .recvCq(cq(Host.getLong(parts + RECV_CQ)))
            .srq(SrqBinding.srqIfGiven(Host.getLong(parts + SRQ)))
            .xrcd(Handles.getIfGiven(Host.getLong(parts + XRCD), HandleKind.XRCD))
            .cap(Structs.cap(attr + IbvQpInitAttrEx.CAP))
            .sqSigAll(Host.getInt(attr + IbvQpInitAttrEx.SQ_SIG_ALL) != 0);
    if ((mask & MASK_CREATE_FLAGS) != 0) {
      init.createFlags(Host.getInt(attr + IbvQpInitAttrEx.CREATE_FLAGS));
    }
    if ((mask & MASK_MAX_TSO_HEADER) != 0) {
      init.maxTsoHeader(Host.getShort(attr + IbvQpInitAttrEx.MAX_TSO_HEADER));
    }
    RxHashConf hash = (mask & MASK_RX_HASH) != 0 ? WqCalls.rxHashConf(attr) : null;
    init.rxHash(
        Handles.getIfGiven(Host.getLong(parts + RWQ_IND_TBL), HandleKind.RWQ_IND_TABLE), hash);
    boolean sendOps = (mask & MASK_SEND_OPS) != 0;
    if (sendOps) {
      init.sendOps(sendOps(Host.getLong(attr + IbvQpInitAttrEx.SEND_OPS_FLAGS)));
    }
    ProtectionDomain pd = Handles.getIfGiven(Host.getLong(parts + PD), HandleKind.PD);
    QueuePair qp = pd == null ? context.createQpEx(init) : pd.createQp(init);
    binding.bind(qp, sendOps);
    Structs.setCap(attr + IbvQpInitAttrEx.CAP, qp.queryInit().cap());
    add(binding);
    return 0;
  }

  private static int sendOps(long bits) {
    if ((bits & ~SEND_OPS) != 0) {
      throw new VerbsException(
          "createQpEx", Errno.EOPNOTSUPP, "send_ops_flags 0x" + Long.toHexString(bits));
    }
    return (int) bits;
  }

  static long openQp(long contextHandle, long xrcd, long qpNum, long type, long struct) {
    QpType kind = QpType.of((int) type);
    QpBinding binding = new QpBinding(struct, kind);
    QpOpenAttr attr =
        new QpOpenAttr(Handles.get(xrcd, HandleKind.XRCD), (int) qpNum)
            .qpType(kind)
            .qpContext(binding);
    binding.bind(DeviceCalls.context(contextHandle).openQp(attr), false);
    add(binding);
    return 0;
  }

  private static void add(QpBinding binding) {
    long struct = binding.struct();
    QueuePair qp = binding.queue();
    Host.setInt(struct + IbvQp.QP_NUM, qp.qpNum());
    Host.setInt(struct + IbvQp.STATE, qp.state().number());
    Host.setInt(struct + IbvQp.HANDLE, (int) Handles.add(qp.context(), binding));
  }

  private static @Nullable CompletionQueue cq(long handle) {
    CqBinding binding = Handles.getIfGiven(handle, HandleKind.CQ);
    return binding == null ? null : binding.queue();
  }

  static long destroyQp(long handle) {
    QpBinding.get(handle).destroy();
    Handles.remove(handle);
    return 0;
  }

  static long modifyQp(long handle, long attr, long mask) {
    QpBinding binding = QpBinding.get(handle);
    int effective = EffectiveMask.of(binding.type(), (int) mask);
    binding.queue().modify(QpAttrs.read(attr, effective), effective);
    return 0;
  }

  static long queryQp(long handle, long out, long mask, long init) {
    QueuePair qp = QpBinding.get(handle).queue();
    QpAttr attr = qp.query((int) mask);
    QpAttrs.write(attr, out);
    QpInitAttr made = qp.queryInit();
    Structs.setCap(init + IbvQpInitAttr.CAP, made.cap());
    Host.setInt(init + IbvQpInitAttr.SQ_SIG_ALL, made.sqSigAll() ? 1 : 0);
    return 0;
  }

  static long dataInOrder(long handle, long opcode, long flags) {
    return QpBinding.get(handle).queue().queryDataInOrder(WrOpcode.of((int) opcode), (int) flags);
  }

  static long attachMcast(long handle, long gid, long lid) {
    QpBinding.get(handle).queue().attachMcast(Structs.gid(gid), (int) lid);
    return 0;
  }

  static long detachMcast(long handle, long gid, long lid) {
    QpBinding.get(handle).queue().detachMcast(Structs.gid(gid), (int) lid);
    return 0;
  }

  private QpCalls() {}
}
