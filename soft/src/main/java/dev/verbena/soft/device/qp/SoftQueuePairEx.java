package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.device.post.PostBatch;
import dev.verbena.soft.engine.qp.QpMachines;
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
  private final PostBatch batch;
  private final QpMachines machines;

  SoftQueuePairEx(OpenContext context, OpenDomain pd, QpInitAttr init, QpInstance instance) {
    super(context, pd, init, instance);
    machines = runtime().machines;
    batch =
        new PostBatch(lifetime(), runtime(), section(), sendRules(), windowRules(), init.sendOps());
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
    if (batch.complete()) {
      machines.sendDoorbell();
    }
  }

  @Override
  public void wrAbort() {
    batch.abort();
  }

  @Override
  public void wrAtomicCmpSwp(int rkey, long remoteAddr, long compare, long swap) {
    SendWqe wqe = batch.build("wrAtomicCmpSwp", WrOpcode.ATOMIC_CMP_AND_SWP);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
      wqe.operands(compare, swap);
    }
  }

  @Override
  public void wrAtomicFetchAdd(int rkey, long remoteAddr, long add) {
    SendWqe wqe = batch.build("wrAtomicFetchAdd", WrOpcode.ATOMIC_FETCH_AND_ADD);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
      wqe.operands(0, add);
    }
  }

  @Override
  public void wrBindMw(MemoryWindow mw, int rkey, MwBindInfo bindInfo) {
    batch.bindMw(mw, rkey, bindInfo);
  }

  @Override
  public void wrLocalInv(int invalidateRkey) {
    SendWqe wqe = batch.build("wrLocalInv", WrOpcode.LOCAL_INV);
    if (wqe != null) {
      wqe.immOrKey(invalidateRkey);
    }
  }

  @Override
  public void wrRdmaRead(int rkey, long remoteAddr) {
    SendWqe wqe = batch.build("wrRdmaRead", WrOpcode.RDMA_READ);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
    }
  }

  @Override
  public void wrRdmaWrite(int rkey, long remoteAddr) {
    SendWqe wqe = batch.build("wrRdmaWrite", WrOpcode.RDMA_WRITE);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
    }
  }

  @Override
  public void wrRdmaWriteImm(int rkey, long remoteAddr, int immData) {
    SendWqe wqe = batch.build("wrRdmaWriteImm", WrOpcode.RDMA_WRITE_WITH_IMM);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
      wqe.immOrKey(immData);
    }
  }

  @Override
  public void wrSend() {
    batch.buildPlain("wrSend", WrOpcode.SEND);
  }

  @Override
  public void wrSendImm(int immData) {
    SendWqe wqe = batch.build("wrSendImm", WrOpcode.SEND_WITH_IMM);
    if (wqe != null) {
      wqe.immOrKey(immData);
    }
  }

  @Override
  public void wrSendInv(int invalidateRkey) {
    SendWqe wqe = batch.build("wrSendInv", WrOpcode.SEND_WITH_INV);
    if (wqe != null) {
      wqe.immOrKey(invalidateRkey);
    }
  }

  @Override
  public void wrSendTso(MemorySegment hdr, int mss) {
    batch.buildTso(hdr, mss);
  }

  @Override
  public void wrFlush(int rkey, long remoteAddr, long length, int type, FlushLevel level) {
    batch.flush(rkey, remoteAddr, length, type, level);
  }

  @Override
  public void wrAtomicWrite(int rkey, long remoteAddr, long value) {
    SendWqe wqe = batch.build("wrAtomicWrite", WrOpcode.ATOMIC_WRITE);
    if (wqe != null) {
      wqe.remote(remoteAddr, rkey);
      wqe.data.addInline(value);
    }
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
    batch.setInlineData(data, offset, length);
  }

  @Override
  public void wrSetInlineDataList(int numBuf, MemorySegment[] list) {
    batch.setInlineDataList(numBuf, list);
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
