package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Numbers of the architecture. */
class IbaTest {
  private static final Duration UNIT = Duration.ofNanos(4096);

  @Test
  @Proves("PY-185")
  void theConstantsAreThoseOfTheArchitecture() {
    assertThat(Iba.DEFAULT_QP1_QKEY).isEqualTo(0x80010000);
    assertThat(Iba.DEFAULT_PKEY).isEqualTo(0xFFFF);
    assertThat(Iba.LID_MULTICAST).isEqualTo(0xC000);
    assertThat(Iba.LID_PERMISSIVE).isEqualTo(0xFFFF);
  }

  @Test
  @Proves("PY-030")
  void aTimeBetweenTwoTimerCodesIsTheLaterOne() {
    for (int code = 1; code < 31; code++) {
      Duration exact = UNIT.multipliedBy(1L << code);
      assertThat(Iba.fromTimer(code)).isEqualTo(exact);
      assertThat(Iba.toTimer(exact)).isEqualTo(code);
      assertThat(Iba.toTimer(exact.plusNanos(1))).isEqualTo(code + 1);
    }
    assertThat(Iba.toTimer(Duration.ZERO)).isZero();
    assertThat(Iba.toTimer(UNIT)).isZero();
  }

  @Test
  void timesWithoutACodeAreTheLongest() {
    assertThat(Iba.toTimer(Iba.fromTimer(31).plusNanos(1))).isEqualTo(31);
    assertThat(Iba.toTimer(Duration.ofDays(100_000_000))).isEqualTo(31);
  }

  @Test
  void allCodesOfSixBitsStandForATime() {
    assertThat(Iba.fromTimer(63)).isEqualTo(Iba.fromTimer(62).multipliedBy(2));
    assertThatThrownBy(() -> Iba.fromTimer(64)).hasMessageContaining("timer code 64, not 0 to 63");
    assertThatThrownBy(() -> Iba.fromTimer(-1)).hasMessageContaining("timer code -1");
  }

  @Test
  @Proves("PY-030")
  void theTimeoutOfAQueuePairIsThatOfItsPathRoundedUp() {
    IbPath path = IbPath.builder().packetLifeTime(18).dackRespTime(20).build();
    assertThat(path.qpTimeout()).isEqualTo(UNIT.multipliedBy((1L << 19) + (1L << 20)));
    assertThat(PathAttributes.rts(path).timeout()).isEqualTo(21);
    IbPath even = IbPath.builder().packetLifeTime(19).dackRespTime(20).build();
    assertThat(PathAttributes.rts(even).timeout()).isEqualTo(21);
    IbPath endless = IbPath.builder().packetLifeTime(62).build();
    assertThat(PathAttributes.rts(endless).timeout()).isEqualTo(31);
  }
}
