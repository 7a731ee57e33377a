package dev.verbena.tck.kit.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Await;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.XrcDomain;
import java.lang.foreign.ValueLayout;

/**
 * The target of XRC requests: a shared receive queue with its own protection domain, completion
 * queue and memory.
 *
 * @param pd the protection domain of srq and mr
 * @param xrcd the XRC domain of srq
 * @param cq completions of the shared queue's receives
 * @param srq the shared queue
 * @param mr memory
 */
public record XrcTarget(
    ProtectionDomain pd,
    XrcDomain xrcd,
    CompletionQueue cq,
    SharedReceiveQueue srq,
    MemoryRegion mr) {

  /** Posts one receive. */
  public void postRecv(long wrId, Sge... list) {
    srq.postRecv(new RecvWr().wrId(wrId).sgList(list));
  }

  /** Waits for the next completion, which must be of this receive through this queue pair. */
  public WorkCompletion received(long wrId, QueuePair through) {
    WorkCompletion wc = Await.completion(cq, "receive " + wrId);
    assertThat(wc.wrId()).as("wr_id of %s", wc).isEqualTo(wrId);
    assertThat(wc.status()).as("status of %s", wc).isEqualTo(WcStatus.SUCCESS);
    assertThat(wc.qpNum()).as("qp_num of %s", wc).isEqualTo(through.qpNum());
    return wc;
  }

  /** Checks that nothing else was received. */
  public void assertNothingReceived() {
    WorkCompletion wc = new WorkCompletion();
    assertThat(cq.poll(wc)).as("unexpected completion %s", wc).isFalse();
  }

  /** A piece of the memory. */
  public Sge sge(long offset, long length) {
    return mr.sge(length, offset);
  }

  /** A copy of a piece of the memory. */
  public byte[] bytes(long offset, long length) {
    return mr.memory().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Eight bytes of the memory in host order. */
  public long getLong(long offset) {
    return mr.memory().get(ValueLayout.JAVA_LONG, offset);
  }

  /** Sets eight bytes of the memory in host order. */
  public void setLong(long offset, long value) {
    mr.memory().set(ValueLayout.JAVA_LONG, offset, value);
  }

  /** A SEND to the shared queue. */
  public SendWr send(long wrId, Sge... list) {
    return wr(wrId, WrOpcode.SEND, list);
  }

  /** A SEND with immediate data. */
  public SendWr sendImm(long wrId, int imm, Sge... list) {
    return wr(wrId, WrOpcode.SEND_WITH_IMM, list).immData(imm);
  }

  /** An RDMA WRITE to the memory. */
  public SendWr write(long wrId, long offset, Sge... list) {
    return at(offset, wr(wrId, WrOpcode.RDMA_WRITE, list));
  }

  /** An RDMA WRITE with immediate data to the memory. */
  public SendWr writeImm(long wrId, int imm, long offset, Sge... list) {
    return at(offset, wr(wrId, WrOpcode.RDMA_WRITE_WITH_IMM, list)).immData(imm);
  }

  /** An RDMA READ from the memory. */
  public SendWr read(long wrId, long offset, Sge... list) {
    return at(offset, wr(wrId, WrOpcode.RDMA_READ, list));
  }

  /** A fetch and add on the memory. */
  public SendWr fetchAdd(long wrId, long offset, long add, Sge landing) {
    return at(offset, wr(wrId, WrOpcode.ATOMIC_FETCH_AND_ADD, landing)).compareAdd(add);
  }

  /** A compare and swap on the memory. */
  public SendWr compareSwap(long wrId, long offset, long compare, long swap, Sge landing) {
    return at(offset, wr(wrId, WrOpcode.ATOMIC_CMP_AND_SWP, landing))
        .compareAdd(compare)
        .swap(swap);
  }

  private SendWr wr(long wrId, WrOpcode opcode, Sge... list) {
    return new SendWr()
        .wrId(wrId)
        .opcode(opcode)
        .sendFlags(SendFlags.SIGNALED)
        .sgList(list)
        .remoteSrqn(srq.srqNum());
  }

  private SendWr at(long offset, SendWr wr) {
    return wr.rkey(mr.rkey()).remoteAddr(mr.addr() + offset);
  }
}
