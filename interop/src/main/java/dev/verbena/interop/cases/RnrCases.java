package dev.verbena.interop.cases;

import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.PairSettings;
import dev.verbena.interop.sides.Side;
import dev.verbena.interop.sides.Work;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.util.List;

/** The target has no receive when a message arrives, and posts one later or never. */
final class RnrCases {
  private static final int FOR_EVER = 7;
  private static final int SIZE = 3000;
  private static final int SEED = 33;
  private static final long SOURCE_OFF = 512;
  private static final long SINK_OFF = 8192;
  private static final int IMM = 0x00c0ffee;

  static List<Case> list() {
    PairSettings patient = PairSettings.USUAL.withRnrRetry(FOR_EVER);
    return List.of(
        new Case("rnr/late-receive-for-send", patient, RnrCases::lateForSend),
        new Case("rnr/late-receive-for-write-with-imm", patient, RnrCases::lateForWrite),
        new Case("rnr/exhausted", PairSettings.USUAL.withRnrRetry(2), RnrCases::exhausted));
  }

  private static void lateForSend(Pair pair) throws IOException {
    Side target = pair.target();
    postUnreceived(pair, Work.of(WrOpcode.SEND, 1, SOURCE_OFF, SIZE));
    target.postRecv(2, SINK_OFF, SIZE, 1);
    pair.await(pair.initiator(), 1, WcOpcode.SEND);
    pair.awaitReceive(target, 2, WcOpcode.RECV, SIZE);
    target.check(SINK_OFF, SIZE, SEED);
    pair.expectNone(target);
  }

  private static void lateForWrite(Pair pair) throws IOException {
    Side target = pair.target();
    postUnreceived(
        pair,
        Work.of(WrOpcode.RDMA_WRITE_WITH_IMM, 1, SOURCE_OFF, SIZE)
            .withImm(IMM)
            .at(target.addr() + SINK_OFF, target.rkey()));
    target.postRecv(2, 0, 0, 1);
    pair.await(pair.initiator(), 1, WcOpcode.RDMA_WRITE);
    pair.awaitReceive(target, 2, WcOpcode.RECV_RDMA_WITH_IMM, SIZE, IMM);
    target.check(SINK_OFF, SIZE, SEED);
    pair.expectNone(target);
  }

  /** Posts and waits until the target has refused the message at least twice. */
  private static void postUnreceived(Pair pair, Work work) throws IOException {
    Side initiator = pair.initiator();
    long before = pair.target().rnrNaks();
    initiator.fill(SOURCE_OFF, SIZE, SEED);
    initiator.post(work);
    pair.awaitRnrNaks(pair.target(), before + 1);
    pair.expectNone(initiator);
    pair.expectNone(pair.target());
  }

  private static void exhausted(Pair pair) throws IOException {
    Side initiator = pair.initiator();
    initiator.post(Work.of(WrOpcode.SEND, 1, SOURCE_OFF, SIZE));
    initiator.post(Work.of(WrOpcode.SEND, 2, SOURCE_OFF, SIZE));
    pair.await(initiator, 1, WcStatus.RNR_RETRY_EXC_ERR);
    pair.await(initiator, 2, WcStatus.WR_FLUSH_ERR);
    pair.awaitState(initiator, QpState.ERR);
    pair.expectNone(pair.target());
    pair.awaitState(pair.target(), QpState.RTS);
  }

  private RnrCases() {}
}
