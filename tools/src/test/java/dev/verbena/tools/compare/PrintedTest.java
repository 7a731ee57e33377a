package dev.verbena.tools.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.verbena.tools.kit.ToolException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PrintedTest {
  @Test
  void qperfTellsItsFiguresByName() {
    List<String> lines = List.of("tcp_lat:", "    latency  =  28062 ns");

    assertThat(Printed.assigned(lines, "latency")).isEqualTo(28062);
    assertThatThrownBy(() -> Printed.assigned(lines, "bw"))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("no bw in [tcp_lat:,");
  }

  @Test
  void aFieldOfAnObjectMayHaveAnExponent() {
    assertThat(Printed.field(List.of("{", "\"bits_per_second\": 1.5e+10,"), "bits_per_second"))
        .isEqualTo(1.5e10);
    assertThat(Printed.optional(List.of("{}"), "retransmitted")).isEmpty();
  }

  @Test
  void theResultOfPerftestIsBetweenItsTables() {
    List<String> lines =
        List.of(
            " remote address: LID 0000 QPN 0x0011 PSN 0x5f2a1c",
            " #bytes #iterations    t_avg[usec]    tps average",
            " 8       53284            9.38           53283.35",
            "---");

    assertThat(Printed.result(lines)).containsExactly(8, 53284, 9.38, 53283.35);
  }

  @Test
  void wordsThatAreNoNumbersKeepTheirColumns() {
    String line = "8       100k    =100k    1.5m        0.73s     17.44       3.67       0.27";

    assertThat(Printed.columns(line))
        .containsExactly(8, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 17.44, 3.67, 0.27);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.650e+04 msgs/sec, 1.081e+09 payload bytes/sec, totals 25849 messages 1615 MB | 16500",
        "0.000 msgs/sec, 0.000 payload bytes/sec, totals 0 messages 0 MB | 0",
        "Duration 1004ms - 25,012,827 messages - 200,102,616 payload bytes | 24913174.3",
        "Available image on aeron:ipc streamId=1002 | 0"
      })
  void aeronTellsItsRateInTwoForms(String line, double rate) {
    assertThat(AeronPrograms.rate(line)).isCloseTo(rate, within(0.1));
  }
}
