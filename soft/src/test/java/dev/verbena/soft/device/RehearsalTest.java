package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RehearsalTest {
  @Test
  void everyOperationIsPlayedToItsEnd() {
    assertThat(Rehearsal.play()).isEqualTo(Rehearsal.PROGRAMME.size());
    assertThat(Rehearsal.play()).as("the second time").isEqualTo(Rehearsal.PROGRAMME.size());
  }
}
