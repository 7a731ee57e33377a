package dev.verbena.tck.queuepairs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.StuckSend;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.List;

/** A queue pair that an application moves to ERR flushes all it holds: S4.5.4. */
final class QpFlushTest {

  @OnEveryLink
  @Proves("S4.5.4")
  void everyPostedRequestIsFlushedOnceAndInOrder(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      for (int id = 1; id <= 5; id++) {
        left.postRecv(id, left.sge(0, 64));
      }
      StuckSend.post(
          left,
          SendWrs.list(
              SendWrs.send(11, left.sge(0, 64)),
              SendWrs.send(12, left.sge(0, 64)).sendFlags(0),
              SendWrs.write(13, pair.right(), 0, left.sge(0, 64)).sendFlags(0),
              SendWrs.read(14, pair.right(), 0, left.sge(0, 64))));

      left.qp().modify(new QpAttr().qpState(QpState.ERR));

      assertFlushed(left.awaitRecvs(5), 1L, 2L, 3L, 4L, 5L);
      assertFlushed(left.awaitSends(4), 11L, 12L, 13L, 14L);
      left.qp().postSend(SendWrs.send(15, left.sge(0, 64)).sendFlags(0));
      left.postRecv(6, left.sge(0, 64));
      assertFlushed(left.awaitSends(1), 15L);
      assertFlushed(left.awaitRecvs(1), 6L);
      left.assertNothingSent();
      left.assertNothingReceived();
    }
  }

  @OnEveryLink
  @Proves("S4.5.4")
  void aPeerWithWorkInFlightRunsOutOfRetries(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      StuckSend.post(left, SendWrs.send(1, left.sge(0, 64)));

      right.qp().modify(new QpAttr().qpState(QpState.ERR));

      left.awaitSend(1, WcStatus.RETRY_EXC_ERR);
      left.awaitState(QpState.ERR);
    }
  }

  private static void assertFlushed(List<WorkCompletion> completions, Long... ids) {
    assertThat(completions).extracting(WorkCompletion::status).containsOnly(WcStatus.WR_FLUSH_ERR);
    assertThat(completions).extracting(WorkCompletion::wrId).containsExactly(ids);
  }
}
