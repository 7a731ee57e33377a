package dev.verbena.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.List;
import java.util.function.Function;

/** Errors on UC: the sender never learns of the peer's errors, and its own stop it (S1.6). */
final class UcErrorTest {

  @OnEveryLinkAndApi
  @Proves({"S3.2.2", "S1.6.5"})
  void withoutAReceiveAMessageIsDropped(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UC)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      left.fill(0, 3000, 1);
      pair.post(api, SendWrs.send(1, left.sge(0, 3000)));
      awaitEarlierPackets(link, pair);
      right.assertNothingReceived();

      // Room for the whole message, in case any of it was kept.
      right.postRecv(7, right.sge(0, 3000));
      byte[] good = left.fill(4096, 8, 2);
      WorkCompletion received = pair.deliver(link, api, SendWrs.send(2, left.sge(4096, 8)));
      assertThat(received.wrId()).isEqualTo(7);
      assertThat(received.byteLen()).isEqualTo(8);
      assertThat(right.bytes(0, 8)).isEqualTo(good);
      assertThat(right.bytes(8, 2992)).containsOnly(0);
      right.assertNothingReceived();
      assertThat(right.queryState()).isEqualTo(QpState.RTS);
    }
  }

  /**
   * Waits until a WRITE to the end of the right memory has arrived, and everything sent before it.
   */
  private static void awaitEarlierPackets(TckLink link, QpPair pair) {
    QpEnd right = pair.right();
    long last = right.mr().length() - 8;
    pair.left().setLong(8192, -1);
    SendWr write = SendWrs.write(99, right, last, pair.left().sge(8192, 8));
    pair.post(PostingApi.POST_SEND, write);
    Await.until(
        "a WRITE behind the message",
        () -> {
          if (right.getLong(last) == -1) {
            return true;
          }
          if (link.isFaulty()) {
            pair.post(PostingApi.POST_SEND, write);
          }
          // Polling some completion queue makes the device take packets quickly.
          right.assertNothingReceived();
          return false;
        });
  }

  @OnEveryLinkAndApi
  @Proves({"S3.2.4", "S1.6.5"})
  void aMessageLongerThanTheReceiveIsDropped(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UC)) {
      pair.left().fill(0, 3000, 1);
      pair.right().postRecv(7, pair.right().sge(0, 64));
      pair.post(api, SendWrs.send(1, pair.left().sge(0, 3000)));
      SendWr fits = SendWrs.send(2, pair.left().sge(0, 64));
      assertThat(pair.deliver(link, api, fits).byteLen()).isEqualTo(64);
      assertThat(pair.right().bytes(64, 2936)).containsOnly(0);
      assertThat(pair.right().queryState()).isEqualTo(QpState.RTS);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S12.7.1", "S1.6.5", "S4.4.2"})
  void aWriteThatIsNotAllowedChangesNothing(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link, QpType.UC)) {
      pair.left().fill(0, 3000, 1);
      QpEnd right = pair.right();
      Sge data = pair.left().sge(0, 3000);
      pair.post(api, SendWrs.write(1, right, 0, data).rkey(right.rkey() ^ 0xff));
      pair.post(api, SendWrs.write(2, right, right.mr().length() - 2999, data));
      pair.post(api, SendWrs.write(3, right, -1, data));
      assertGoesOn(link, pair, api);
      assertThat(right.bytes(0, right.mr().length())).containsOnly(0);
    }
    try (QpPair pair = PairSetup.on(link).type(QpType.UC).qpAccess(Access.REMOTE_READ).open()) {
      pair.left().fill(0, 3000, 1);
      pair.post(api, SendWrs.write(1, pair.right(), 0, pair.left().sge(0, 3000)));
      assertGoesOn(link, pair, api);
      assertThat(pair.right().bytes(0, 3000)).containsOnly(0);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.6.2", "S1.6/01", "S4.3/SQE-RTS", "S4.5/SQE", "S1.3.1"})
  void aSendThatFailsStopsTheSendQueueUntilItIsRestarted(TckLink link, PostingApi api) {
    List<Function<QpEnd, Sge>> faults =
        List.of(
            end -> end.sge(0, 16).lkey(end.mr().lkey() ^ 0xff),
            end -> new Sge(end.addr(end.mr().length() - 15), 16, end.mr().lkey()),
            end -> end.context().allocPd().allocMr(4096, Access.LOCAL_WRITE).sge(16, 0));
    for (Function<QpEnd, Sge> fault : faults) {
      try (QpPair pair = QpPair.open(link, QpType.UC)) {
        QpEnd left = pair.left();
        left.postRecv(20, left.sge(0, 64));
        for (int times = 0; times < 2; times++) {
          SendWr bad = SendWrs.send(2, fault.apply(left)).sendFlags(0);
          SendWr behind = SendWrs.send(3).sendFlags(0);
          api.post(left.qp(), SendWrs.list(SendWrs.send(1), bad, behind));
          left.sent(1);
          left.awaitSend(2, WcStatus.LOC_PROT_ERR);
          left.awaitSend(3, WcStatus.WR_FLUSH_ERR);
          assertThat(left.queryState()).isEqualTo(QpState.SQE);
          api.post(left.qp(), SendWrs.send(4));
          left.awaitSend(4, WcStatus.WR_FLUSH_ERR);

          if (times == 0) {
            // Receives go on.
            QpPair back = pair.reversed();
            assertThat(back.deliver(link, api, SendWrs.send(5)).wrId()).isEqualTo(20);
          }

          left.qp().modify(new QpAttr().qpState(QpState.RTS).curQpState(QpState.SQE));
          assertThat(left.queryState()).isEqualTo(QpState.RTS);
          assertGoesOn(link, pair, api);
        }
      }
    }
  }

  /** A good message from left to right is delivered, and nothing else. */
  private static void assertGoesOn(TckLink link, QpPair pair, PostingApi api) {
    QpEnd right = pair.right();
    right.postRecv(99);
    assertThat(pair.deliver(link, api, SendWrs.send(98)).wrId()).isEqualTo(99);
    right.assertNothingReceived();
    assertThat(right.queryState()).isEqualTo(QpState.RTS);
  }
}
