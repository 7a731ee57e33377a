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
  void anAttackIsOnAllServicesUnlessSomeAreNamed() {
    assertThat(Options.parse().services()).containsExactly(Service.RC);
    assertThat(Options.parse("attack=blind").services()).containsExactly(Service.values());
    assertThat(Options.parse("attack=blind", "service=xrc").services())
        .containsExactly(Service.XRC);
  }

  @Test
  void batchesOfUcAreSmallEnoughUnderAttackToTellLatePackets() {
    Options.parse("attack=blind", "batch=64", "size=65536");
    Options.parse("attack=blind", "batch=65", "size=65536", "service=rc");
    assertThatThrownBy(() -> Options.parse("attack=blind", "batch=65", "size=65536"))
        .hasMessage("attack on uc needs batches of 4096 packets at most, not 4160");
  }

  @Test
  void timeAloneDecidesWithoutANumberOfOperations() {
    assertThat(Options.parse("seconds=5").isEnough(Long.MAX_VALUE)).isFalse();
    assertThat(Options.parse("ops=5").isEnough(4)).isFalse();
    assertThat(Options.parse("ops=5").isEnough(5)).isTrue();
  }
}
