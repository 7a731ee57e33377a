package dev.verbena.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TrafficTest {
  @Test
  void theLinesAreThoseOfTheCProgram() {
    Traffic traffic = new Traffic(4096, 1000, 20_000_000);

    assertThat(traffic.bandwidthLine())
        .isEqualTo("8192000 bytes in 0.02 seconds = 3276.80 Mbit/sec");
    assertThat(traffic.latencyLine()).isEqualTo("1000 iters in 0.02 seconds = 20.00 usec/iter");
  }

  @Test
  void bytesAreCountedInBothDirectionsWithoutOverflow() {
    assertThat(new Traffic(1L << 31, 1_000_000, 1).bytes()).isEqualTo(2_000_000L << 31);
  }
}
