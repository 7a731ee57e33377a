package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EffectiveMaskTest {
  private static final int RESPONDER = QpAttrMask.MAX_DEST_RD_ATOMIC | QpAttrMask.MIN_RNR_TIMER;
  private static final int REQUESTER =
      QpAttrMask.MAX_QP_RD_ATOMIC | QpAttrMask.RETRY_CNT | QpAttrMask.RNR_RETRY;
  private static final int BOTH = QpAttrMask.STATE | QpAttrMask.TIMEOUT | RESPONDER | REQUESTER;

  @Test
  void anXrcInitiatorMayBeToldWhatOnlyATargetNeeds() {
    assertThat(EffectiveMask.of(QpType.XRC_SEND, BOTH)).isEqualTo(BOTH & ~RESPONDER);
  }

  @Test
  void anXrcTargetMayBeToldWhatOnlyAnInitiatorNeeds() {
    assertThat(EffectiveMask.of(QpType.XRC_RECV, BOTH)).isEqualTo(BOTH & ~REQUESTER);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"XRC_SEND", "XRC_RECV"},
      mode = EnumSource.Mode.EXCLUDE)
  void ofOthersTheWholeMaskCounts(QpType type) {
    assertThat(EffectiveMask.of(type, BOTH)).isEqualTo(BOTH);
  }
}
