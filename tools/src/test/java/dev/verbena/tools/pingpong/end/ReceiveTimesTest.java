package dev.verbena.tools.pingpong.end;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReceiveTimesTest {
  @Test
  void oneReceiveTellsNothing() {
    ReceiveTimes times = new ReceiveTimes(-1);
    assertThat(times.lines()).isEmpty();
    times.received(5);
    assertThat(times.lines()).isEmpty();
  }

  @Test
  void mostLeastAndAverageAreTold() {
    ReceiveTimes times = new ReceiveTimes(-1);
    for (long stamp : new long[] {100, 110, 113, 150}) {
      times.received(stamp);
    }
    assertThat(times.lines())
        .containsExactly(
            "Max receive completion clock cycles = 37",
            "Min receive completion clock cycles = 3",
            "Average receive completion clock cycles = 16.666667");
  }

  @Test
  void aClockMayTurnOver() {
    ReceiveTimes times = new ReceiveTimes(0xffff);
    times.received(0xfff0);
    times.received(0x0010);
    assertThat(times.lines()).contains("Max receive completion clock cycles = 32");
  }
}
