package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkRequestException;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** SIGNALED, SOLICITED and undefined flags; FENCE and INLINE have their own tests. */
@ByPacketsToo
final class SendFlagsTest {

  @OnEveryLinkAndApi
  @Proves({"S1.2/SIGNALED", "S1.5.1", "PS-008", "WR-029", "WR-123"})
  void onlySignaledRequestsComplete(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      for (int i = 0; i < 8; i++) {
        pair.right().postRecv(i);
        api.post(pair.left().qp(), SendWrs.send(i).sendFlags(i % 4 == 1 ? SendFlags.SIGNALED : 0));
      }
      api.post(pair.left().qp(), SendWrs.read(8, pair.right(), 0, pair.left().sge(0, 9)));
      pair.left().sent(1);
      pair.left().sent(5);
      pair.left().sent(8);
      pair.left().assertNothingSent();
      for (int i = 0; i < 8; i++) {
        pair.right().received(i);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.2/SIGNALED", "S1.5.1", "PS-090"})
  void everyRequestCompletesIfTheQueuePairSaysSo(TckLink link, PostingApi api) {
    try (QpPair pair = PairSetup.on(link).sqSigAll().open()) {
      assertThat(pair.left().qp().queryInit().sqSigAll()).isTrue();
      for (int i = 0; i < 4; i++) {
        pair.right().postRecv(i);
        api.post(pair.left().qp(), SendWrs.send(i).sendFlags(i % 2 == 0 ? 0 : SendFlags.SIGNALED));
      }
      for (int i = 0; i < 4; i++) {
        pair.left().sent(i);
      }
      pair.left().assertNothingSent();
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.2/SOLICITED", "PS-091", "WR-124"})
  void solicitedMessagesRaiseTheEventThatWasAskedFor(TckLink link, PostingApi api)
      throws InterruptedException {
    try (QpPair pair = QpPair.open(link)) {
      CompletionChannel channel = Objects.requireNonNull(pair.right().recvCq().channel());
      SendWr[] solicited = {
        SendWrs.send(0, pair.left().sge(0, 3000)),
        SendWrs.sendImm(0, 1, pair.left().sge(0, 10)),
        SendWrs.writeImm(0, 2, pair.right(), 0, pair.left().sge(0, 2000))
      };
      for (int i = 0; i < solicited.length; i++) {
        pair.right().recvCq().reqNotify(true);
        // An event of a plain message would be there when the one after it has arrived.
        for (int plain = 0; plain < 3; plain++) {
          pair.right().postRecv(plain, pair.right().sge(30_000, 3000));
          api.post(pair.left().qp(), SendWrs.send(plain, pair.left().sge(0, 1500)));
          pair.right().received(plain);
          pair.left().sent(plain);
        }
        assertThat(channel.getCqEvent(Duration.ZERO)).isNull();

        pair.right().postRecv(100 + i, pair.right().sge(30_000, 3000));
        SendWr wr = solicited[i].wrId(100 + i);
        api.post(pair.left().qp(), wr.sendFlags(SendFlags.SIGNALED | SendFlags.SOLICITED));
        assertThat(channel.getCqEvent(Await.DEADLINE)).isSameAs(pair.right().recvCq());
        pair.right().recvCq().ackEvents(1);
        pair.right().received(100 + i);
        pair.left().sent(100 + i);
      }
      assertThat(channel.getCqEvent(Duration.ZERO)).isNull();
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.2/SOLICITED")
  void solicitedIsNoHarmWhereItHasNoMeaning(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      SendWr[] others = {
        SendWrs.write(1, pair.right(), 0, pair.left().sge(0, 100)),
        SendWrs.read(2, pair.right(), 0, pair.left().sge(0, 100)),
        SendWrs.fetchAdd(3, pair.right(), 0, 1, pair.left().sge(0, 8))
      };
      for (SendWr wr : others) {
        wr.sendFlags(SendFlags.SIGNALED | SendFlags.SOLICITED);
        try {
          api.post(pair.left().qp(), wr);
        } catch (WorkRequestException refusal) {
          assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
          continue;
        }
        pair.left().sent(wr.wrId());
      }
    }
  }

  @Test
  @Proves("S1.2.b")
  void undefinedFlagsAreRefused() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      for (int bit = 5; bit < 32; bit++) {
        SendWr wr = SendWrs.send(1).sendFlags(SendFlags.SIGNALED | 1 << bit);
        assertThat(Refusal.with(Errno.EINVAL, () -> pair.left().qp().postSend(wr)).badSendWr())
            .isSameAs(wr);
      }
    }
  }
}
