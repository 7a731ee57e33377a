package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** {@link Options}: which runs there are. */
final class OptionsTest {
  @Test
  void thereIsNoAttackWhereThereIsNoSocket() {
    assertThat(Options.parse("attack=blind").attacks()).containsExactly(Attack.BLIND);
    for (String link : new String[] {"shm", "packet", "auto"}) {
      for (String which : new String[] {"link=", "right=soft:127.99.0.2?link="}) {
        assertThatThrownBy(() -> Options.parse(which + link, "attack=blind"))
            .hasMessageContaining("attack needs link=udp at both ends");
      }
    }
  }

  @Test
  void timeAloneDecidesWithoutANumberOfOperations() {
    assertThat(Options.parse("seconds=5").isEnough(Long.MAX_VALUE)).isFalse();
    assertThat(Options.parse("ops=5").isEnough(4)).isFalse();
    assertThat(Options.parse("ops=5").isEnough(5)).isTrue();
  }
}
