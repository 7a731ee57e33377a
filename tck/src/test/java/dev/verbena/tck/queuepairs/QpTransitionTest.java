package dev.verbena.tck.queuepairs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.LoneQp;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** All transitions between states: the table S4.1 for RC. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QpTransitionTest {
  /** The states of an RC queue pair. */
  private static final List<QpState> STATES =
      List.of(QpState.RESET, QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD, QpState.ERR);

  private final Context context = Devices.open(TckLink.selected().getFirst().device());

  @AfterAll
  void closeContext() {
    context.close();
  }

  static Stream<Arguments> pairsOfStates() {
    return STATES.stream()
        .flatMap(from -> Arrays.stream(QpState.values()).map(to -> arguments(from, to)))
        .filter(pair -> !pair.get()[0].equals(QpState.RESET) || pair.get()[1] != QpState.ERR);
  }

  @ParameterizedTest
  @MethodSource("pairsOfStates")
  @Proves({"S4.1.1", "S4.1.2"})
  void transitionsAreTakenOrRefusedAsTheTableSays(QpState from, QpState to) {
    try (LoneQp lone = LoneQp.in(context, from)) {
      boolean legal = RcStep.isLegal(from, to);
      int mask = QpAttrMask.STATE | (legal ? required(from, to) : RcStep.requiredInto(to));
      QpAttr attr = lone.otherValues().qpState(to);
      if (legal) {
        lone.qp().modify(attr, mask);
        assertThat(lone.queryState()).isEqualTo(to);
        assertThat(lone.qp().state()).isEqualTo(to);
      } else {
        Map<String, Object> before = QpValues.of(lone.qp());
        Refused.of(() -> lone.qp().modify(attr, mask), Errno.EINVAL)
            .from("modifyQp", "modify")
            .naming(from.name(), to.name());
        Refused.of(() -> lone.qp().modify(attr, QpAttrMask.STATE), Errno.EINVAL);
        assertThat(QpValues.of(lone.qp())).isEqualTo(before);
      }
    }
  }

  @Test
  @Proves("S4.1.1")
  void resetToErrorIsEitherTakenOrRefusedAndNothingElse() {
    try (LoneQp lone = LoneQp.in(context)) {
      QpState after = QpState.ERR;
      try {
        lone.qp().modify(new QpAttr().qpState(QpState.ERR));
      } catch (VerbsException refusal) {
        assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
        after = QpState.RESET;
      }
      assertThat(lone.queryState()).isEqualTo(after);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = QpState.class,
      names = {"RESET", "INIT", "RTR", "RTS", "SQD", "ERR"})
  @Proves("S4.3.1")
  void resetAndErrorTakeNoAttributeButTheState(QpState from) {
    try (LoneQp lone = LoneQp.in(context, from)) {
      Map<String, Object> before = QpValues.of(lone.qp());
      for (QpState to : List.of(QpState.RESET, QpState.ERR)) {
        QpAttr attr = lone.otherValues().qpState(to);
        for (int bit = 1; bit < 32; bit++) {
          int mask = QpAttrMask.STATE | 1 << bit;
          Refused.of(() -> lone.qp().modify(attr, mask), refusals(1 << bit));
        }
      }
      assertThat(QpValues.of(lone.qp())).isEqualTo(before);
      assertThatCode(() -> lone.qp().modify(new QpAttr().qpState(QpState.RESET)))
          .doesNotThrowAnyException();
    }
  }

  /**
   * What is no attribute of C's, Debian's library refuses by another number (ibv_cmd_modify_qp).
   */
  private static int[] refusals(int attribute) {
    return TckLink.areDevicesOfOthers()
            && Integer.compareUnsigned(attribute, QpAttrMask.DEST_QPN) > 0
        ? new int[] {Errno.EINVAL, Errno.EOPNOTSUPP}
        : new int[] {Errno.EINVAL};
  }

  private static int required(QpState from, QpState to) {
    return Arrays.stream(RcStep.values())
        .filter(step -> step.from == from && step.to == to)
        .mapToInt(step -> step.required)
        .sum();
  }
}
