package dev.verbena.soft.device;

import dev.verbena.soft.queue.SendWqe;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;

/** A queue pair of the software device with the extended posting API. */
final class SoftQueuePairEx extends SoftQueuePair implements QueuePairEx {
  private final PostBatch region;

  SoftQueuePairEx(
      SoftContext context, SoftProtectionDomain pd, QpInitAttr init, QpInstance instance) {
    super(context, pd, init, instance);
    region =
        new PostBatch(lifetime(), runtime(), section(), sendRules(), windowRules(), init.sendOps());
  }

  @Override
  public QueuePairEx toQpEx() {
    lifetime().require("toQpEx");
    return this;
  }

  @Override
  public long wrId() {
    lifetime().require("wrId");
    return region.wrId();
  }

  @Override
  public QueuePairEx wrId(long wrId) {
    lifetime().require("wrId");
    region.wrId(wrId);
    return this;
  }

  @Override
  public int wrFlags() {
    lifetime().require("wrFlags");
    return region.flags();
  }

  @Override
  public QueuePairEx wrFlags(int flags) {
    lifetime().require("wrFlags");
    region.flags(flags);
    return this;
  }

  @Override
  public void wrStart() {
    region.start();
  }

  @Override
  public void resumeWr() {
    section().resumeRegion();
  }

  @Override
  public void wrComplete() {
    region.complete();
  }

  @Override
  public void wrAbort() {
    region.abort();
  }

  @Override
  public void wrAtomicCmpSwp(int rkey, long remoteAddr, long compare, long swap) {
    SendWqe wqe = region.build("wrAtomicCmpSwp", WrOpcode.ATOMIC_CMP_AND_SWP);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
      wqe.operands(compare, swap);
    }
  }

  @Override
  public void wrAtomicFetchAdd(int rkey, long remoteAddr, long add) {
    SendWqe wqe = region.build("wrAtomicFetchAdd", WrOpcode.ATOMIC_FETCH_AND_ADD);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
      wqe.operands(add, 0);
    }
  }

  @Override
  public void wrBindMw(MemoryWindow mw, int rkey, MwBindInfo bindInfo) {
    region.bindMw(mw, rkey, bindInfo);
  }

  @Override
  public void wrLocalInv(int invalidateRkey) {
    SendWqe wqe = region.build("wrLocalInv", WrOpcode.LOCAL_INV);
    if (wqe != null) {
      wqe.immOrKey(invalidateRkey);
    }
  }

  @Override
  public void wrRdmaRead(int rkey, long remoteAddr) {
    SendWqe wqe = region.build("wrRdmaRead", WrOpcode.RDMA_READ);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
    }
  }

  @Override
  public void wrRdmaWrite(int rkey, long remoteAddr) {
    SendWqe wqe = region.build("wrRdmaWrite", WrOpcode.RDMA_WRITE);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
    }
  }

  @Override
  public void wrRdmaWriteImm(int rkey, long remoteAddr, int immData) {
    SendWqe wqe = region.build("wrRdmaWriteImm", WrOpcode.RDMA_WRITE_WITH_IMM);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
      wqe.immOrKey(immData);
    }
  }

  @Override
  public void wrSend() {
    region.buildPlain("wrSend", WrOpcode.SEND);
  }

  @Override
  public void wrSendImm(int immData) {
    SendWqe wqe = region.build("wrSendImm", WrOpcode.SEND_WITH_IMM);
    if (wqe != null) {
      wqe.immOrKey(immData);
    }
  }

  @Override
  public void wrSendInv(int invalidateRkey) {
    SendWqe wqe = region.build("wrSendInv", WrOpcode.SEND_WITH_INV);
    if (wqe != null) {
      wqe.immOrKey(invalidateRkey);
    }
  }

  @Override
  public void wrSendTso(MemorySegment hdr, int mss) {
    region.buildTso(hdr, mss);
  }

  @Override
  public void wrFlush(int rkey, long remoteAddr, long length, int type, FlushLevel level) {
    region.flush(rkey, remoteAddr, length, type, level);
  }

  @Override
  public void wrAtomicWrite(int rkey, long remoteAddr, long value) {
    SendWqe wqe = region.build("wrAtomicWrite", WrOpcode.ATOMIC_WRITE);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
      wqe.data().addInline(value);
    }
  }

  @Override
  public void wrSetSge(int lkey, long addr, long length) {
    region.setSge(lkey, addr, length);
  }

  @Override
  public void wrSetSgeList(int numSge, Sge[] list) {
    region.setSgeList(numSge, list);
  }

  @Override
  public void wrSetInlineData(MemorySegment data, long offset, long length) {
    region.setInlineData(data, offset, length);
  }

  @Override
  public void wrSetInlineDataList(int numBuf, MemorySegment[] list) {
    region.setInlineDataList(numBuf, list);
  }

  @Override
  public void wrSetUdAddr(AddressHandle ah, int remoteQpn, int remoteQkey) {
    region.setUdAddr(ah, remoteQpn, remoteQkey);
  }

  @Override
  public void wrSetXrcSrqn(int remoteSrqn) {
    region.setSrqNum(remoteSrqn);
  }

  @Override
  public void tearDown() {
    region.abandon();
    super.tearDown();
  }
}
