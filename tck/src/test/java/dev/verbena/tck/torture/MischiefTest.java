package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** {@link Mischief}: which errors are right. */
final class MischiefTest {
  private static Mischief[] explaining(WcStatus status, boolean answerMayBeLost) {
    return Arrays.stream(Mischief.values())
        .filter(mischief -> mischief.explains(status, answerMayBeLost))
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

  private static boolean mayLoseAnswer(String faults, WrOpcode opcode) {
    Operation op = new Operation();
    op.opcode = opcode;
    return Options.parse("faults=" + faults).traffic().mayLoseAnswer(op);
  }

  @Test
  void faultsThatDropOrDamagePacketsMayLoseAnyAnswer() {
    for (String faults : new String[] {"drop:0.01", "dropnth:7", "corrupt:0.01"}) {
      assertThat(mayLoseAnswer(faults, WrOpcode.SEND)).as(faults).isTrue();
    }
    for (String faults : new String[] {"dup:0.1", "reorder:0.4", "delay:0.1@1ms"}) {
      assertThat(mayLoseAnswer(faults, WrOpcode.SEND)).as(faults).isFalse();
      assertThat(mayLoseAnswer(faults, WrOpcode.RDMA_WRITE)).as(faults).isFalse();
    }
    assertThat(Options.parse("seed=1").traffic().losesPackets()).isFalse();
  }

  @Test
  void anAnswerThatIsOvertakenIsLostIfItsRequestIsAnsweredAlone() {
    for (String faults : new String[] {"reorder:0.4", "delay:0.1@1ms"}) {
      for (WrOpcode opcode : new WrOpcode[] {WrOpcode.RDMA_READ, WrOpcode.FLUSH}) {
        assertThat(mayLoseAnswer(faults, opcode)).as(faults).isTrue();
      }
    }
    assertThat(mayLoseAnswer("dup:0.1", WrOpcode.RDMA_READ)).isFalse();
  }
}
