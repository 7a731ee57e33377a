package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkRequestException;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Errors of posting name the object, the value and the limit. */
final class WrongPostTest {

  @OnEveryLink
  void aFullSendQueueTellsItsSizeAndCostsNoStackTrace(TckLink link) {
    try (QpPair pair = PairSetup.on(link).cap(new QpCap(4, 4, 1, 1, 0)).open()) {
      QpEnd left = pair.left();
      int most = left.qp().queryInit().maxSendWr();
      left.qp().modify(new QpAttr().qpState(QpState.SQD));
      for (int i = 0; i < most; i++) {
        left.qp().postSend(SendWrs.write(i, pair.right(), 0, left.sge(0, 8)));
      }
      SendWr next = SendWrs.write(most, pair.right(), 0, left.sge(0, 8));

      WorkRequestException refusal =
          refused(() -> left.qp().postSend(next), Errno.ENOMEM, "max_send_wr", "" + most);

      assertThat(refusal.badSendWr()).isSameAs(next);
      assertThat(refusal.getStackTrace()).isEmpty();
      left.qp().wrStart();
      left.qp().wrRdmaWrite(pair.right().rkey(), pair.right().addr(0));
      left.qp().wrSetSge(left.mr().lkey(), left.addr(0), 8);
      WorkRequestException batch =
          refused(left.qp()::wrComplete, Errno.ENOMEM, "max_send_wr", "" + most);
      assertThat(batch.getStackTrace()).isEmpty();
    }
  }

  @OnEveryLink
  void aFullReceiveQueueTellsItsSize(TckLink link) {
    try (QpPair pair = PairSetup.on(link).cap(new QpCap(4, 4, 1, 1, 0)).open()) {
      QpEnd left = pair.left();
      int most = left.qp().queryInit().maxRecvWr();
      for (int i = 0; i < most; i++) {
        left.postRecv(i, left.sge(0, 8));
      }
      RecvWr next = new RecvWr().sgList(left.sge(0, 8));
      WorkRequestException refusal =
          refused(() -> left.qp().postRecv(next), Errno.ENOMEM, "max_recv_wr", "" + most);
      assertThat(refusal.badRecvWr()).isSameAs(next);
      assertThat(refusal.getStackTrace()).isEmpty();
    }
  }

  @OnEveryLink
  void tooManyElementsAreCounted(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      int sendMost = left.qp().queryInit().maxSendSge();
      int recvMost = left.qp().queryInit().maxRecvSge();
      refused(
          () -> left.qp().postSend(SendWrs.send(1, elements(left, sendMost + 1))),
          Errno.EINVAL,
          "max_send_sge",
          "" + sendMost,
          "" + (sendMost + 1));
      refused(
          () -> left.qp().postRecv(new RecvWr().sgList(elements(left, recvMost + 1))),
          Errno.EINVAL,
          "max_recv_sge",
          "" + recvMost,
          "" + (recvMost + 1));
    }
  }

  @OnEveryLink
  void tooMuchInlineDataIsMeasured(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      int most = left.qp().queryInit().maxInlineData();
      Sge tooLong = Sge.of(MemorySegment.ofArray(new byte[most + 1]));
      refused(
          () -> left.qp().postSend(SendWrs.send(1, tooLong).sendFlags(SendFlags.INLINE)),
          Errno.EINVAL,
          "max_inline_data",
          "" + most,
          "" + (most + 1));
    }
  }

  @OnEveryLink
  void aRequestWithoutAnOperationIsRefused(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      refused(() -> pair.left().qp().postSend(new SendWr().wrId(77)), Errno.EINVAL, "opcode");
    }
  }

  @OnEveryLink
  void aMisalignedAtomicIsRefusedHereOrThere(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      SendWr wr = SendWrs.fetchAdd(1, pair.right(), 4, 1, left.sge(0, 8));
      try {
        left.qp().postSend(wr);
      } catch (WorkRequestException refusal) {
        assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
        assertThat(refusal).hasMessageContaining(Long.toHexString(wr.remoteAddr()));
        assertThat(refusal).hasMessageContaining("8");
        return;
      }
      left.awaitSend(1, WcStatus.REM_INV_REQ_ERR);
    }
  }

  @OnEveryLink
  void aSetterWithoutABuilderAndABuilderWithTwoAreRefused(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      QueuePairEx qp = left.qp();
      qp.wrStart();
      qp.wrSetSge(left.mr().lkey(), left.addr(0), 8);
      refused(qp::wrComplete, Errno.EINVAL, "wrSetSge");

      qp.wrStart();
      qp.wrSend();
      qp.wrSetSge(left.mr().lkey(), left.addr(0), 8);
      qp.wrSetSge(left.mr().lkey(), left.addr(0), 8);
      WorkRequestException second = refused(qp::wrComplete, Errno.EINVAL, "wrSetSge");
      assertThat(second.index()).isZero();
      left.assertNothingSent();
    }
  }

  @OnEveryLink
  void anOperationThatWasNotAskedForIsNamed(TckLink link) {
    try (QpPair pair = PairSetup.on(link).sendOps(SendOps.SEND).open()) {
      QueuePairEx qp = pair.left().qp();
      qp.wrStart();
      qp.wrRdmaRead(1, 2);
      qp.wrSetSge(1, 2, 3);
      WorkRequestException refusal = refused(qp::wrComplete, Errno.EOPNOTSUPP, "RDMA_READ");
      assertThat(refusal.index()).isZero();
      assertThat(refusal.badSendWr()).isNull();
    }
  }

  private static WorkRequestException refused(ThrowingCallable call, int errno, String... names) {
    return (WorkRequestException) Refused.of(call, errno).naming(names).exception();
  }

  private static Sge[] elements(QpEnd end, int count) {
    return IntStream.range(0, count).mapToObj(i -> end.sge(i, 1)).toArray(Sge[]::new);
  }
}
