package dev.verbena.tools.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.tools.Main;
import dev.verbena.tools.kit.JavaCommand;
import dev.verbena.tools.kit.ToolException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TrialsTest {
  @ParameterizedTest
  @CsvSource({"0.25, 7.5", "7.5, 0.25"})
  void theEndThatLeftMoreGarbageCountsAndBothResend(double client, double server) {
    List<String> lines =
        List.of("figure 3.0", "garbage " + client, "resent 1", "garbage " + server, "resent 2");

    assertThat(Trials.figure(lines)).isEqualTo(new Figure(3, 7.5, 3));
  }

  @Test
  void withoutAFigureThereIsNone() {
    assertThatThrownBy(() -> Trials.figure(List.of("garbage 1", "resent 0")))
        .isInstanceOf(ToolException.class)
        .hasMessage("the probe printed no figure");
  }

  @ParameterizedTest
  @CsvSource({"0.25, 7.5", "7.5, 0.25"})
  void ofOurToolsAsWell(double client, double server) {
    String end = "{\"retransmitted\":%d,\"results\":[{\"allocated_bytes_per_message\":%s}]}";

    assertThat(
            Trials.figure(
                3, List.of(end.formatted(1, client)), List.of("waits", end.formatted(2, server))))
        .isEqualTo(new Figure(3, 7.5, 3));
  }

  @Test
  void aToolWhoseServerMeasuresNothingHasTheClientsGarbage() {
    List<String> client = List.of("{\"retransmitted\":0,\"allocated_bytes_per_message\":2.0}");

    assertThat(Trials.figure(3, client, List.of("{\"retransmitted\":4}")))
        .isEqualTo(new Figure(3, 2, 4));
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "listening sockets are seen on Linux only")
  void bothEndsOfACProgramTellWhatWasSentAgain() throws Exception {
    Figure figure =
        new Trials(Main.class, 0, JavaCommand.of(FakePerftest.class, List.of()))
            .program(3, 2, "ib_write_bw", "-s", "65536")
            .run(1);

    assertThat(figure).isEqualTo(new Figure(4801, Double.NaN, 7));
  }

  @Test
  void withoutWhatRunsItNoCProgramIsRun() {
    assertThatThrownBy(
            () -> new Trials(Main.class, 0, List.of()).program(3, 1, "ib_write_bw").run(1))
        .isInstanceOf(Subject.Unavailable.class)
        .hasMessage("only bin/verbena can run C programs");
  }
}
