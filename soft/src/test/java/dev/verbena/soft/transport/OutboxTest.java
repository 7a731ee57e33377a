package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Psn;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of answers that wait for the link. */
class OutboxTest {
  private static final int ACK = AethSyndrome.ACK_UNLIMITED;

  private final Rig rig = Rig.packets();
  private final Outbox outbox = rig.b.outbox;

  private List<String> sent() {
    outbox.drain(rig.b.out, new Budget());
    return rig.b.out.log.stream()
        .map(p -> "%x %x".formatted(p.view().aethSyndrome(), p.psn()))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {0x100, 0xfffffe, 0xffffff, 0x7fffff, 0})
  @Proves("S12.6.9")
  void theLatestOfTheAcksThatWaitIsSentAlsoAcrossTheWrap(int psn) {
    outbox.acknowledge(psn, ACK, 1);
    outbox.acknowledge(Psn.add(psn, 1), ACK, 2);
    outbox.acknowledge(Psn.add(psn, 2), ACK, 3);
    outbox.acknowledge(Psn.add(psn, 1), ACK, 3);
    outbox.acknowledge(Psn.add(psn, -1), ACK, 3);
    assertThat(sent()).containsExactly("1f %x".formatted(Psn.add(psn, 2)));
    assertThat(rig.b.out.log.getFirst().view().aethMsn()).isEqualTo(3);
  }

  /** A NAK for a gap does not say what the ACK says: the peer may never have sent that PSN. */
  @Test
  void aNakIsNeitherOvertakenByAnAckNorByAnotherNak() {
    int gap = AethSyndrome.NAK_PSN_SEQUENCE_ERROR;
    outbox.acknowledge(5, ACK, 1);
    outbox.acknowledge(6, gap, 1);
    outbox.acknowledge(6, gap, 1);
    outbox.acknowledge(6, AethSyndrome.NAK_INVALID_REQUEST, 1);
    assertThat(sent()).containsExactly("1f 5", "60 6", "61 6");
    assertThat(outbox.isEmpty()).isTrue();
  }

  @Test
  void aNakForWhatThePeerHasSentTakesThePlaceOfTheAckBeforeIt() {
    outbox.acknowledge(5, ACK, 1);
    outbox.acknowledge(6, AethSyndrome.NAK_INVALID_REQUEST, 1);
    assertThat(sent()).containsExactly("61 6");
  }
}
