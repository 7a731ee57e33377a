package dev.verbena.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RcPingpongOptionsTest {
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

  @Test
  void timeStampsAreNotSupported() throws Exception {
    CommandRun run = CommandRun.of("rc-pingpong", "-t");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("-t (--ts)", "EOPNOTSUPP");
  }

  @ParameterizedTest
  @CsvSource({
    "--port=65536, '--port=65536 is not in 0 to 65535'",
    "--iters=0, --iters=0 is not in 1 to",
    "--size=0, --size=0 is not in 1 to",
    "--rx-depth=0, --rx-depth=0 is not in 1 to",
    "--sl=16, --sl=16 is not in 0 to 15",
    "--mtu=1500, '--mtu=1500 is none of 256, 512, 1024, 2048, 4096'",
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
