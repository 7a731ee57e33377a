package dev.verbena.tck.kit.pairs;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PathMigState;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;

/**
 * An RC queue pair that is its own peer, for walks from state to state.
 *
 * @param pd its protection domain
 * @param cq its completion queue
 * @param qp the queue pair
 */
public record LoneQp(ProtectionDomain pd, CompletionQueue cq, QueuePair qp)
    implements AutoCloseable {
  private static final PairSetup SETUP = PairSetup.on(TckLink.plain());

  /** A new one in RESET. */
  public static LoneQp in(Context context) {
    ProtectionDomain pd = context.allocPd();
    CompletionQueue cq = context.createCq(16);
    return new LoneQp(pd, cq, pd.createQp(QpInitAttr.rc(cq)));
  }

  /** A new one in this state; SQD means drained. */
  public static LoneQp in(Context context, QpState state) {
    LoneQp lone = in(context);
    lone.walkTo(state);
    return lone;
  }

  /** Takes it from RESET to this state. */
  void walkTo(QpState state) {
    switch (state) {
      case RESET -> {}
      case INIT -> SETUP.toInit(qp);
      case RTR -> {
        walkTo(QpState.INIT);
        SETUP.toRtr(qp, qp.endpoint());
      }
      case RTS -> {
        walkTo(QpState.RTR);
        SETUP.toRts(qp);
      }
      case SQD -> {
        walkTo(QpState.RTS);
        qp.modify(new QpAttr().qpState(QpState.SQD));
        Await.until("an empty send queue to drain", () -> !qp.query(QpAttrMask.STATE).sqDraining());
      }
      case ERR -> {
        walkTo(QpState.INIT);
        qp.modify(new QpAttr().qpState(QpState.ERR));
      }
      case SQE, UNKNOWN -> throw new IllegalArgumentException("RC has no way to " + state);
    }
  }

  /** Legal values for all attributes, if possible others than walking sets. */
  public QpAttr otherValues() {
    AhAttr address = AhAttr.to(qp.endpoint()).withHopLimit(17).withTrafficClass(8);
    return new QpAttr()
        .curQpState(queryState())
        .enSqdAsyncNotify(true)
        .qpAccessFlags(Access.REMOTE_READ)
        .pkeyIndex(0)
        .portNum(1)
        .qkey(0x11111111)
        .ahAttr(address)
        .pathMtu(Mtu.MTU_512)
        .timeout(15)
        .retryCnt(5)
        .rnrRetry(3)
        .rqPsn(0x123456)
        .maxRdAtomic(2)
        .altAhAttr(address)
        .altPortNum(1)
        .altTimeout(14)
        .minRnrTimer(20)
        .sqPsn(0x654321)
        .maxDestRdAtomic(2)
        .pathMigState(PathMigState.MIGRATED)
        .cap(new QpCap(16, 16, 1, 1, 0))
        .destQpNum(0x77)
        .rateLimit(1);
  }

  /** The state that the device reports. */
  public QpState queryState() {
    return qp.query(QpAttrMask.STATE).qpState();
  }

  @Override
  public void close() {
    pd.close();
    cq.close();
  }
}
