package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.layout.IbvQpEx;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;

/**
 * A queue pair of libibverbs with the extended posting API: the operations, and the functions of
 * struct ibv_qp_ex for them.
 */
final class NativeQueuePairEx extends BatchingQueuePair {
  /** As for {@link BatchingQueuePair}. */
  NativeQueuePairEx(NativeProtectionDomain pd, QpInitAttr granted, long address) {
    super(pd, granted, address);
  }

  @Override
  public void wrAtomicCmpSwp(int rkey, long remoteAddr, long compare, long swap) {
    build(
        "wrAtomicCmpSwp",
        WrOpcode.ATOMIC_CMP_AND_SWP,
        IbvQpEx.WR_ATOMIC_CMP_SWP,
        rkey,
        remoteAddr,
        compare,
        swap);
  }

  @Override
  public void wrAtomicFetchAdd(int rkey, long remoteAddr, long add) {
    build(
        "wrAtomicFetchAdd",
        WrOpcode.ATOMIC_FETCH_AND_ADD,
        IbvQpEx.WR_ATOMIC_FETCH_ADD,
        rkey,
        remoteAddr,
        add);
  }

  @Override
  public void wrBindMw(MemoryWindow mw, int rkey, MwBindInfo bindInfo) {
    bind("wrBindMw", mw, rkey, bindInfo);
  }

  @Override
  public void wrLocalInv(int invalidateRkey) {
    build("wrLocalInv", WrOpcode.LOCAL_INV, IbvQpEx.WR_LOCAL_INV, invalidateRkey, 0, 0);
  }

  @Override
  public void wrRdmaRead(int rkey, long remoteAddr) {
    build("wrRdmaRead", WrOpcode.RDMA_READ, IbvQpEx.WR_RDMA_READ, rkey, remoteAddr, 0);
  }

  @Override
  public void wrRdmaWrite(int rkey, long remoteAddr) {
    build("wrRdmaWrite", WrOpcode.RDMA_WRITE, IbvQpEx.WR_RDMA_WRITE, rkey, remoteAddr, 0);
  }

  @Override
  public void wrRdmaWriteImm(int rkey, long remoteAddr, int immData) {
    build(
        "wrRdmaWriteImm",
        WrOpcode.RDMA_WRITE_WITH_IMM,
        IbvQpEx.WR_RDMA_WRITE_IMM,
        rkey,
        remoteAddr,
        Integer.reverseBytes(immData));
  }

  @Override
  public void wrSend() {
    build("wrSend", WrOpcode.SEND, IbvQpEx.WR_SEND, 0, 0, 0);
  }

  @Override
  public void wrSendImm(int immData) {
    int big = Integer.reverseBytes(immData);
    build("wrSendImm", WrOpcode.SEND_WITH_IMM, IbvQpEx.WR_SEND_IMM, big, 0, 0);
  }

  @Override
  public void wrSendInv(int invalidateRkey) {
    build("wrSendInv", WrOpcode.SEND_WITH_INV, IbvQpEx.WR_SEND_INV, invalidateRkey, 0, 0);
  }

  @Override
  public void wrSendTso(MemorySegment hdr, int mss) {
    segments("wrSendTso", hdr, mss);
  }

  @Override
  public void wrFlush(int rkey, long remoteAddr, long length, int type, FlushLevel level) {
    flush("wrFlush", rkey, remoteAddr, length, type, level.number());
  }
}
