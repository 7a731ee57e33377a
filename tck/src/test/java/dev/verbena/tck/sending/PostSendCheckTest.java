package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checks while posting a send work request, which do not depend on the link. */
final class PostSendCheckTest {

  @ParameterizedTest
  @EnumSource
  @Proves({"S1.3.1", "S2.19", "PS-094"})
  void nothingCanBePostedBeforeReadyToSend(PostingApi api) {
    PairSetup setup = PairSetup.on(TckLink.plain());
    try (QpPair pair = setup.openUnconnected()) {
      var qp = pair.left().qp();
      QpEndpoint remote = pair.right().qp().endpoint();
      setup.connect(pair.right().qp(), qp.endpoint());
      pair.right().postRecv(2);

      Refusal.with(Errno.EINVAL, () -> api.post(qp, SendWrs.send(1)));
      setup.toInit(qp);
      Refusal.with(Errno.EINVAL, () -> api.post(qp, SendWrs.send(1)));
      setup.toRtr(qp, remote);
      Refusal.with(Errno.EINVAL, () -> api.post(qp, SendWrs.send(1)));
      setup.toRts(qp);
      api.post(qp, SendWrs.send(2));
      pair.left().sent(2);
      pair.right().received(2);
      pair.left().assertNothingSent();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Proves({"S1.3.1", "S2.19"})
  void whileDrainedRequestsWaitForReadyToSend(PostingApi api) {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      pair.right().postRecv(1, pair.right().sge(0, 8));
      pair.left().qp().modify(new QpAttr().qpState(QpState.SQD));
      pair.left().setLong(0, 11);
      api.post(pair.left().qp(), SendWrs.send(1, pair.left().sge(0, 8)));
      pair.left().assertNothingSent();
      pair.left().setLong(0, 12);
      pair.left().awaitDrained();
      pair.left().qp().modify(new QpAttr().qpState(QpState.RTS));
      pair.left().sent(1);
      pair.right().received(1);
      assertThat(pair.right().getLong(0)).as("read when it started").isEqualTo(12);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Proves("S1.3.2")
  void tooManyElementsAreRefused(PostingApi api) {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      int most = pair.left().qp().queryInit().maxSendSge();
      Sge[] list = new Sge[most + 1];
      Arrays.setAll(list, i -> pair.left().sge(i, 1));
      SendWr wr = SendWrs.write(1, pair.right(), 0, list);
      WorkRequestException refusal =
          Refusal.with(Errno.EINVAL, () -> api.post(pair.left().qp(), wr));
      assertThat(refusal.index()).isZero();
      assertThat(refusal).hasMessageContaining(pair.left().name());
      assertThat(refusal)
          .hasMessageContaining(
              api == PostingApi.POST_SEND ? ", wr_id 1: " : ", request 1 of the batch: ");
      assertThat(refusal).hasMessageContaining(String.valueOf(most + 1));
      assertThat(refusal).hasMessageContaining(String.valueOf(most));

      byte[] data = pair.left().fill(0, most, 3);
      api.post(pair.left().qp(), wr.numSge(most));
      pair.left().sent(1);
      pair.left().assertNothingSent();
      assertThat(pair.right().bytes(0, most)).isEqualTo(data);
      assertThat(pair.right().bytes(most, 1)).containsOnly(0);
    }
  }

  @Test
  @Proves("S1.3.2")
  void elementCountsThatDoNotFitTheListAreRefused() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      for (int count : new int[] {-1, Integer.MIN_VALUE, 2}) {
        SendWr wr = SendWrs.send(1, pair.left().sge(0, 1)).numSge(count);
        assertThat(Refusal.with(Errno.EINVAL, () -> pair.left().qp().postSend(wr)).badSendWr())
            .isSameAs(wr);
      }
      SendWr noList = SendWrs.send(1).numSge(1);
      Refusal.with(Errno.EINVAL, () -> pair.left().qp().postSend(noList));
    }
  }

  @Test
  @Proves({"S1.1.d", "PS-097", "PS-094"})
  void opcodesThatRcDoesNotHaveAreRefused() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      for (WrOpcode opcode : new WrOpcode[] {null, WrOpcode.TSO, WrOpcode.DRIVER1}) {
        SendWr bad = SendWrs.write(2, pair.right(), 0).opcode(opcode);
        SendWr list = SendWrs.list(SendWrs.write(1, pair.right(), 0), bad);
        WorkRequestException refusal = Refusal.of(() -> pair.left().qp().postSend(list));
        if (opcode == WrOpcode.DRIVER1) {
          assertThat(refusal.errno()).isIn(Errno.EINVAL, Errno.EOPNOTSUPP);
        } else {
          assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
        }
        assertThat(refusal.badSendWr()).isSameAs(bad);
        assertThat(refusal.index()).isEqualTo(1);
        pair.left().sent(1);
        pair.left().assertNothingSent();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @Proves("S1.3.8")
  void keysAndBoundsAreNotLookedAtWhilePosting(PostingApi api) {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      Sge unknownKey = pair.left().sge(0, 8).lkey(pair.left().mr().lkey() ^ 0xff);
      api.post(pair.left().qp(), SendWrs.send(1, unknownKey));
      pair.left().awaitSend(1, WcStatus.LOC_PROT_ERR);
    }
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      SendWr wr = SendWrs.write(1, pair.right(), 0, pair.left().sge(0, 8));
      api.post(pair.left().qp(), wr.rkey(pair.right().rkey() ^ 0xff));
      pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
    }
  }
}
