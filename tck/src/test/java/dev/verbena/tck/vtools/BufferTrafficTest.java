package dev.verbena.tck.vtools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.vtools.BufferPool;
import java.util.List;

/** Messages between buffer pools. */
final class BufferTrafficTest {
  private static final int ROUNDS = 50;

  @OnEveryLink
  @Proves({"PY-090", "PY-095"})
  void buffersGoRoundBetweenQueuePairs(TckLink link) {
    try (QpPair pair = QpPair.open(link);
        BufferPool left = new BufferPool(pair.left().pd(), 4, 256);
        BufferPool right = new BufferPool(pair.right().pd(), 4, 256)) {
      right.postRecvs(pair.right().qp(), 4);
      for (int i = 0; i < ROUNDS; i++) {
        send(left, pair.left(), "message " + i);
        WorkCompletion got = Await.completion(pair.right().recvCq(), "message " + i);
        String text = new String(right.copyFrom(got.wrId(), 0, got.byteLen()), UTF_8);
        assertThat(text).isEqualTo("message " + i);
        right.finishWcs(pair.right().qp(), got);
        left.finishWcs(pair.left().qp(), Await.completion(pair.left().sendCq(), "send " + i));
      }
      assertThat(left.available()).isEqualTo(4);
      assertThat(right.available()).isZero();
    }
  }

  @OnEveryLink
  @Proves("PY-095")
  void aSharedQueueIsFedByAPoolToo(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair base = setup.openUnconnected();
        BufferPool left = new BufferPool(base.left().pd(), 4, 64);
        BufferPool right = new BufferPool(base.right().pd(), 3, 64)) {
      SharedReceiveQueue srq = base.right().pd().createSrq(SrqInitAttr.basic(8, 1));
      CompletionQueue cq = base.right().context().createCq(16);
      QpEnd to = setup.end(base.right().pd(), cq, cq, srq);
      QpEnd from = setup.end(base.left().context(), base.left().pd());
      setup.connect(new QpPair(from, to));
      right.postRecvs(srq, 3);
      for (int i = 0; i < ROUNDS; i++) {
        send(left, from, "m" + i);
        WorkCompletion got = Await.completion(cq, "message " + i);
        assertThat(right.memory(got.wrId()).getString(0)).startsWith("m" + i);
        right.finishWcs(srq, List.of(got));
        left.finishWcs(from.qp(), cqOf(from));
      }
      assertThat(right.available()).isZero();
    }
  }

  @OnEveryLink
  @Proves({"PY-090", "PY-071"})
  void flushedReceivesOfAQueuePairComeBackAndAreNotPostedAgain(TckLink link) {
    try (QpPair pair = QpPair.open(link);
        BufferPool pool = new BufferPool(pair.left().pd(), 3, 64)) {
      QpEnd end = pair.left();
      pool.postRecvs(end.qp(), 3);
      end.qp().modify(new QpAttr().qpState(QpState.ERR));
      List<WorkCompletion> flushed = end.awaitRecvs(3);
      WcException e =
          catchThrowableOfType(WcException.class, () -> pool.finishWcs(end.qp(), flushed));
      assertThat(e.workCompletion().status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
      assertThat(e.workCompletion().wrId()).isEqualTo(flushed.getFirst().wrId());
      assertThat(e.qp()).isSameAs(end.qp());
      assertThat(e.isRq()).isTrue();
      assertThat(pool.available()).isEqualTo(3);
      end.assertNothingReceived();
    }
  }

  private static void send(BufferPool pool, QpEnd from, String text) {
    int buffer = pool.pop();
    int length = pool.copyTo((text + "\0").getBytes(UTF_8), buffer) - 1;
    from.qp().postSend(pool.makeSendWr(buffer, length));
  }

  private static WorkCompletion cqOf(QpEnd from) {
    return Await.completion(from.sendCq(), "a send");
  }
}
