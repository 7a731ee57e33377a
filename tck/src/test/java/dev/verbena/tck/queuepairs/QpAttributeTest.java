package dev.verbena.tck.queuepairs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.LoneQp;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which attributes a transition must have, may have and must not have: S4.2, S4.3 for RC. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QpAttributeTest {
  private final Context context = Devices.open(TckLink.selected().getFirst().device());
  private final boolean migrates =
      (context.queryDevice().deviceCapFlags() & DeviceCap.AUTO_PATH_MIG) != 0;

  @AfterAll
  void closeContext() {
    context.close();
  }

  @ParameterizedTest
  @EnumSource
  @Proves({"S4.2/RESET-INIT", "S4.2/INIT-RTR", "S4.2/RTR-RTS", "S4.1.5"})
  void eachRequiredAttributeMustBeThereAndIsNamedWhenItIsMissing(RcStep step) {
    try (LoneQp lone = LoneQp.in(context, step.from)) {
      QpAttr attr = lone.otherValues().qpState(step.to);
      Map<String, Object> before = QpValues.of(lone.qp());
      bits(step.required)
          .forEach(
              bit ->
                  Refused.of(() -> lone.qp().modify(attr, maskOf(step) & ~bit), Errno.EINVAL)
                      .naming(QpAttrMask.names(bit)));
      assertThat(QpValues.of(lone.qp())).isEqualTo(before);

      lone.qp().modify(attr, maskOf(step));

      assertThat(lone.queryState()).isEqualTo(step.to);
      bits(step.required).forEach(bit -> assertInForce(lone, attr, bit));
    }
  }

  @ParameterizedTest
  @EnumSource
  @Proves({
    "S4.3/INIT-INIT",
    "S4.3/INIT-RTR",
    "S4.3/RTR-RTS",
    "S4.3/RTS-RTS",
    "S4.3/RTS-SQD",
    "S4.3/SQD-RTS",
    "S4.3/SQD-SQD"
  })
  void eachOptionalAttributeIsTaken(RcStep step) {
    bits(step.optional)
        .filter(bit -> bit != QpAttrMask.ALT_PATH && bit != QpAttrMask.PATH_MIG_STATE)
        .forEach(
            bit -> {
              try (LoneQp lone = LoneQp.in(context, step.from)) {
                QpAttr attr = lone.otherValues().qpState(step.to);
                assertThatCode(() -> lone.qp().modify(attr, maskOf(step) | bit))
                    .as(QpAttrMask.names(bit))
                    .doesNotThrowAnyException();
                assertThat(lone.queryState()).isEqualTo(step.to);
                assertInForce(lone, attr, bit);
              }
            });
  }

  @ParameterizedTest
  @EnumSource
  @Proves("S4.5.9")
  void pathMigrationIsTakenOnlyByADeviceThatMigrates(RcStep step) {
    bits(step.optional & (QpAttrMask.ALT_PATH | QpAttrMask.PATH_MIG_STATE))
        .forEach(
            bit -> {
              try (LoneQp lone = LoneQp.in(context, step.from)) {
                QpAttr attr = lone.otherValues().qpState(step.to);
                Map<String, Object> before = QpValues.of(lone.qp());
                boolean taken = true;
                try {
                  lone.qp().modify(attr, maskOf(step) | bit);
                } catch (VerbsException refusal) {
                  taken = false;
                  assertThat(refusal.errno()).isIn(Errno.EINVAL, Errno.EOPNOTSUPP);
                  assertThat(QpValues.of(lone.qp())).isEqualTo(before);
                }
                if (bit == QpAttrMask.ALT_PATH) {
                  assertThat(taken).as("ALT_PATH taken").isEqualTo(migrates);
                }
              }
            });
  }

  @ParameterizedTest
  @EnumSource
  @Proves("S4.1.5")
  void eachOtherAttributeIsRefusedByNameAndChangesNothing(RcStep step) {
    try (LoneQp lone = LoneQp.in(context, step.from)) {
      QpAttr attr = lone.otherValues().qpState(step.to);
      Map<String, Object> before = QpValues.of(lone.qp());
      bits(~(QpAttrMask.STATE | step.required | step.optional))
          .forEach(
              bit ->
                  Refused.of(() -> lone.qp().modify(attr, maskOf(step) | bit), Errno.EINVAL)
                      .naming(QpAttrMask.names(bit)));
      assertThat(QpValues.of(lone.qp())).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESET_INIT", "INIT_INIT", "RTR_RTS", "RTS_RTS", "SQD_SQD"})
  @Proves("S4.1.4")
  void withoutAStateOnlyWhatMayChangeInPlaceIsTaken(RcStep step) {
    boolean staysPossible = step.from == step.to;
    int optional = staysPossible ? step.optional : 0;
    int migration = QpAttrMask.ALT_PATH | QpAttrMask.PATH_MIG_STATE;
    try (LoneQp lone = LoneQp.in(context, step.from)) {
      QpAttr attr = lone.otherValues();
      Map<String, Object> before = QpValues.of(lone.qp());
      bits(~(QpAttrMask.STATE | optional))
          .forEach(bit -> Refused.of(() -> lone.qp().modify(attr, bit), Errno.EINVAL));
      assertThat(QpValues.of(lone.qp())).isEqualTo(before);

      bits(optional & ~migration)
          .forEach(
              bit -> {
                lone.qp().modify(attr, bit);
                assertInForce(lone, attr, bit);
              });
      assertThat(lone.queryState()).isEqualTo(step.from);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RTR_RTS", "RTS_RTS", "SQD_RTS"})
  @Proves("S4.1.3")
  void theStateThatTheCallerBelievesInMustBeTheRealOne(RcStep step) {
    try (LoneQp lone = LoneQp.in(context, step.from)) {
      Map<String, Object> before = QpValues.of(lone.qp());
      int mask = maskOf(step) | QpAttrMask.CUR_STATE;
      for (QpState believed : Set.of(QpState.values())) {
        if (believed != step.from) {
          QpAttr attr = lone.otherValues().qpState(step.to).curQpState(believed);
          Refused.of(() -> lone.qp().modify(attr, mask), Errno.EINVAL)
              .naming(believed.name(), step.from.name());
        }
      }
      assertThat(QpValues.of(lone.qp())).isEqualTo(before);

      lone.qp().modify(lone.otherValues().qpState(step.to).curQpState(step.from), mask);

      assertThat(lone.queryState()).isEqualTo(step.to);
    }
  }

  private static int maskOf(RcStep step) {
    return QpAttrMask.STATE | step.required;
  }

  private static IntStream bits(int mask) {
    return IntStream.range(0, 32).map(n -> 1 << n).filter(bit -> (mask & bit) != 0);
  }

  private static void assertInForce(LoneQp lone, QpAttr set, int bit) {
    if (!QpValues.isReported(bit)) {
      return;
    }
    Object reported = QpValues.get(lone.qp().query(bit), bit);
    Object wanted = QpValues.get(set, bit);
    if (bit == QpAttrMask.MAX_QP_RD_ATOMIC || bit == QpAttrMask.MAX_DEST_RD_ATOMIC) {
      assertThat((Integer) reported)
          .as("rounded up at most")
          .isGreaterThanOrEqualTo((Integer) wanted);
    } else {
      assertThat(reported).as(QpAttrMask.names(bit)).isEqualTo(wanted);
    }
  }
}
