package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WcStatus;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** {@link Mischief}: which errors are right. */
final class MischiefTest {
  private static Mischief[] explaining(WcStatus status, boolean nakMayBeLost) {
    return Arrays.stream(Mischief.values())
        .filter(mischief -> mischief.explains(status, nakMayBeLost))
        .toArray(Mischief[]::new);
  }

  @Test
  void onlyAPeerThatGivesUpIsSilentWhereNoNakMayBeLost() {
    assertThat(explaining(WcStatus.RETRY_EXC_ERR, false)).containsExactly(Mischief.GIVE_UP);
    assertThat(explaining(WcStatus.RETRY_EXC_ERR, true)).containsExactly(Mischief.values());
  }

  @Test
  void faultsThatDropOrDamagePacketsMayLoseANak() {
    for (String faults : new String[] {"drop:0.01", "dropnth:7", "corrupt:0.01"}) {
      assertThat(Options.parse("faults=" + faults).traffic().losesPackets()).as(faults).isTrue();
    }
    for (String faults : new String[] {"dup:0.1", "reorder:0.4", "delay:0.1@1ms"}) {
      assertThat(Options.parse("faults=" + faults).traffic().losesPackets()).as(faults).isFalse();
    }
    assertThat(Options.parse("seed=1").traffic().losesPackets()).isFalse();
  }

  @Test
  void faultsThatExchangeOrDelayPacketsMayLetANakOvertakeAnAnswer() {
    for (String faults : new String[] {"reorder:0.4", "delay:0.1@1ms"}) {
      assertThat(Options.parse("faults=" + faults).traffic().exchangesPackets())
          .as(faults)
          .isTrue();
    }
    assertThat(Options.parse("faults=drop:0.1,dup:0.1").traffic().exchangesPackets()).isFalse();
  }
}
