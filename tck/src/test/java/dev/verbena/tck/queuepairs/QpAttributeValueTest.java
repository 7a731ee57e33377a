package dev.verbena.tck.queuepairs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.LoneQp;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PathMigState;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which values the attributes of an RC queue pair may have: S4.4. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QpAttributeValueTest {
  private final Context context = Devices.open(TckLink.firstOnEthernet().device());
  private final DeviceAttr device = context.queryDevice();

  @AfterAll
  void closeContext() {
    context.close();
  }

  Stream<Arguments> badNumbers() {
    int ports = device.physPortCnt();
    int pkeys = context.queryPort(1).pkeyTblLen();
    int most = Math.max(device.maxQpRdAtom(), device.maxQpInitRdAtom());
    return Stream.of(
            bad(RcStep.RESET_INIT, QpAttrMask.PORT, QpAttr::portNum, 0, ports + 1, -1),
            bad(RcStep.RESET_INIT, QpAttrMask.PKEY_INDEX, QpAttr::pkeyIndex, pkeys, -1),
            bad(RcStep.INIT_INIT, QpAttrMask.PORT, QpAttr::portNum, 0, ports + 1),
            bad(RcStep.INIT_INIT, QpAttrMask.PKEY_INDEX, QpAttr::pkeyIndex, pkeys),
            bad(RcStep.INIT_RTR, QpAttrMask.PKEY_INDEX, QpAttr::pkeyIndex, pkeys),
            bad(RcStep.INIT_RTR, QpAttrMask.DEST_QPN, QpAttr::destQpNum, 1 << 24, -1),
            bad(RcStep.INIT_RTR, QpAttrMask.MIN_RNR_TIMER, QpAttr::minRnrTimer, 32, -1),
            bad(
                RcStep.INIT_RTR,
                QpAttrMask.MAX_DEST_RD_ATOMIC,
                QpAttr::maxDestRdAtomic,
                device.maxQpRdAtom() + 1,
                -1),
            bad(RcStep.RTR_RTS, QpAttrMask.TIMEOUT, QpAttr::timeout, 32, -1),
            bad(RcStep.RTR_RTS, QpAttrMask.RETRY_CNT, QpAttr::retryCnt, 8, -1),
            bad(RcStep.RTR_RTS, QpAttrMask.RNR_RETRY, QpAttr::rnrRetry, 8, -1),
            bad(RcStep.RTR_RTS, QpAttrMask.MAX_QP_RD_ATOMIC, QpAttr::maxRdAtomic, most + 1, -1),
            bad(RcStep.RTS_RTS, QpAttrMask.MIN_RNR_TIMER, QpAttr::minRnrTimer, 32),
            bad(RcStep.SQD_RTS, QpAttrMask.MIN_RNR_TIMER, QpAttr::minRnrTimer, 32),
            bad(RcStep.SQD_SQD, QpAttrMask.TIMEOUT, QpAttr::timeout, 32),
            bad(RcStep.SQD_SQD, QpAttrMask.RETRY_CNT, QpAttr::retryCnt, 8),
            bad(RcStep.SQD_SQD, QpAttrMask.RNR_RETRY, QpAttr::rnrRetry, 8),
            bad(RcStep.SQD_SQD, QpAttrMask.PORT, QpAttr::portNum, ports + 1))
        .flatMap(stream -> stream);
  }

  @ParameterizedTest(name = "{0} with {2} as {4}")
  @MethodSource("badNumbers")
  @Proves("S4.1.5")
  void aNumberOutOfRangeIsRefusedByValueAndNothingChanges(
      RcStep step, int bit, String name, ObjIntConsumer<QpAttr> setter, int value) {
    try (LoneQp lone = LoneQp.in(context, step.from)) {
      QpAttr attr = lone.otherValues().qpState(step.to);
      setter.accept(attr, value);
      refusedWithoutTrace(lone, attr, QpAttrMask.STATE | step.required | bit)
          .naming(Integer.toString(value));
    }
  }

  @ParameterizedTest
  @MethodSource("accessSteps")
  @Proves("S4.1.5")
  void unknownAccessRightsAreRefused(RcStep step) {
    for (int bit : new int[] {1 << 10, 1 << 19, 1 << 30, 1 << 31}) {
      try (LoneQp lone = LoneQp.in(context, step.from)) {
        refusedWithoutTrace(
            lone,
            lone.otherValues().qpState(step.to).qpAccessFlags(bit),
            QpAttrMask.STATE | step.required | QpAttrMask.ACCESS_FLAGS);
      }
    }
  }

  static Stream<RcStep> accessSteps() {
    return Stream.of(RcStep.values())
        .filter(step -> ((step.required | step.optional) & QpAttrMask.ACCESS_FLAGS) != 0);
  }

  Stream<Arguments> badAddresses() {
    AhAttr good = Addresses.of(context);
    int gids = context.queryPort(1).gidTblLen();
    Stream<Arguments> outside =
        Stream.of(
            arguments("without a global route", good.withoutGrh()),
            arguments("a source GID behind the table", good.withSgidIndex(gids)),
            arguments("a negative source GID index", good.withSgidIndex(-1)),
            arguments("port 0", good.withPortNum(0)),
            arguments("a port too many", good.withPortNum(device.physPortCnt() + 1)));
    Stream<Arguments> empty =
        IntStream.range(0, gids)
            .filter(index -> context.queryGid(1, index).isZero())
            .limit(1)
            .mapToObj(i -> arguments("an empty source GID", good.withSgidIndex(i)));
    return Stream.concat(outside, empty);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badAddresses")
  @Proves("S4.1.5")
  void addressesThatRoceCannotReachAreRefused(String name, AhAttr address) {
    for (RcStep step : new RcStep[] {RcStep.INIT_RTR, RcStep.SQD_SQD}) {
      try (LoneQp lone = LoneQp.in(context, step.from)) {
        refusedWithoutTrace(
            lone,
            lone.otherValues().qpState(step.to).ahAttr(address),
            QpAttrMask.STATE | step.required | QpAttrMask.AV);
      }
    }
  }

  @Test
  @Proves("S4.5.9")
  void statesOfPathMigrationNeedADeviceThatMigrates() {
    assumeTrue(
        (device.deviceCapFlags() & DeviceCap.AUTO_PATH_MIG) == 0, "the device migrates paths");
    try (LoneQp lone = LoneQp.in(context, QpState.RTS)) {
      for (PathMigState state : new PathMigState[] {PathMigState.REARM, PathMigState.ARMED}) {
        Map<String, Object> before = QpValues.of(lone.qp());
        Refused.of(
            () -> lone.qp().modify(new QpAttr().pathMigState(state)),
            Errno.EINVAL,
            Errno.EOPNOTSUPP);
        assertThat(QpValues.of(lone.qp())).isEqualTo(before);
      }
    }
  }

  @Test
  @Proves("S4.4.1")
  void aQueryReturnsWhatWasSet() {
    try (LoneQp lone = LoneQp.in(context)) {
      QpAttr wanted = lone.otherValues();
      for (RcStep step : new RcStep[] {RcStep.RESET_INIT, RcStep.INIT_RTR, RcStep.RTR_RTS}) {
        lone.qp().modify(wanted.qpState(step.to), QpAttrMask.STATE | step.required);
      }
      QpAttr got = lone.qp().query(QpValues.ALL);
      assertThat(got.mask()).as("mask of a queried attribute set").isZero();
      int set = RcStep.RESET_INIT.required | RcStep.INIT_RTR.required | RcStep.RTR_RTS.required;
      int rounded = QpAttrMask.MAX_QP_RD_ATOMIC | QpAttrMask.MAX_DEST_RD_ATOMIC;
      for (int bit = 1; bit != 0; bit <<= 1) {
        if ((set & ~rounded & bit) != 0) {
          assertThat(QpValues.get(got, bit))
              .as(QpAttrMask.names(bit))
              .isEqualTo(QpValues.get(wanted, bit));
        }
      }
      assertThat(got.maxRdAtomic()).isGreaterThanOrEqualTo(wanted.maxRdAtomic());
      assertThat(got.maxDestRdAtomic()).isGreaterThanOrEqualTo(wanted.maxDestRdAtomic());
    }
  }

  @Test
  @Proves("S4.4.1")
  void theEndsOfTheRangesAreTaken() {
    try (LoneQp lone = LoneQp.in(context, QpState.INIT)) {
      QpAttr edge =
          lone.otherValues()
              .minRnrTimer(31)
              .timeout(31)
              .retryCnt(7)
              .rnrRetry(7)
              .maxRdAtomic(device.maxQpInitRdAtom())
              .maxDestRdAtomic(device.maxQpRdAtom());
      lone.qp().modify(edge.qpState(QpState.RTR), QpAttrMask.STATE | RcStep.INIT_RTR.required);
      lone.qp().modify(edge.qpState(QpState.RTS), QpAttrMask.STATE | RcStep.RTR_RTS.required);
      QpAttr got = lone.qp().query(QpValues.ALL);
      assertThat(got.minRnrTimer()).isEqualTo(31);
      assertThat(got.timeout()).isEqualTo(31);
      assertThat(got.retryCnt()).isEqualTo(7);
      assertThat(got.rnrRetry()).isEqualTo(7);
    }
    try (LoneQp lone = LoneQp.in(context, QpState.INIT)) {
      QpAttr zero =
          lone.otherValues()
              .minRnrTimer(0)
              .timeout(0)
              .retryCnt(0)
              .rnrRetry(0)
              .maxRdAtomic(0)
              .maxDestRdAtomic(0);
      lone.qp().modify(zero.qpState(QpState.RTR), QpAttrMask.STATE | RcStep.INIT_RTR.required);
      lone.qp().modify(zero.qpState(QpState.RTS), QpAttrMask.STATE | RcStep.RTR_RTS.required);
      QpAttr got = lone.qp().query(QpValues.ALL);
      assertThat(got.minRnrTimer()).isZero();
      assertThat(got.timeout()).isZero();
      assertThat(got.retryCnt()).isZero();
      assertThat(got.rnrRetry()).isZero();
    }
  }

  @Test
  @Proves("S4.4.1")
  void onlyTheLow24BitsOfAStartPsnCount() {
    try (LoneQp lone = LoneQp.in(context, QpState.INIT)) {
      QpAttr attr = lone.otherValues().rqPsn(0xff123456).sqPsn(0x01abcdef);
      lone.qp().modify(attr.qpState(QpState.RTR), QpAttrMask.STATE | RcStep.INIT_RTR.required);
      lone.qp().modify(attr.qpState(QpState.RTS), QpAttrMask.STATE | RcStep.RTR_RTS.required);
      QpAttr got = lone.qp().query(QpValues.ALL);
      assertThat(got.rqPsn()).isEqualTo(0x123456);
      assertThat(got.sqPsn()).isEqualTo(0xabcdef);
    }
  }

  private static Refused refusedWithoutTrace(LoneQp lone, QpAttr attr, int mask) {
    Map<String, Object> before = QpValues.of(lone.qp());
    Refused refusal = Refused.of(() -> lone.qp().modify(attr, mask), Errno.EINVAL);
    assertThat(QpValues.of(lone.qp())).isEqualTo(before);
    return refusal.naming("QP 0x" + Integer.toHexString(lone.qp().qpNum()));
  }

  private static Stream<Arguments> bad(
      RcStep step, int bit, ObjIntConsumer<QpAttr> setter, int... values) {
    return IntStream.of(values)
        .mapToObj(value -> arguments(step, bit, QpAttrMask.names(bit), setter, value));
  }
}
