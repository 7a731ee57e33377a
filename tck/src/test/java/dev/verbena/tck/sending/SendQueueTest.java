package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkRequestException;
import java.util.List;

/** Capacity and completion order of the send queue. */
@ByPacketsToo
final class SendQueueTest {

  @OnEveryLinkAndApi
  @Proves({"S1.3.4", "S2.7", "S1.5.3"})
  void theQueueHoldsWhatWasGrantedAndNotOneMore(TckLink link, PostingApi api) {
    try (QpPair pair = PairSetup.on(link).cap(new QpCap(10, 128, 1, 1, 0)).open()) {
      int depth = pair.left().qp().queryInit().maxSendWr();
      assertThat(depth).isGreaterThanOrEqualTo(10);
      for (int round = 0; round < 2; round++) {
        // Without a receive none of them can complete.
        for (int i = 0; i < depth; i++) {
          api.post(pair.left().qp(), SendWrs.send(i));
        }
        SendWr extra = SendWrs.send(depth);
        WorkRequestException full = Refusal.of(() -> api.post(pair.left().qp(), extra));
        if (api == PostingApi.POST_SEND) {
          assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
          assertThat(full.badSendWr()).isSameAs(extra);
        } else {
          assertThat(full.errno()).isIn(Errno.ENOMEM, Errno.ENOSPC);
        }
        for (int i = 0; i < depth; i++) {
          pair.right().postRecv(i);
        }
        for (int i = 0; i < depth; i++) {
          pair.left().sent(i);
          pair.right().received(i);
        }
        pair.left().assertNothingSent();
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.5.3")
  void aQueueOfOneServesForEver(TckLink link, PostingApi api) {
    try (QpPair pair = PairSetup.on(link).cap(new QpCap(1, 1, 1, 1, 0)).open()) {
      for (int i = 0; i < 100; i++) {
        pair.right().postRecv(i, pair.right().sge(0, 8));
        pair.left().setLong(0, i);
        api.post(pair.left().qp(), SendWrs.send(i, pair.left().sge(0, 8)));
        pair.left().sent(i);
        pair.right().received(i);
        assertThat(pair.right().getLong(0)).isEqualTo(i);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.5.1", "S1.5.3"})
  void oneCompletionReclaimsTheUnsignaledRequestsBeforeIt(TckLink link, PostingApi api) {
    try (QpPair pair = PairSetup.on(link).cap(new QpCap(8, 1, 1, 1, 0)).open()) {
      int depth = pair.left().qp().queryInit().maxSendWr();
      for (int i = 1; i <= 25 * depth; i++) {
        boolean last = i % depth == 0;
        pair.left().setLong(0, i);
        SendWr write = SendWrs.write(i, pair.right(), 8L * i, pair.left().sge(0, 8));
        api.post(pair.left().qp(), write.sendFlags(last ? SendFlags.SIGNALED : 0));
        if (last) {
          pair.left().sent(i);
          assertThat(pair.right().getLong(8L * i)).isEqualTo(i);
        }
      }
      pair.left().assertNothingSent();
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.5.2", "S1.5.6"})
  void completionsComeInTheOrderOfPosting(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      List<WcOpcode> opcodes =
          List.of(
              WcOpcode.RDMA_READ,
              WcOpcode.SEND,
              WcOpcode.FETCH_ADD,
              WcOpcode.RDMA_WRITE,
              WcOpcode.COMP_SWAP);
      int count = 60;
      for (int i = 0; i < count; i++) {
        pair.right().postRecv(i, pair.right().sge(8000, 3000));
      }
      for (int i = 0; i < count; i++) {
        api.post(pair.left().qp(), mixed(pair, i, Long.MIN_VALUE + i));
      }
      for (int i = 0; i < count; i++) {
        assertThat(pair.left().sent(Long.MIN_VALUE + i).opcode()).isEqualTo(opcodes.get(i % 5));
      }
      pair.left().assertNothingSent();
    }
  }

  private static SendWr mixed(QpPair pair, int i, long wrId) {
    return switch (i % 5) {
      case 0 -> SendWrs.read(wrId, pair.right(), 0, pair.left().sge(0, 5000));
      case 1 -> SendWrs.send(wrId, pair.left().sge(8000, i));
      case 2 -> SendWrs.fetchAdd(wrId, pair.right(), 40_000, 1, pair.left().sge(40_000, 8));
      case 3 -> SendWrs.write(wrId, pair.right(), 20_000, pair.left().sge(20_000, 3000));
      default -> SendWrs.compareSwap(wrId, pair.right(), 48_000, 0, 1, pair.left().sge(48_000, 8));
    };
  }
}
