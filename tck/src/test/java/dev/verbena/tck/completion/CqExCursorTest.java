package dev.verbena.tck.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.CreateCqFlags;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkRequestException;

/** Other operations on a queue while a cursor reads it. */
final class CqExCursorTest {

  /** As ibv_rc_pingpong -t does it, with a send queue of one entry. */
  @OnEveryLinkAndApi
  @Proves("S1.5.3")
  void aVisitedCompletionHasFreedItsPlaceInTheSendQueue(TckLink link, PostingApi api) {
    PairSetup setup = PairSetup.on(link).cap(new QpCap(1, 1, 1, 1, 0));
    try (CursorBench bench = CursorBench.open(setup, CursorBench.standard())) {
      api.post(bench.left().qp(), SendWrs.write(0, bench.right(), 0));
      bench.start();
      for (int id = 1; id < 20; id++) {
        api.post(bench.left().qp(), SendWrs.write(id, bench.right(), 0));
        bench.next();
        assertThat(bench.cq().wrId()).isEqualTo(id);
      }
      bench.cq().endPoll();
      assertThat(bench.cq().startPoll()).isFalse();
    }
  }

  @OnEveryLink
  @Proves("S6.4")
  void aQueueIsResizedUnderTheCursor(TckLink link) {
    try (CursorBench bench = CursorBench.open(PairSetup.on(link), new CqInitAttrEx(4))) {
      CompletionQueueEx cq = bench.cq();
      bench.write(1, 2, 3);
      bench.start();
      bench.next();
      cq.resize(200);
      assertThat(cq.wrId()).isEqualTo(2);
      bench.next();
      for (int id = 4; id <= 150; id++) {
        bench.write(id);
        bench.next();
        assertThat(cq.wrId()).isEqualTo(id);
      }
      cq.endPoll();
      bench.write(151, 152, 153);
      bench.start();
      cq.resize(2);
      assertThat(cq.wrId()).isEqualTo(151);
      bench.next();
      assertThat(cq.wrId()).isEqualTo(152);
      cq.resize(1);
      bench.next();
      assertThat(cq.wrId()).isEqualTo(153);
      cq.endPoll();
    }
  }

  @OnEveryLink
  void completionsOutliveTheirQueuePairUnderTheCursor(TckLink link) {
    try (CursorBench bench = CursorBench.open(link)) {
      bench.write(1, 2);
      bench.start();
      bench.next();
      bench.left().qp().destroy();
      assertThat(bench.cq().wrId()).isEqualTo(2);
      assertThat(bench.cq().nextPoll()).isFalse();
      bench.cq().endPoll();
      bench.cq().destroy();
    }
  }

  @OnEveryLink
  void closingTheQueueEndsTheCursorOfAnotherThreadAndLetsThoseWhoWaitIn(TckLink link)
      throws Exception {
    try (CursorBench bench = CursorBench.open(link)) {
      CompletionQueueEx cq = bench.cq();
      bench.write(1);
      bench.start();
      Background<Boolean> waiting = Background.call(cq::startPoll).awaitBlocked();
      bench.left().qp().destroy();
      Background.run(cq::close).result();
      assertThatThrownBy(cq::wrId).isInstanceOf(ObjectClosedException.class);
      assertThatThrownBy(cq::nextPoll).isInstanceOf(ObjectClosedException.class);
      assertThatThrownBy(waiting::result).isInstanceOf(ObjectClosedException.class);
      assertThatThrownBy(cq::endPoll).isInstanceOf(ObjectClosedException.class);
      assertThatThrownBy(cq::startPoll).isInstanceOf(ObjectClosedException.class);
    }
  }

  @OnEveryLink
  void closingTheQueueUnderTheCursorEndsIt(TckLink link) throws Exception {
    try (CursorBench bench = CursorBench.open(link)) {
      CompletionQueueEx cq = bench.cq();
      bench.write(1);
      bench.start();
      Background<Boolean> waiting = Background.call(cq::startPoll).awaitBlocked();
      bench.left().qp().close();
      cq.close();
      assertThatThrownBy(waiting::result).isInstanceOf(ObjectClosedException.class);
    }
  }

  @OnEveryLink
  @Proves("S6.3")
  void withIgnoreOverrunWhatDoesNotFitIsLostAndNothingElse(TckLink link)
      throws InterruptedException {
    PairSetup setup = PairSetup.on(link).cap(new QpCap(8, 1, 1, 1, 0));
    CqInitAttrEx attr = new CqInitAttrEx(4).flags(CreateCqFlags.IGNORE_OVERRUN);
    try (CursorBench bench = CursorBench.open(setup, attr)) {
      int writes = 40;
      for (int id = 1; id <= writes; id++) {
        bench.left().setLong(8L * id, id);
        int number = id;
        Await.until("room in the send queue", () -> isPosted(bench, number));
      }
      Await.until("the last write", () -> bench.right().getLong(8L * writes) == writes);
      assertThat(bench.left().queryState()).isEqualTo(QpState.RTS);
      for (int id = 1; id <= 4; id++) {
        bench.left().sent(id);
      }
      Events.assertNone(bench.left().context());
    }
  }

  private static boolean isPosted(CursorBench bench, int id) {
    QpEnd left = bench.left();
    try {
      left.qp().postSend(SendWrs.write(id, bench.right(), 8L * id, left.sge(8L * id, 8)));
      return true;
    } catch (WorkRequestException full) {
      assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
      return false;
    }
  }
}
