package dev.verbena.tck.posting;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.QueuePairEx;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Calls of the extended API at the wrong time; they must neither hang nor do damage. */
final class WrMisuseTest {

  @Test
  @Proves({"WR-026", "S2.21"})
  void outsideABatchEveryCallIsRefused() {
    List<Consumer<QueuePairEx>> calls =
        List.of(
            QueuePairEx::wrComplete,
            QueuePairEx::wrAbort,
            QueuePairEx::wrSend,
            qp -> qp.wrSendImm(1),
            qp -> qp.wrRdmaWrite(1, 1),
            qp -> qp.wrRdmaWriteImm(1, 1, 1),
            qp -> qp.wrRdmaRead(1, 1),
            qp -> qp.wrAtomicCmpSwp(1, 8, 1, 1),
            qp -> qp.wrAtomicFetchAdd(1, 8, 1),
            qp -> qp.wrSetUdAddr(handle(qp), 1, 1),
            qp -> qp.wrSetXrcSrqn(1),
            qp -> qp.wrSetSge(1, 1, 1),
            QueuePairEx::wrSetSgeList,
            qp -> qp.wrSetInlineData(MemorySegment.ofArray(new byte[1])),
            qp -> qp.wrSetInlineDataList(MemorySegment.ofArray(new byte[1])));
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      QueuePairEx qp = pair.left().qp();
      for (Consumer<QueuePairEx> call : calls) {
        assertRefused(() -> call.accept(qp), "wrStart");
        qp.wrStart();
        qp.wrAbort();
        assertRefused(() -> call.accept(qp), "wrStart");
      }
      assertUsable(pair);
    }
  }

  @Test
  @Proves("S2.21")
  void aSecondStartOfTheSameThreadIsRefused() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      QueuePairEx qp = pair.left().qp();
      qp.wrStart();
      PostingApi.build(qp, SendWrs.write(1, pair.right(), 0));
      assertRefused(qp::wrStart, "wrStart");
      qp.wrComplete();
      pair.left().sent(1);
      assertUsable(pair);
    }
  }

  @Test
  @Proves({"S2.22", "WR-022"})
  void postSendInsideTheBatchOfTheSameThreadIsRefused() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      QueuePairEx qp = pair.left().qp();
      qp.wrStart();
      PostingApi.build(qp, SendWrs.write(1, pair.right(), 0));
      assertRefused(() -> qp.postSend(SendWrs.write(2, pair.right(), 0)), "wrComplete");
      qp.wrComplete();
      pair.left().sent(1);
      assertUsable(pair);
    }
  }

  private static void assertRefused(ThrowingCallable call, String named) {
    assertThatIllegalStateException().isThrownBy(call).withMessageContaining(named);
  }

  private static AddressHandle handle(QueuePairEx qp) {
    return Objects.requireNonNull(qp.pd()).createAh(AhAttr.to(qp.endpoint()));
  }

  private static void assertUsable(QpPair pair) {
    for (PostingApi api : PostingApi.values()) {
      api.post(pair.left().qp(), SendWrs.write(50, pair.right(), 0));
      pair.left().sent(50);
      pair.left().assertNothingSent();
    }
  }
}
