package dev.verbena.tck.posting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The setters that give a request of the extended API its data. */
@ByPacketsToo
final class WrDataTest {

  @OnEveryLink
  @Proves({"WR-016", "WR-017", "WR-113", "S2.14"})
  void oneElementIsAListOfOne(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      byte[] data = pair.left().fill(0, 2345, 1);
      QueuePairEx qp = pair.left().qp();
      Sge piece = pair.left().sge(0, 2345);
      List<Consumer<QueuePairEx>> setters =
          List.of(
              q -> q.wrSetSge(piece.lkey(), piece.addr(), piece.length()),
              q -> q.wrSetSgeList(piece),
              q -> q.wrSetSgeList(1, new Sge[] {piece, null}));
      for (int i = 0; i < setters.size(); i++) {
        qp.wrStart();
        qp.wrId(i).wrFlags(SendFlags.SIGNALED);
        qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(4000L * i));
        setters.get(i).accept(qp);
        qp.wrComplete();
        assertThat(pair.left().sent(i).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
        assertThat(pair.right().bytes(4000L * i, 2345)).isEqualTo(data);
        assertThat(pair.right().bytes(4000L * i + 2345, 100)).containsOnly(0);
      }
    }
  }

  @OnEveryLink
  @Proves({"WR-016", "S1.7.1", "S2.13"})
  void noBytesAreAnEmptyMessage(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QueuePairEx qp = pair.left().qp();
      pair.right().postRecv(1, pair.right().sge(0, 8));
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrSend();
      qp.wrSetSge(pair.left().mr().lkey(), pair.left().addr(0), 0);
      qp.wrComplete();
      pair.left().sent(1);
      assertThat(pair.right().received(1).byteLen()).isZero();
    }
  }

  @OnEveryLink
  @Proves({"WR-114", "WR-017"})
  void theListMayBeChangedAsSoonAsItWasSet(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      byte[] data = pair.left().fill(0, 30, 2);
      QueuePairEx qp = pair.left().qp();
      Sge[] list = {pair.left().sge(20, 10), pair.left().sge(0, 7), pair.left().sge(7, 13)};
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(0));
      qp.wrSetSgeList(3, list);
      for (Sge piece : list) {
        piece.set(0, 1 << 20, 0);
      }
      qp.wrComplete();
      pair.left().sent(1);
      assertThat(pair.right().bytes(0, 10)).isEqualTo(Arrays.copyOfRange(data, 20, 30));
      assertThat(pair.right().bytes(10, 20)).isEqualTo(Arrays.copyOf(data, 20));
    }
  }

  @OnEveryLink
  @Proves("S2.13")
  void whatASetterRefusesShowsWhenTheBatchIsComplete(TckLink link) {
    MemorySegment word = MemorySegment.ofArray(new byte[8]);
    List<Consumer<QueuePairEx>> bodies =
        List.of(
            qp -> {
              qp.wrSend();
              Sge[] tooMany = new Sge[qp.queryInit().cap().maxSendSge() + 1];
              Arrays.fill(tooMany, new Sge(0, 0, 0));
              qp.wrSetSgeList(tooMany);
            },
            qp -> {
              qp.wrRdmaRead(1, 0);
              qp.wrSetInlineData(word);
            },
            qp -> {
              qp.wrAtomicCmpSwp(1, 0, 0, 0);
              qp.wrSetInlineData(word);
            },
            qp -> {
              qp.wrAtomicFetchAdd(1, 0, 0);
              qp.wrSetInlineDataList(word);
            },
            qp -> {
              qp.wrSend();
              qp.wrSetInlineData(bytes(qp.queryInit().maxInlineData() + 1));
            },
            qp -> {
              qp.wrRdmaWrite(1, 0);
              qp.wrSetInlineDataList(bytes(qp.queryInit().maxInlineData() - 3), word);
            });
    for (Consumer<QueuePairEx> body : bodies) {
      assertBatchFails(link, body, Refusal::of);
    }
  }

  private static MemorySegment bytes(int length) {
    return MemorySegment.ofArray(new byte[length]);
  }

  @OnEveryLink
  @Proves("S2.13")
  void aListMayHaveAsManyElementsAsTheQueuePair(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QueuePairEx qp = pair.left().qp();
      int count = qp.queryInit().cap().maxSendSge();
      byte[] data = pair.left().fill(0, count, 7);
      Sge[] list = new Sge[count];
      Arrays.setAll(list, i -> pair.left().sge(i, 1));
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(0));
      qp.wrSetSgeList(list);
      qp.wrComplete();
      pair.left().sent(1);
      assertThat(pair.right().bytes(0, count)).isEqualTo(data);
    }
  }

  @OnEveryLink
  @Proves({"WR-112", "S2.12"})
  void aSecondDataSetterFailsTheBatch(TckLink link) {
    List<Consumer<QueuePairEx>> seconds =
        List.of(
            qp -> qp.wrSetSge(0, 0, 0),
            QueuePairEx::wrSetSgeList,
            qp -> qp.wrSetInlineData(MemorySegment.ofArray(new byte[1])),
            qp -> qp.wrSetInlineDataList(MemorySegment.ofArray(new byte[1])));
    for (Consumer<QueuePairEx> second : seconds) {
      assertBatchFails(
          link,
          qp -> {
            qp.wrSend();
            qp.wrSetSgeList();
            second.accept(qp);
          });
    }
  }

  @OnEveryLink
  @Proves("S2.12")
  void aSetterBeforeAnyBuilderFailsTheBatch(TckLink link) {
    assertBatchFails(
        link,
        qp -> {
          qp.wrSetSge(0, 0, 0);
          qp.wrSend();
          qp.wrSetSgeList();
        });
    assertBatchFails(
        link,
        qp -> {
          qp.wrSetInlineData(MemorySegment.ofArray(new byte[1]));
          qp.wrSend();
          qp.wrSetSgeList();
        });
  }

  @OnEveryLink
  @Proves({"WR-112", "S2.10", "S2.12"})
  void aMissingDataSetterFailsTheBatchOrMeansNoData(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QueuePairEx qp = pair.left().qp();
      pair.right().postRecv(1, pair.right().sge(0, 8));
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrSend();
      boolean accepted = completes(qp);
      if (accepted) {
        pair.left().sent(1);
      } else {
        PostingApi.WR.post(qp, SendWrs.send(2));
        pair.left().sent(2);
      }
      WorkCompletion received = pair.right().received(1);
      assertThat(received.byteLen()).isZero();
      pair.left().assertNothingSent();
    }
  }

  @OnEveryLink
  @Proves("S2.11")
  void rcTakesNoDestination(TckLink link) {
    assertBatchFails(
        link,
        qp -> {
          qp.wrSend();
          qp.wrSetXrcSrqn(1);
          qp.wrSetSgeList();
        });
    assertBatchFails(
        link,
        qp -> {
          qp.wrSend();
          qp.wrSetSgeList();
          qp.wrSetUdAddr(Objects.requireNonNull(qp.pd()).createAh(AhAttr.to(qp.endpoint())), 2, 0);
        });
  }

  @OnEveryLink
  @Proves("S2.9")
  void theInlineFlagIsIgnoredOrRefused(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QueuePairEx qp = pair.left().qp();
      byte[] data = pair.left().fill(0, 3000, 3);
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED | SendFlags.INLINE);
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(0));
      qp.wrSetSge(pair.left().mr().lkey(), pair.left().addr(0), 3000);
      boolean accepted = completes(qp);
      if (accepted) {
        pair.left().sent(1);
        assertThat(pair.right().bytes(0, 3000)).isEqualTo(data);
      }
      PostingApi.WR.post(qp, SendWrs.read(2, pair.right(), 0, pair.left().sge(0, 1)));
      pair.left().sent(2);
      pair.left().assertNothingSent();
      if (!accepted) {
        assertThat(pair.right().bytes(0, 3000)).containsOnly(0);
      }
    }
  }

  /** Whether wrComplete accepts the batch; if not, then with EINVAL. */
  private static boolean completes(QueuePairEx qp) {
    try {
      qp.wrComplete();
      return true;
    } catch (WorkRequestException refusal) {
      assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
      return false;
    }
  }

  /** The setters throw nothing, wrComplete fails, nothing is posted, and the next batch works. */
  private static void assertBatchFails(TckLink link, Consumer<QueuePairEx> body) {
    assertBatchFails(link, body, complete -> Refusal.with(Errno.EINVAL, complete));
  }

  private static void assertBatchFails(
      TckLink link, Consumer<QueuePairEx> body, Consumer<ThrowingCallable> refused) {
    try (QpPair pair = QpPair.open(link)) {
      QueuePairEx qp = pair.left().qp();
      pair.right().postRecv(2);
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      body.accept(qp);
      refused.accept(qp::wrComplete);
      PostingApi.WR.post(qp, SendWrs.sendImm(2, 22));
      pair.left().sent(2);
      assertThat(pair.right().received(2).immData()).isEqualTo(22);
      pair.left().assertNothingSent();
    }
  }
}
