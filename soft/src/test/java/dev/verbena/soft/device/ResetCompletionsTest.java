package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The completions that RESET removes (S4.5.3). */
final class ResetCompletionsTest {
  private final Pair pair = Pair.open(1, FaultSpec.NONE, /* loopback= */ true);
  private final ProtectionDomain pd = pair.left().allocPd();
  private final MemoryRegion mr = pd.allocMr(4096, Access.LOCAL_WRITE);
  private final CompletionQueue cq = pair.left().createCq(16);

  @AfterEach
  void close() {
    pair.close();
  }

  private QueuePair connected(QpInitAttr init) {
    QueuePair qp = pd.createQp(init);
    qp.connect(qp.endpoint());
    return qp;
  }

  private void send(QueuePair qp, long id) {
    qp.postSend(
        new SendWr()
            .wrId(id)
            .opcode(WrOpcode.SEND)
            .sendFlags(SendFlags.SIGNALED)
            .sgList(mr.sge(64, 0)));
  }

  private RecvWr recv(long id) {
    return new RecvWr().wrId(id).sgList(mr.sge(64, 0));
  }

  private static void move(QueuePair qp, QpState to) {
    qp.modify(new QpAttr().qpState(to));
  }

  private static List<Long> polled(CompletionQueue from) {
    List<Long> ids = new ArrayList<>();
    WorkCompletion wc = new WorkCompletion();
    while (from.poll(wc)) {
      ids.add(wc.wrId());
    }
    return ids;
  }

  @Test
  @Proves("S4.5.3")
  void whatCompletedAndWasNotPolledGoesAndThatOfOthersStaysInOrder() {
    QueuePair qp = connected(QpInitAttr.rc(cq));
    QueuePair other = connected(QpInitAttr.rc(cq));
    for (long id = 1; id <= 6; id += 2) {
      other.postRecv(recv(id));
      send(other, id + 1);
      pair.driveUntilIdle();
      qp.postRecv(recv(100 + id));
      send(qp, 101 + id);
      pair.driveUntilIdle();
    }
    qp.postRecv(recv(200));
    move(qp, QpState.ERR);

    move(qp, QpState.RESET);

    assertThat(polled(cq)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    qp.connect(qp.endpoint());
    qp.postRecv(recv(300));
    send(qp, 301);
    pair.driveUntilIdle();
    assertThat(polled(cq)).containsExactly(300L, 301L);
  }

  @Test
  @Proves("S4.5.3")
  void theyGoFromBothQueuesIfReceivesHaveOneOfTheirOwn() {
    CompletionQueue received = pair.left().createCq(16);
    QueuePair qp = connected(QpInitAttr.rc(cq).recvCq(received));
    qp.postRecv(recv(1));
    send(qp, 2);
    pair.driveUntilIdle();

    move(qp, QpState.RESET);

    assertThat(polled(cq)).isEmpty();
    assertThat(polled(received)).isEmpty();
  }

  @Test
  @Proves("S4.5.3")
  void receivesOfASharedQueueStayBecauseNothingElseGivesTheirBuffersBack() {
    CompletionQueue received = pair.left().createCq(16);
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 1));
    QueuePair qp = connected(QpInitAttr.rc(cq).recvCq(received).srq(srq));
    srq.postRecv(recv(1));
    send(qp, 2);
    pair.driveUntilIdle();

    move(qp, QpState.RESET);

    assertThat(polled(cq)).isEmpty();
    assertThat(polled(received)).containsExactly(1L);
  }

  @Test
  @Proves("S4.5.3")
  void aProgramMayResetWhileItReadsTheQueue() {
    CompletionQueueEx extended = pair.left().createCqEx(new CqInitAttrEx(16));
    QueuePair qp = connected(QpInitAttr.rc(extended));
    qp.postRecv(recv(1));
    send(qp, 2);
    pair.driveUntilIdle();
    assertThat(extended.startPoll()).isTrue();
    assertThat(extended.wrId()).isEqualTo(1);

    move(qp, QpState.RESET);

    assertThat(extended.wrId()).isEqualTo(1);
    assertThat(extended.nextPoll()).isFalse();
    extended.endPoll();
  }
}
