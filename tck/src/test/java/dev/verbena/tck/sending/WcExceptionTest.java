package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.RecvTarget;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The information in an exception about a completion. */
final class WcExceptionTest {

  @OnEveryLink
  @Proves({"PY-071", "PY-164"})
  void aFailedSendNamesItsQueuePairAndThePeer(TckLink link) {
    try (QpPair pair = PairSetup.on(link).mrAccess(1).open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      left.qp().postSend(SendWrs.write(7, right, 0, left.sge(0, 8)));
      WorkCompletion wc = left.awaitSend(7, WcStatus.REM_ACCESS_ERR);

      WcException e = new WcException(wc, left.sendCq());
      assertThat(e).isInstanceOf(RdmaException.class);
      assertThat(e.workCompletion()).usingRecursiveComparison().isEqualTo(wc);
      assertThat(e.cq()).isSameAs(left.sendCq());
      assertThat(e.qp()).isSameAs(left.qp());
      assertThat(e.isRq()).isFalse();
      assertThat(e.srq()).isNull();
      assertThat(e.peerGid()).isEqualTo(right.gid());
      assertThat(e.peerQpn()).hasValue(right.qp().qpNum());
      int lid = right.context().queryPort(1).lid();
      if (lid == 0) {
        assertThat(e.peerLid()).isEmpty();
        assertThat(e.getMessage()).doesNotContain(" lid=");
      } else {
        assertThat(e.peerLid()).hasValue(lid);
        assertThat(e).hasMessageContaining(" lid=" + lid);
      }
      assertThat(e)
          .hasMessageStartingWith(
              "Error work completion - " + wc.status().number() + " " + wc.status().str() + " (op=")
          .hasMessageContaining("vend=0x" + Integer.toHexString(wc.vendorErr()))
          .hasMessageContaining(" wr_id=7 qp=0x" + Integer.toHexString(wc.qpNum()) + " SQ")
          .hasMessageContaining(" peer=" + right.gid().toAddressText())
          .hasMessageEndingWith("Usual cause: " + wc.status().usualCause());

      WcException alone = new WcException(wc);
      assertThat(alone.qp()).isNull();
      assertThat(alone.isRq()).isNull();
      assertThat(alone.peerQpn()).isEmpty();
      WorkCompletion vague = new WorkCompletion().set(wc).opcode(WcOpcode.RECV);
      assertThat(new WcException(vague, left.sendCq()).isRq())
          .as("the opcode may be missing")
          .isFalse();

      left.qp().close();
      WcException late = new WcException(wc, left.sendCq());
      assertThat(late.qp()).as("the queue pair has gone").isNull();
      assertThat(late.workCompletion().wrId()).isEqualTo(7);
    }
  }

  @OnEveryLink
  @Proves({"PY-071", "PY-164"})
  void aFailedReceiveNamesTheQueueThatItCameFrom(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair base = setup.openUnconnected()) {
      QpEnd own = base.right();
      SharedReceiveQueue srq = own.pd().createSrq(SrqInitAttr.basic(8, 1));
      CompletionQueue both = own.context().createCq(16);
      QpEnd shared = setup.end(own.pd(), both, both, srq);
      WorkCompletion wc = new WorkCompletion().status(WcStatus.LOC_LEN_ERR);
      wc.qpNum(shared.qp().qpNum());
      assertThat(new WcException(wc, both).isRq()).as("one queue for both").isNull();
      WcException known = told(wc, both, srq, true);
      assertThat(known.srq()).isSameAs(srq);
      assertThat(known.isRq()).isTrue();
      assertThat(known.qp()).isSameAs(shared.qp());
      assertThat(known)
          .hasMessageStartingWith("Oh - 1 local length error")
          .hasMessageContaining("RQ");
      assertThat(told(wc, both, srq, false).srq()).isNull();
      assertThat(told(wc, null, srq, true).qp()).as("by the queue's context").isSameAs(shared.qp());

      setup.toInit(own.qp());
      own.postRecv(3, own.sge(0, 8));
      own.qp().modify(new QpAttr().qpState(QpState.ERR));
      WcException flushed = new WcException(own.awaitRecv(3, WcStatus.WR_FLUSH_ERR), own.recvCq());
      assertThat(flushed.isRq()).isTrue();
      assertThat(flushed.peerGid()).as("it never had one").isNull();
      assertThat(flushed).hasMessageContaining(" RQ");
    }
  }

  @OnEveryLink
  @Proves("PY-071")
  void datagramsHaveNoPeer(TckLink link) {
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      QpEnd left = pair.left();
      left.postRecv(1, left.sge(0, 64));
      left.qp().modify(new QpAttr().qpState(QpState.ERR));
      WcException e = new WcException(left.awaitRecv(1), left.recvCq());
      assertThat(e.qp()).isSameAs(left.qp());
      assertThat(e.peerGid()).isNull();
      assertThat(e.peerQpn()).isEmpty();
      assertThat(List.of(e.getMessage())).noneMatch(text -> text.contains("peer="));
    }
  }

  private static WcException told(
      WorkCompletion wc, @Nullable CompletionQueue cq, RecvTarget target, @Nullable Boolean isRq) {
    return new WcException(wc, cq, "Oh", target, isRq);
  }
}
