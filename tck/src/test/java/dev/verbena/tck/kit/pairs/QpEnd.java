package dev.verbena.tck.kit.pairs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Await;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * One end of a connection: a queue pair with its own completion queues and memory.
 *
 * @param context the context
 * @param pd the protection domain of qp and mr
 * @param sendCq completions of sends
 * @param recvCq completions of receives
 * @param qp the queue pair
 * @param mr its memory
 */
public record QpEnd(
    Context context,
    ProtectionDomain pd,
    CompletionQueue sendCq,
    CompletionQueue recvCq,
    QueuePairEx qp,
    MemoryRegion mr) {

  private static final Set<WcStatus> ERRORS_OF_THE_PEER =
      Set.of(WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR, WcStatus.REM_OP_ERR);

  /** Key by which the peer reaches this end's memory. */
  public int rkey() {
    return mr.rkey();
  }

  /** Address of a byte of this end's memory. */
  public long addr(long offset) {
    return mr.addr() + offset;
  }

  /** A piece of this end's memory. */
  public Sge sge(long offset, long length) {
    return mr.sge(length, offset);
  }

  /** Fills a piece of the memory with pseudo-random bytes, and returns them. */
  public byte[] fill(long offset, int length, long seed) {
    byte[] data = new byte[length];
    new Random(seed).nextBytes(data);
    put(offset, data);
    return data;
  }

  /** Stores bytes into the memory. */
  public void put(long offset, byte[] data) {
    for (int i = 0; i < data.length; i++) {
      mr.memory().set(JAVA_BYTE, offset + i, data[i]);
    }
  }

  /** A copy of a piece of the memory. */
  public byte[] bytes(long offset, long length) {
    return mr.memory().asSlice(offset, length).toArray(JAVA_BYTE);
  }

  /** Eight bytes of the memory in host order. */
  public long getLong(long offset) {
    return mr.memory().get(JAVA_LONG, offset);
  }

  /** Sets eight bytes of the memory in host order. */
  public void setLong(long offset, long value) {
    mr.memory().set(JAVA_LONG, offset, value);
  }

  /** A handle with the address of another end, for UD; closed with this end's domain. */
  public AddressHandle ahTo(QpEnd peer) {
    return pd.createAh(AhAttr.to(peer.qp.endpoint()));
  }

  /** Names another end as the destination of a UD request. */
  public SendWr to(QpEnd peer, AddressHandle ah, SendWr wr) {
    return wr.ah(ah).remoteQpn(peer.qp.qpNum()).remoteQkey(PairSetup.QKEY);
  }

  /** The address of the device. */
  public Gid gid() {
    return context.queryGid(1, 0);
  }

  /**
   * The service levels that a received datagram's completion may have: none, or one for its IP
   * header (S3.3.5).
   */
  public List<Integer> serviceLevels() {
    return List.of(0, gid().isIpv4Mapped() ? 10 : 9);
  }

  /** How messages name the queue pair. */
  public String name() {
    return "QP 0x" + Integer.toHexString(qp.qpNum());
  }

  /** Posts one receive. */
  public void postRecv(long wrId, Sge... list) {
    qp.postRecv(new RecvWr().wrId(wrId).sgList(list));
  }

  /** Waits for the next completion of the send queue, which must be this request's. */
  public WorkCompletion awaitSend(long wrId) {
    return awaitOwn(sendCq, wrId, "send work request ");
  }

  /** Waits for the next completion of the receive queue, which must be this request's. */
  public WorkCompletion awaitRecv(long wrId) {
    return awaitOwn(recvCq, wrId, "receive ");
  }

  /** As {@link #awaitSend}; it must have one of these, see {@link #assertSendStatus}. */
  public WorkCompletion awaitSend(long wrId, WcStatus... anyOf) {
    WorkCompletion wc = awaitSend(wrId);
    assertSendStatus(wc, anyOf);
    return wc;
  }

  /**
   * Checks the status of a send work request. On a lossy link the NAK that reports the peer's error
   * may get lost; the peer, then in error, drops all repetitions, and the status is RETRY_EXC_ERR.
   */
  public void assertSendStatus(WorkCompletion wc, WcStatus... anyOf) {
    Set<WcStatus> expected = EnumSet.copyOf(List.of(anyOf));
    if (!Collections.disjoint(expected, ERRORS_OF_THE_PEER)
        && context.device().spec().options().containsKey("faults")) {
      expected.add(WcStatus.RETRY_EXC_ERR);
    }
    assertThat(wc.status()).as("status of send work request %d: %s", wc.wrId(), wc).isIn(expected);
  }

  /** As {@link #awaitRecv}; it must have this status. */
  public WorkCompletion awaitRecv(long wrId, WcStatus status) {
    WorkCompletion wc = awaitRecv(wrId);
    assertThat(wc.status()).as("status of receive %d: %s", wrId, wc).isEqualTo(status);
    return wc;
  }

  /** As {@link #awaitSend}; it must be successful. */
  public WorkCompletion sent(long wrId) {
    return awaitSend(wrId, WcStatus.SUCCESS);
  }

  /** As {@link #awaitRecv}; it must be successful. */
  public WorkCompletion received(long wrId) {
    return awaitRecv(wrId, WcStatus.SUCCESS);
  }

  /** Waits for {@code count} completions of the send queue. */
  public List<WorkCompletion> awaitSends(int count) {
    return Await.completions(sendCq, count, "send work requests");
  }

  /** Waits for {@code count} completions of the receive queue. */
  public List<WorkCompletion> awaitRecvs(int count) {
    return Await.completions(recvCq, count, "receives");
  }

  /**
   * Checks that the send queue has no completion now; meaningful only after something that cannot
   * precede the unwanted completion.
   */
  public void assertNothingSent() {
    assertEmpty(sendCq);
  }

  /** As {@link #assertNothingSent()} for receives. */
  public void assertNothingReceived() {
    assertEmpty(recvCq);
  }

  /**
   * Waits until all that was posted has completed, whether or not it has left a completion: drains
   * the send queue and takes it into use again. There must be no event in the context.
   */
  public void drain() throws InterruptedException {
    qp.modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
    try (AsyncEvent event = context.getAsyncEvent(Await.DEADLINE)) {
      assertThat(event).as("event within %s", Await.DEADLINE).isNotNull();
      assertThat(event.eventType()).isEqualTo(EventType.SQ_DRAINED);
    }
    qp.modify(new QpAttr().qpState(QpState.RTS));
  }

  /** Waits until a send queue in SQD has finished what it had begun: RTS may be refused before. */
  public void awaitDrained() {
    Await.until("a drained send queue", () -> !qp.query(QpAttrMask.STATE).sqDraining());
  }

  /** The state that the device reports. */
  public QpState queryState() {
    return qp.query(QpAttrMask.STATE).qpState();
  }

  /** Waits until the device reports this state. */
  public void awaitState(QpState state) {
    Await.until(() -> "state " + state + ", it is " + queryState(), () -> queryState() == state);
  }

  private WorkCompletion awaitOwn(CompletionQueue cq, long wrId, String what) {
    WorkCompletion wc = Await.completion(cq, what + wrId);
    assertThat(wc.wrId()).as("wr_id of %s", wc).isEqualTo(wrId);
    assertThat(wc.qpNum()).as("qp_num of %s", wc).isEqualTo(qp.qpNum());
    return wc;
  }

  private static void assertEmpty(CompletionQueue cq) {
    WorkCompletion wc = new WorkCompletion();
    assertThat(cq.poll(wc)).as("unexpected completion %s", wc).isFalse();
  }
}
