package dev.verbena.tck.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.XrcDomain;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Closing a context with everything below it open and in use. */
final class ContextCloseTest {

  @Test
  @Proves({"PY-006", "PY-007", "PY-009", "PY-010", "PY-122", "PY-138"})
  void everythingUnderneathIsClosedAndSaysSo() {
    Context context = Devices.open(TckLink.selected().getFirst().device());
    ProtectionDomain pd = context.allocPd();
    CompletionChannel channel = context.createCompChannel();
    CompletionQueue cq = context.createCq(8, channel);
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 1));
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq).srq(srq));
    AddressHandle ah = pd.createAh(AhAttr.to(context.queryGid(1, 0)));
    MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE, Access.MW_BIND);
    MemoryWindow mw = pd.allocMw(MwType.TYPE_1);
    XrcDomain xrcd = context.openXrcd();
    ThreadDomain td = context.allocTd();
    List<AutoCloseable> all = List.of(qp, ah, srq, mw, mr, pd, cq, channel, xrcd, td, context);

    context.close();

    List<ThrowingCallable> calls =
        List.of(
            qp::qpNum,
            ah::attr,
            srq::query,
            mw::rkey,
            mr::lkey,
            pd::context,
            cq::cqe,
            channel::checkPoll,
            xrcd::context,
            td::context,
            context::queryDevice,
            qp::destroy,
            cq::destroy,
            mr::dereg,
            pd::dealloc);
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call)
          .isInstanceOf(ObjectClosedException.class)
          .isInstanceOf(RdmaException.class)
          .hasMessageContaining("is closed");
    }
    for (AutoCloseable each : all) {
      assertThatCodeCloses(each);
      assertThatCodeCloses(each);
    }
  }

  private static void assertThatCodeCloses(AutoCloseable each) {
    try {
      each.close();
    } catch (Exception e) {
      throw new AssertionError("a second close of " + each, e);
    }
  }

  @OnEveryLink
  @Proves({"PY-007", "PY-008", "PY-112"})
  void aContextWithTrafficAndEventsTakenCloses(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).open()) {
      QpEnd right = pair.right();
      right.recvCq().reqNotify();
      for (int i = 0; i < 16; i++) {
        right.postRecv(i, right.sge(0, 8));
      }
      pair.left().qp().postSend(SendWrs.send(1, pair.left().sge(0, 8)));
      pair.left().sent(1);
      assertThat(right.recvCq().channel().getCqEvent()).isSameAs(right.recvCq());
      for (int i = 0; i < 8; i++) {
        pair.left().qp().postSend(SendWrs.write(i, right, 0, pair.left().sge(0, 4096)));
      }
      Background.run(right.context()::close).result();
      assertThat(right.qp().isClosed()).isTrue();
      assertThat(right.mr().isClosed()).isTrue();
    }
  }
}
