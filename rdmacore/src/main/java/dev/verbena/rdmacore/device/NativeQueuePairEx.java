package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.layout.IbvQpEx;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;

/** A queue pair of libibverbs with the extended posting API. */
final class NativeQueuePairEx extends NativeQueuePair implements QueuePairEx {
  private final Batch batch;

  /**
   * @param address of its struct ibv_qp, which is the beginning of a struct ibv_qp_ex
   */
  NativeQueuePairEx(NativeProtectionDomain pd, QpInitAttr granted, long address) {
    super(pd, granted, address);
    long ex =
        Functions.QP_TO_QP_EX
            .call("toQpEx", address)
            .pointer("toQpEx", "a queue pair with send operations");
    this.batch = new Batch(lifetime(), section(), sends(), ex, granted.sendOps());
  }

  @Override
  public QueuePairEx toQpEx() {
    lifetime().require("toQpEx");
    return this;
  }

  @Override
  public long wrId() {
    return batch.wrId();
  }

  @Override
  public QueuePairEx wrId(long wrId) {
    batch.wrId(wrId);
    return this;
  }

  @Override
  public int wrFlags() {
    return batch.flags();
  }

  @Override
  public QueuePairEx wrFlags(int flags) {
    batch.flags(flags);
    return this;
  }

  @Override
  public void wrStart() {
    batch.start();
  }

  @Override
  public void resumeWr() {
    section().takeOver();
  }

  @Override
  public void wrComplete() {
    batch.complete();
  }

  @Override
  public void wrAbort() {
    batch.abort();
  }

  @Override
  public void wrAtomicCmpSwp(int rkey, long remoteAddr, long compare, long swap) {
    batch.build(
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
    batch.build(
        "wrAtomicFetchAdd",
        WrOpcode.ATOMIC_FETCH_AND_ADD,
        IbvQpEx.WR_ATOMIC_FETCH_ADD,
        rkey,
        remoteAddr,
        add);
  }

  @Override
  public void wrBindMw(MemoryWindow mw, int rkey, MwBindInfo bindInfo) {
    batch.missing("wrBindMw", WrOpcode.BIND_MW);
  }

  @Override
  public void wrLocalInv(int invalidateRkey) {
    batch.build("wrLocalInv", WrOpcode.LOCAL_INV, IbvQpEx.WR_LOCAL_INV, invalidateRkey, 0, 0);
  }

  @Override
  public void wrRdmaRead(int rkey, long remoteAddr) {
    batch.build("wrRdmaRead", WrOpcode.RDMA_READ, IbvQpEx.WR_RDMA_READ, rkey, remoteAddr, 0);
  }

  @Override
  public void wrRdmaWrite(int rkey, long remoteAddr) {
    batch.build("wrRdmaWrite", WrOpcode.RDMA_WRITE, IbvQpEx.WR_RDMA_WRITE, rkey, remoteAddr, 0);
  }

  @Override
  public void wrRdmaWriteImm(int rkey, long remoteAddr, int immData) {
    batch.build(
        "wrRdmaWriteImm",
        WrOpcode.RDMA_WRITE_WITH_IMM,
        IbvQpEx.WR_RDMA_WRITE_IMM,
        rkey,
        remoteAddr,
        Integer.reverseBytes(immData));
  }

  @Override
  public void wrSend() {
    batch.build("wrSend", WrOpcode.SEND, IbvQpEx.WR_SEND, 0, 0, 0);
  }

  @Override
  public void wrSendImm(int immData) {
    int big = Integer.reverseBytes(immData);
    batch.build("wrSendImm", WrOpcode.SEND_WITH_IMM, IbvQpEx.WR_SEND_IMM, big, 0, 0);
  }

  @Override
  public void wrSendInv(int invalidateRkey) {
    batch.build("wrSendInv", WrOpcode.SEND_WITH_INV, IbvQpEx.WR_SEND_INV, invalidateRkey, 0, 0);
  }

  @Override
  public void wrSendTso(MemorySegment hdr, int mss) {
    batch.missing("wrSendTso", WrOpcode.TSO);
  }

  @Override
  public void wrFlush(int rkey, long remoteAddr, long length, int type, FlushLevel level) {
    batch.missing("wrFlush", WrOpcode.FLUSH);
  }

  @Override
  public void wrAtomicWrite(int rkey, long remoteAddr, long value) {
    batch.atomicWrite(rkey, remoteAddr, value);
  }

  @Override
  public void wrSetSge(int lkey, long addr, long length) {
    batch.setSge(lkey, addr, length);
  }

  @Override
  public void wrSetSgeList(int numSge, Sge[] list) {
    batch.setSgeList(numSge, list);
  }

  @Override
  public void wrSetInlineData(MemorySegment data, long offset, long length) {
    batch.setInlineData("wrSetInlineData", data, offset, length);
  }

  @Override
  public void wrSetInlineDataList(int numBuf, MemorySegment[] list) {
    batch.setInlineData("wrSetInlineDataList", numBuf, list);
  }

  @Override
  public void wrSetUdAddr(AddressHandle ah, int remoteQpn, int remoteQkey) {
    batch.setUdAddr(ah, remoteQpn, remoteQkey);
  }

  @Override
  public void wrSetXrcSrqn(int remoteSrqn) {
    batch.setSrqNum(remoteSrqn);
  }

  @Override
  public void tearDown() {
    batch.abandon();
    super.tearDown();
  }
}
