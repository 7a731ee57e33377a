package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkRequestException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Lists of work requests in postSend. */
@ByPacketsToo
final class PostSendListTest {

  @OnEveryLink
  @Proves({"PS-001", "PS-004", "S1.4.1", "S1.3.11"})
  void aListIsPostedInOrder(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      pair.right().postRecv(1, pair.right().sge(0, 8));
      pair.right().postRecv(2, pair.right().sge(8, 8));
      pair.left().setLong(0, 100);
      pair.left().setLong(8, 200);
      SendWr last = SendWrs.read(3, pair.right(), 0, pair.left().sge(16, 16));
      SendWr list =
          SendWrs.list(
              SendWrs.send(1, pair.left().sge(0, 8)), SendWrs.send(2, pair.left().sge(8, 8)), last);
      pair.left().qp().postSend(list);
      assertThat(last.next()).isNull();

      pair.left().sent(1);
      pair.left().sent(2);
      pair.left().sent(3);
      pair.right().received(1);
      pair.right().received(2);
      assertThat(pair.left().getLong(16)).isEqualTo(100);
      assertThat(pair.left().getLong(24)).isEqualTo(200);
      pair.left().assertNothingSent();
    }
  }

  @OnEveryLink
  @Proves({"PS-002", "S1.4.1", "S1.3.2", "S1.3.11", "PS-094"})
  void whatStandsBeforeTheFailingRequestIsExecuted(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      int most = pair.left().qp().queryInit().maxSendSge();
      pair.left().setLong(0, 5);
      Sge piece = pair.left().sge(0, 8);
      Sge[] many = new Sge[most + 1];
      Arrays.fill(many, pair.left().sge(0, 1));
      SendWr bad = SendWrs.write(2, pair.right(), 8, many);
      SendWr list =
          SendWrs.list(
              SendWrs.write(1, pair.right(), 0, piece),
              bad,
              SendWrs.write(3, pair.right(), 16, piece));
      WorkRequestException refusal =
          Refusal.with(Errno.EINVAL, () -> pair.left().qp().postSend(list));
      assertThat(refusal.badSendWr()).isSameAs(bad);
      assertThat(refusal.badRecvWr()).isNull();
      assertThat(refusal.index()).isEqualTo(1);

      pair.left().sent(1);
      pair.left().qp().postSend(SendWrs.write(4, pair.right(), 24, piece));
      pair.left().sent(4);
      assertThat(pair.right().getLong(0)).isEqualTo(5);
      assertThat(pair.right().getLong(8)).isZero();
      assertThat(pair.right().getLong(16)).isZero();
      assertThat(pair.right().getLong(24)).isEqualTo(5);
    }
  }

  @Test
  @Proves({"S1.4.1", "S1.3.4"})
  void aListThatDoesNotFitIsPostedAsFarAsItFits() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      int depth = pair.left().qp().queryInit().maxSendWr();
      SendWr[] all = new SendWr[depth + 3];
      Arrays.setAll(all, i -> SendWrs.send(i));
      // Without a receive none of them completes meanwhile.
      WorkRequestException full =
          Refusal.with(Errno.ENOMEM, () -> pair.left().qp().postSend(SendWrs.list(all)));
      assertThat(full.badSendWr()).isSameAs(all[depth]);
      assertThat(full.index()).isEqualTo(depth);
      for (int i = 0; i < depth; i++) {
        pair.right().postRecv(i);
        pair.left().sent(i);
      }
      pair.left().assertNothingSent();
    }
  }

  @Test
  @Proves("S1.4.2")
  void anEmptyListPostsNothing() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      try {
        pair.left().qp().postSend(null);
      } catch (WorkRequestException refusal) {
        assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
      }
      pair.left().qp().postSend(SendWrs.write(1, pair.right(), 0));
      pair.left().sent(1);
      pair.left().assertNothingSent();
    }
  }

  @OnEveryLink
  @Proves({"S1.4.3", "PS-096"})
  void theRequestMayBeReusedAsSoonAsItIsPosted(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      SendWr wr = SendWrs.send(0);
      Sge piece = new Sge();
      wr.sgList(piece);
      int count = 10;
      for (int i = 0; i < count; i++) {
        pair.left().setLong(8L * i, i);
        piece.set(pair.left().addr(8L * i), 8, pair.left().mr().lkey());
        wr.wrId(i).sendFlags(SendFlags.SIGNALED);
        pair.left().qp().postSend(wr);
      }
      wr.wrId(-1).sendFlags(0).sgList();
      piece.set(0, 0, 0);
      // Only now can they execute.
      for (int i = 0; i < count; i++) {
        pair.right().postRecv(i, pair.right().sge(8L * i, 8));
      }
      for (int i = 0; i < count; i++) {
        pair.left().sent(i);
        assertThat(pair.right().received(i).byteLen()).isEqualTo(8);
        assertThat(pair.right().getLong(8L * i)).isEqualTo(i);
      }
    }
  }
}
