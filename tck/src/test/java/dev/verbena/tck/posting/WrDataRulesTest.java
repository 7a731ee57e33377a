package dev.verbena.tck.posting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Frames;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.Sge;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The data that an operation of the extended API takes, which does not depend on the link. */
final class WrDataRulesTest {
  private static final int MAX_SGE = 4;
  private static final int MAX_INLINE = 64;

  @Test
  @Proves("S2.13")
  void zeroBytesAreAMessageAndTooManyPiecesAreNot() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      QpEnd left = pair.left();
      QueuePairEx qp = left.qp();
      pair.right().postRecv(1, pair.right().sge(0, 64));
      start(qp);
      qp.wrSend();
      qp.wrSetSge(left.mr().lkey(), left.addr(0), 0);
      qp.wrComplete();
      left.sent(1);
      assertThat(pair.right().received(1).byteLen()).isZero();

      start(qp);
      qp.wrSend();
      qp.wrSetSgeList(many(left));
      Refusal.of(qp::wrComplete);
      left.assertNothingSent();
    }
  }

  @Test
  @Proves("S2.13")
  void inlineDataIsForSendsAndWritesAndCopiedAtOnce() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      QueuePairEx qp = left.qp();
      byte[] data = {1, 2, 3, 4, 5, 6, 7, 8};
      List<Runnable> wrong =
          List.of(
              () -> qp.wrRdmaRead(right.rkey(), right.addr(0)),
              () -> qp.wrAtomicCmpSwp(right.rkey(), right.addr(0), 0, 1),
              () -> qp.wrAtomicFetchAdd(right.rkey(), right.addr(0), 1));
      for (Runnable builder : wrong) {
        start(qp);
        builder.run();
        qp.wrSetInlineData(MemorySegment.ofArray(data));
        Refusal.of(qp::wrComplete);
      }
      start(qp);
      qp.wrRdmaWrite(right.rkey(), right.addr(0));
      qp.wrSetInlineData(MemorySegment.ofArray(new byte[MAX_INLINE + 1]));
      Refusal.with(Errno.EINVAL, qp::wrComplete);

      start(qp);
      qp.wrRdmaWrite(right.rkey(), right.addr(0));
      byte[] buffer = data.clone();
      qp.wrSetInlineData(MemorySegment.ofArray(buffer));
      buffer[0] = 99;
      qp.wrComplete();
      left.sent(1);
      assertThat(right.bytes(0, data.length)).isEqualTo(data);
      left.assertNothingSent();
    }
  }

  @Test
  @Proves("S2.13")
  void aStreamToBeSegmentedIsNotInline() {
    PairSetup setup = PairSetup.on(TckLink.plain()).type(QpType.UD);
    try (QpPair pair = setup.sendOps(SendOps.TSO).maxTsoHeader(64).open()) {
      QpEnd left = pair.left();
      QueuePairEx qp = left.qp();
      start(qp);
      qp.wrSendTso(MemorySegment.ofArray(Frames.ipoib(0, Frames.ACK)), 500);
      qp.wrSetUdAddr(left.ahTo(pair.right()), pair.right().qp().qpNum(), PairSetup.QKEY);
      qp.wrSetInlineData(MemorySegment.ofArray(new byte[8]));
      Refusal.of(qp::wrComplete);
      left.assertNothingSent();

      start(qp);
      qp.wrSendTso(MemorySegment.ofArray(Frames.ipoib(0, Frames.ACK)), 500);
      qp.wrSetUdAddr(left.ahTo(pair.right()), pair.right().qp().qpNum(), PairSetup.QKEY);
      qp.wrSetSge(left.mr().lkey(), left.addr(0), 8);
      qp.wrComplete();
      left.sent(1);
    }
  }

  private static void start(QueuePairEx qp) {
    qp.wrStart();
    qp.wrId(1).wrFlags(SendFlags.SIGNALED);
  }

  private static Sge[] many(QpEnd end) {
    Sge[] list = new Sge[MAX_SGE + 1];
    for (int i = 0; i < list.length; i++) {
      list[i] = end.sge(i, 1);
    }
    return list;
  }
}
