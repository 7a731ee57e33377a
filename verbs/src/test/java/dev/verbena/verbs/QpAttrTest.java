package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which attributes were set. */
class QpAttrTest {
  private static final AhAttr PEER = AhAttr.to(Gid.parse("10.77.0.2")).withSl(3);

  /** One attribute: its bit, how to set it to something unusual, and how to read it. */
  record Attribute(
      String name, int bit, UnaryOperator<QpAttr> set, Function<QpAttr, Object> get, Object value) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Attribute> attributes() {
    return List.of(
        of("qpState", 0, a -> a.qpState(QpState.SQD), QpAttr::qpState, QpState.SQD),
        of("curQpState", 1, a -> a.curQpState(QpState.RTS), QpAttr::curQpState, QpState.RTS),
        of("notify", 2, a -> a.enSqdAsyncNotify(true), QpAttr::enSqdAsyncNotify, true),
        of("qpAccessFlags", 3, a -> a.qpAccessFlags(6), QpAttr::qpAccessFlags, 6),
        of("accessFlagList", 3, a -> a.qpAccessFlags(2, 4, 8), QpAttr::qpAccessFlags, 14),
        of("pkeyIndex", 4, a -> a.pkeyIndex(1), QpAttr::pkeyIndex, 1),
        of("portNum", 5, a -> a.portNum(2), QpAttr::portNum, 2),
        of("qkey", 6, a -> a.qkey(0x11111111), QpAttr::qkey, 0x11111111),
        of("ahAttr", 7, a -> a.ahAttr(PEER), QpAttr::ahAttr, PEER),
        of("pathMtu", 8, a -> a.pathMtu(Mtu.MTU_2048), QpAttr::pathMtu, Mtu.MTU_2048),
        of("timeout", 9, a -> a.timeout(14), QpAttr::timeout, 14),
        of("retryCnt", 10, a -> a.retryCnt(7), QpAttr::retryCnt, 7),
        of("rnrRetry", 11, a -> a.rnrRetry(6), QpAttr::rnrRetry, 6),
        of("rqPsn", 12, a -> a.rqPsn(0xabcdef), QpAttr::rqPsn, 0xabcdef),
        of("maxRdAtomic", 13, a -> a.maxRdAtomic(8), QpAttr::maxRdAtomic, 8),
        of("altAhAttr", 14, a -> a.altAhAttr(PEER), QpAttr::altAhAttr, PEER),
        of("altPkeyIndex", 14, a -> a.altPkeyIndex(3), QpAttr::altPkeyIndex, 3),
        of("altPortNum", 14, a -> a.altPortNum(4), QpAttr::altPortNum, 4),
        of("altTimeout", 14, a -> a.altTimeout(5), QpAttr::altTimeout, 5),
        of("minRnrTimer", 15, a -> a.minRnrTimer(12), QpAttr::minRnrTimer, 12),
        of("sqPsn", 16, a -> a.sqPsn(0x123456), QpAttr::sqPsn, 0x123456),
        of("maxDestRdAtomic", 17, a -> a.maxDestRdAtomic(9), QpAttr::maxDestRdAtomic, 9),
        of(
            "pathMigState",
            18,
            a -> a.pathMigState(PathMigState.ARMED),
            QpAttr::pathMigState,
            PathMigState.ARMED),
        of("cap", 19, a -> a.cap(cap()), QpAttr::cap, cap()),
        of("destQpNum", 20, a -> a.destQpNum(0x17), QpAttr::destQpNum, 0x17),
        of("rateLimit", 25, a -> a.rateLimit(1000), QpAttr::rateLimit, 1000));
  }

  @ParameterizedTest
  @MethodSource("attributes")
  @Proves({"PY-011", "PY-012"})
  void everySetterRecordsItsBitAndNoOther(Attribute attribute) {
    QpAttr attr = new QpAttr();
    assertThat(attr.mask()).isZero();
    assertThat(attribute.get.apply(attr)).isNotEqualTo(attribute.value);
    assertThat(attribute.set.apply(attr)).isSameAs(attr);
    assertThat(attr.mask()).isEqualTo(attribute.bit);
    assertThat(attribute.get.apply(attr)).isEqualTo(attribute.value);
  }

  @Test
  void bitsAccumulateAndClearForgetsThemButNotTheValues() {
    QpAttr attr = everything();
    assertThat(attr.mask()).isEqualTo(0x21fffff);
    assertThat(attr.clear()).isSameAs(attr);
    assertThat(attr.mask()).isZero();
    assertThat(attr.destQpNum()).isEqualTo(0x17);
    assertThat(attr.portNum(1).mask()).isEqualTo(QpAttrMask.PORT);
  }

  @ParameterizedTest
  @MethodSource("attributes")
  void setTakesExactlyWhatTheMaskNames(Attribute wanted) {
    QpAttr fresh = new QpAttr();
    QpAttr attr = new QpAttr().set(everything(), wanted.bit);
    assertThat(attr.mask()).isEqualTo(wanted.bit);
    for (Attribute attribute : attributes()) {
      assertThat(attribute.get.apply(attr))
          .as(attribute.name)
          .isEqualTo(attribute.get.apply(attribute.bit == wanted.bit ? everything() : fresh));
    }
  }

  @Test
  @Proves("PY-012")
  void drainingIsAnAnswerAndNoAttribute() {
    assertThat(new QpAttr().sqDraining(true).mask()).isZero();
    assertThat(new QpAttr().sqDraining(true).sqDraining()).isTrue();
  }

  private static QpAttr everything() {
    QpAttr attr = new QpAttr();
    for (Attribute attribute : attributes()) {
      attr = attribute.set.apply(attr);
    }
    return attr;
  }

  private static QpCap cap() {
    return new QpCap(1, 2, 3, 4, 5);
  }

  private static Attribute of(
      String name, int bit, UnaryOperator<QpAttr> set, Function<QpAttr, Object> get, Object value) {
    return new Attribute(name, 1 << bit, set, get, value);
  }
}
