package dev.verbena.tck.posting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.VerbsException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which queue pairs have the extended posting API, and its names. */
final class WrCreationTest {

  @Test
  @Proves({"S2.1", "S2.25", "WR-023"})
  void aPlainQueuePairHasNoExtendedApi() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      QpEnd end = pair.left();
      QueuePair plain = end.pd().createQp(QpInitAttr.rc(end.sendCq()));
      assertThat(failure(plain::toQpEx).errno()).isEqualTo(Errno.EINVAL);
      assertThat(plain.queryInit().hasSendOps()).isFalse();
      assertThat(failure(() -> end.pd().createQpEx(QpInitAttr.rc(end.sendCq()))).errno())
          .isEqualTo(Errno.EINVAL);
    }
  }

  /** The operations that each type has at least (S2.2). */
  private static final Map<QpType, Integer> OPS =
      Map.of(
          QpType.RC, 0x3ff,
          QpType.XRC_SEND, 0x3ff,
          QpType.UC, PairSetup.UC_OPS | SendOps.BIND_MW | SendOps.LOCAL_INV | SendOps.SEND_WITH_INV,
          QpType.UD, SendOps.SEND | SendOps.SEND_WITH_IMM | SendOps.TSO,
          QpType.RAW_PACKET, SendOps.SEND | SendOps.TSO);

  /** The operations that a type has if the device has them. */
  private static final Map<QpType, Integer> MORE =
      Map.of(
          QpType.RC, SendOps.FLUSH | SendOps.ATOMIC_WRITE,
          QpType.XRC_SEND, SendOps.FLUSH | SendOps.ATOMIC_WRITE);

  private static Stream<QpType> types() {
    return OPS.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("types")
  @Proves({"S2.1", "S2.2", "WR-024"})
  void theOperationsOfTheTypeAreGrantedAndNoOthers(QpType type) {
    int granted = OPS.getOrDefault(type, 0);
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      QpEnd end = pair.left();
      for (int op = 1; op != 0; op <<= 1) {
        QpInitAttr attr = init(type, end).sendOps(op);
        if ((granted & op) != 0) {
          try (QueuePairEx qp = end.pd().createQpEx(attr)) {
            assertThat(qp.queryInit().sendOps()).isEqualTo(op);
            assertThat(qp.toQpEx()).isSameAs(qp);
          }
        } else if ((MORE.getOrDefault(type, 0) & op) == 0) {
          assertThat(failure(() -> end.pd().createQpEx(attr)).errno())
              .as("errno of %s with operation 0x%x", type, op)
              .isIn(Errno.EOPNOTSUPP, Errno.EINVAL);
        }
      }
      try (QueuePairEx qp = end.pd().createQpEx(init(type, end).sendOps(granted))) {
        assertThat(qp.queryInit().sendOps()).isEqualTo(granted);
      }
    }
  }

  @Test
  @Proves("S2.2")
  void aTargetIsGrantedNone() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      QpEnd end = pair.left();
      QpInitAttr target = QpInitAttr.xrcRecv(end.context().openXrcd());
      for (int op = 1; op != 0; op <<= 1) {
        target.sendOps(op);
        assertThat(failure(() -> end.context().createQpEx(target)).errno()).isPositive();
      }
    }
  }

  private static QpInitAttr init(QpType type, QpEnd end) {
    QpInitAttr attr = new QpInitAttr(type).sendCq(end.sendCq());
    if (type == QpType.UD || type == QpType.RAW_PACKET) {
      attr.maxTsoHeader(64);
    }
    return type == QpType.XRC_SEND ? attr : attr.recvCq(end.sendCq());
  }

  @Test
  @Proves("S2.2")
  void oneOperationThatTheTypeDoesNotHaveSpoilsAllOfThem() {
    try (QpPair pair = QpPair.open(TckLink.plain())) {
      QpEnd end = pair.left();
      for (int bad : new int[] {SendOps.TSO, 1 << 13, 1 << 31}) {
        QpInitAttr attr = QpInitAttr.rc(end.sendCq()).sendOps(SendOps.SEND, bad);
        assertThat(failure(() -> end.pd().createQpEx(attr)).errno()).isPositive();
      }
    }
  }

  @Test
  @Proves({"S2.2", "S2.3"})
  void withoutOperationsOnlyTheBatchCanBeUsed() {
    PairSetup setup = PairSetup.on(TckLink.plain()).sendOps();
    try (QpPair pair = setup.open()) {
      QueuePairEx qp = pair.left().qp();
      assertThat(qp.queryInit().hasSendOps()).isTrue();
      assertThat(qp.queryInit().sendOps()).isZero();
      qp.wrStart();
      qp.wrComplete();
      qp.wrStart();
      qp.wrAbort();
      Refusal.of(() -> PostingApi.WR.post(qp, SendWrs.write(1, pair.right(), 0)));
      qp.postSend(SendWrs.write(2, pair.right(), 0));
      pair.left().sent(2);
      pair.left().assertNothingSent();
    }
  }

  @Test
  @Proves({"S2.3", "S2.5"})
  void operationsNotAskedForFailWithTheWholeBatch() {
    PairSetup setup = PairSetup.on(TckLink.plain()).sendOps(SendOps.RDMA_WRITE);
    try (QpPair pair = setup.open()) {
      QueuePairEx qp = pair.left().qp();
      var refusal =
          Refusal.of(
              () ->
                  PostingApi.WR.post(
                      qp, SendWrs.list(SendWrs.write(1, pair.right(), 0), SendWrs.send(2))));
      assertThat(refusal.errno()).isIn(Errno.EINVAL, Errno.EOPNOTSUPP);
      assertThat(refusal.index()).isEqualTo(1);
      PostingApi.WR.post(qp, SendWrs.write(3, pair.right(), 0));
      pair.left().sent(3);
      pair.left().assertNothingSent();
    }
  }

  @Test
  @Proves({"WR-001", "WR-127"})
  void noCallOfTheExtendedApiReportsAFailureByItsResult() {
    assertThat(
            Arrays.stream(QueuePairEx.class.getMethods())
                .filter(method -> method.getName().startsWith("wr"))
                .filter(method -> !method.getName().matches("wrId|wrFlags"))
                .filter(method -> method.getReturnType() != void.class)
                .map(Method::getName))
        .isEmpty();
    assertThat(Arrays.stream(QueuePairEx.class.getMethods()).map(Method::getName))
        .contains(
            "wrStart",
            "wrComplete",
            "wrAbort",
            "wrAtomicCmpSwp",
            "wrAtomicFetchAdd",
            "wrBindMw",
            "wrLocalInv",
            "wrRdmaRead",
            "wrRdmaWrite",
            "wrRdmaWriteImm",
            "wrSend",
            "wrSendImm",
            "wrSendInv",
            "wrSendTso",
            "wrFlush",
            "wrAtomicWrite",
            "wrSetSge",
            "wrSetSgeList",
            "wrSetInlineData",
            "wrSetInlineDataList",
            "wrSetUdAddr",
            "wrSetXrcSrqn");
  }

  private static VerbsException failure(ThrowingCallable call) {
    VerbsException failure = catchThrowableOfType(VerbsException.class, call);
    assertThat(failure).as("VerbsException").isNotNull();
    return failure;
  }
}
