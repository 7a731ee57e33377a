package dev.verbena.tck.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.MwSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;

/** The region without memory, and other optional kinds of registration. */
final class NullRegionTest {
  private static final int LENGTH = 5000;

  @OnEveryLinkAndApi
  @Proves("S5.1.4")
  void itReadsAsZerosAndSwallowsWhatArrives(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      MemoryRegion nothing = left.pd().allocNullMr();
      assertThat(nothing.lkey()).isNotZero();
      Sge anywhere = new Sge(0x7fff_ffff_0000_0000L, LENGTH, nothing.lkey());

      right.fill(0, 3 * LENGTH, 1);
      byte[] before = right.bytes(LENGTH, LENGTH);
      api.post(left.qp(), SendWrs.write(1, right, 0, anywhere));
      left.sent(1);
      assertThat(right.bytes(0, LENGTH)).containsOnly(0);
      assertThat(right.bytes(LENGTH, LENGTH)).isEqualTo(before);

      Sge first = left.sge(0, 10);
      Sge last = left.sge(10, 10);
      Sge gap = nothing.sge(LENGTH - 20, 0);
      api.post(left.qp(), SendWrs.read(2, right, LENGTH, first, gap, last));
      left.sent(2);
      assertThat(left.bytes(0, 10)).isEqualTo(right.bytes(LENGTH, 10));
      assertThat(left.bytes(10, 10)).isEqualTo(right.bytes(2 * LENGTH - 10, 10));

      left.postRecv(7, anywhere);
      api.post(right.qp(), SendWrs.send(3, right.sge(0, LENGTH)));
      assertThat(left.received(7).byteLen()).isEqualTo(LENGTH);
      api.post(left.qp(), SendWrs.write(4, right, 2 * LENGTH, anywhere));
      left.sent(4);
      assertThat(right.bytes(2 * LENGTH, LENGTH)).as("zeros after it was written").containsOnly(0);
    }
  }

  @OnEveryLink
  @Proves("S5.1.4")
  void peersDoNotReachItAndNothingCanBeMadeOfIt(TckLink link) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd right = pair.right();
      MemoryRegion nothing = right.pd().allocNullMr();
      Refused.of(
          () -> nothing.rereg(ReregFlags.CHANGE_ACCESS, null, null, Access.LOCAL_WRITE),
          Errno.EINVAL);
      MemoryWindow mw = MwSetup.type2(right);
      MwBindInfo info = new MwBindInfo(nothing, 0, 8, Access.REMOTE_READ);
      Refusal.with(Errno.EINVAL, () -> right.qp().postSend(MwSetup.bind(1, mw, 1, info)));
      pair.left().qp().postSend(MwSetup.write(1, pair, nothing.lkey(), 0));
      pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLink
  @Proves("S5.1.4")
  void onceItIsGoneItsKeyIsUnknown(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      MemoryRegion nothing = pair.left().pd().allocNullMr();
      Sge piece = nothing.sge(8, 0);
      nothing.dereg();
      assertThat(nothing.isClosed()).isTrue();
      pair.left().qp().postSend(SendWrs.write(1, pair.right(), 0, piece));
      pair.left().awaitSend(1, WcStatus.LOC_PROT_ERR);
    }
  }
}
