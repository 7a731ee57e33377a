package dev.verbena.soft.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

final class FlushFormTest {
  private final FlushForm form = new FlushForm();
  private final MemorySegment packet = Arena.ofAuto().allocate(64);

  private void write(int opcode, int psn) {
    Bth.write(packet, 0, opcode, Bth.MIG_REQ | Bth.ACK_REQUEST, 0, 0xFFFF, 17, psn);
  }

  /** Sends a FLUSH; returns whether in the form that rxe needs. */
  private boolean flush(int psn) {
    write(Opcode.RC_FLUSH, psn);
    boolean asRxe = form.isOfRxe(packet);
    form.sent(packet, asRxe);
    return asRxe;
  }

  @Test
  void theUsualFormComesFirstAndARepetitionChangesIt() {
    assertThat(flush(5)).isFalse();
    assertThat(flush(5)).isTrue();
    assertThat(flush(5)).isFalse();
  }

  @Test
  void theFormThatWasAnsweredStays() {
    flush(5);
    flush(5);
    assertThat(flush(6)).isTrue();
    assertThat(flush(7)).isTrue();
  }

  @Test
  void aProvenFormIsNotGivenUpForOneLostPacket() {
    flush(5);
    flush(5);
    flush(6);
    assertThat(flush(6)).isTrue();
    assertThat(flush(6)).isFalse();
    assertThat(flush(6)).isTrue();
  }

  @Test
  void ofSeveralInFlightTheRepeatedOnesChangeTogether() {
    for (int psn = 5; psn < 9; psn++) {
      assertThat(flush(psn)).isFalse();
    }
    for (int psn = 5; psn < 9; psn++) {
      assertThat(flush(psn)).as("first repetition of %d", psn).isFalse();
    }
    for (int psn = 5; psn < 9; psn++) {
      assertThat(flush(psn)).as("second repetition of %d", psn).isTrue();
    }
  }

  @Test
  void psnsWrap() {
    flush(0xFFFFFF);
    assertThat(flush(0)).isFalse();
    assertThat(flush(0xFFFFFF)).isFalse();
    assertThat(flush(0xFFFFFF)).isTrue();
  }

  @Test
  void aPacketThatTheLinkRefusedHasNotBeenSent() {
    write(Opcode.RC_FLUSH, 5);
    assertThat(form.isOfRxe(packet)).isFalse();
    assertThat(form.isOfRxe(packet)).isFalse();
    assertThat(flush(5)).isFalse();
    assertThat(form.isOfRxe(packet)).isTrue();
    assertThat(flush(5)).isTrue();
  }

  @Test
  void aNewConnectionStartsWithTheUsualForm() {
    flush(5);
    flush(5);
    form.reset();
    assertThat(flush(9)).isFalse();
  }
}
