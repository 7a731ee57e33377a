package dev.verbena.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PingpongOptionsTest {
  @Test
  void helpShowsTheDefaultsOfTheCProgram() {
    assertThat(CommandRun.of("rc-pingpong", "--help").out())
        .contains("18515", "4096", "1024", "500", "1000", "--new_send", "--chk", "--gid-idx");
  }

  @ParameterizedTest
  @CsvSource({
    "-o, on-demand paging",
    "--odp, on-demand paging",
    "-P, prefetch",
    "-O, implicit on-demand paging",
    "-j, device memory"
  })
  void whatIsNotThereIsRefusedByName(String option, String feature) throws Exception {
    CommandRun run = CommandRun.of("rc-pingpong", option);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(option, feature, "EOPNOTSUPP");
  }

  @ParameterizedTest
  @ValueSource(strings = {"uc-pingpong", "ud-pingpong", "srq-pingpong"})
  void theOtherPingpongsCheckTheSameOptions(String command) throws Exception {
    for (String bad :
        List.of("--iters=0", "--rx-depth=0", "--size=-1", "--port=65536", "--sl=16")) {
      CommandRun run = CommandRun.of(command, bad);

      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).startsWith("verbena " + command + ": " + bad + " is not in ");
    }
  }

  @Test
  void theDefaultsAreThoseOfTheCPrograms() {
    assertThat(CommandRun.of("uc-pingpong", "--help").out()).contains("(default: 4096)");
    assertThat(CommandRun.of("ud-pingpong", "--help").out())
        .contains("(default: 1024)")
        .doesNotContain("--mtu");
    assertThat(CommandRun.of("srq-pingpong", "--help").out())
        .contains("(default: 4096)", "--num-qp", "(default: 16)");
  }

  @Test
  void fewerReceivesThanQueuePairsAreWrongUsage() throws Exception {
    CommandRun run = CommandRun.of("srq-pingpong", "-q", "20", "-r", "19");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--rx-depth=19 is less than --num-qp=20");
  }

  @Test
  void asManyQueuePairsAsAddressesAreOneTooMany() throws Exception {
    CommandRun run = CommandRun.of("srq-pingpong", "-q", "256");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--num-qp=256 is not in 1 to 255");
  }

  @ParameterizedTest
  @CsvSource({
    "--port=65536, '--port=65536 is not in 0 to 65535'",
    "--iters=0, --iters=0 is not in 1 to",
    "--size=0, --size=0 is not in 1 to",
    "--rx-depth=0, --rx-depth=0 is not in 1 to",
    "--sl=16, --sl=16 is not in 0 to 15",
    "--mtu=1500, '--mtu=1500 is not one of 256, 512, 1024, 2048, 4096'",
    "--size=big, ''"
  })
  void aValueOutOfRangeIsWrongUsage(String option, String message) throws Exception {
    CommandRun run = CommandRun.of("rc-pingpong", option);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("verbena rc-pingpong: ").contains(message);
  }

  @Test
  void aClientNeedsAPort() throws Exception {
    CommandRun run = CommandRun.of("rc-pingpong", "--port=0", "localhost");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--port=0 is for the server");
  }
}
