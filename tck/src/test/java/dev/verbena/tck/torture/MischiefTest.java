package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
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
    assertThat(explaining(WcStatus.RETRY_EXC_ERR, true))
        .containsExactly(
            Arrays.stream(Mischief.values())
                .filter(mischief -> !mischief.isOfPoster())
                .toArray(Mischief[]::new));
  }

  private static boolean mayLoseNak(String faults, WrOpcode opcode) {
    Operation op = new Operation();
    op.opcode = opcode;
    return Options.parse("faults=" + faults).traffic().mayLoseNak(op);
  }

  @Test
  void faultsThatDropOrDamagePacketsMayLoseANak() {
    for (String faults : new String[] {"drop:0.01", "dropnth:7", "corrupt:0.01"}) {
      assertThat(mayLoseNak(faults, WrOpcode.SEND)).as(faults).isTrue();
    }
    for (String faults : new String[] {"dup:0.1", "reorder:0.4", "delay:0.1@1ms"}) {
      assertThat(mayLoseNak(faults, WrOpcode.SEND)).as(faults).isFalse();
      assertThat(mayLoseNak(faults, WrOpcode.RDMA_WRITE)).as(faults).isFalse();
    }
    assertThat(Options.parse("seed=1").traffic().losesPackets()).isFalse();
  }

  @Test
  void aNakThatOvertakesTheAnswerOfAnOperationIsLost() {
    for (String faults : new String[] {"reorder:0.4", "delay:0.1@1ms"}) {
      for (WrOpcode opcode : new WrOpcode[] {WrOpcode.RDMA_READ, WrOpcode.FLUSH}) {
        assertThat(mayLoseNak(faults, opcode)).as(faults).isTrue();
      }
    }
    assertThat(mayLoseNak("dup:0.1", WrOpcode.RDMA_READ)).isFalse();
  }
}
