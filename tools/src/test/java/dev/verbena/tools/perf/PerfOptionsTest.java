package dev.verbena.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PerfOptionsTest {
  @ParameterizedTest
  @CsvSource({"-R, connection manager", "-z, connection manager", "-g, multicast"})
  void whatIsNotThereIsRefusedByName(String option, String feature) throws Exception {
    CommandRun run = CommandRun.of("send-bw", option);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(option, feature, "EOPNOTSUPP");
  }

  @ParameterizedTest
  @CsvSource({
    "send-lat, --outs=4, --outs is for the tools of read and atomic",
    "read-bw, --inline_size=4, --inline_size is for the tools of send and write",
    "write-bw, --rx-depth=4, --rx-depth is for the tools of send",
    "atomic-lat, --use-srq, --use-srq is for the tools of send",
    "read-lat, --atomic_type=CMP_AND_SWAP, --atomic_type is for the tools of atomic",
    "read-lat, --connection=UC, '--connection=UC is not one of [RC]'",
    "write-lat, --connection=UD, '--connection=UD is not one of [RC, UC]'",
    "send-lat, --connection=XRC, '--connection=XRC is not one of [RC, UC, UD]'",
    "atomic-bw, --all, '--all is not for atomics, which have 8 bytes'",
    "atomic-bw, --size=16, --size=16 is not in 8 to 8"
  })
  void whatIsNotForAVerbIsWrongUsage(String tool, String option, String message) throws Exception {
    expectRefusal(CommandRun.of(tool, option), tool, message);
  }

  @ParameterizedTest
  @CsvSource({
    "--size=0, --size=0 is not in 1 to",
    "--iters=0, --iters=0 is not in 1 to",
    "--duration=0, --duration=0 is not in 1 to",
    "--mtu=1500, '--mtu=1500 is not one of 256, 512, 1024, 2048, 4096'",
    "--sl=16, --sl=16 is not in 0 to 15",
    "--gid-index=-1, --gid-index=-1 is not in 0 to",
    "--qp-timeout=32, --qp-timeout=32 is not in 0 to 31",
    "--rx-depth=0, --rx-depth=0 is not in 1 to",
    "--qp=0, --qp=0 is not in 1 to",
    "--tx-depth=0, --tx-depth=0 is not in 1 to",
    "--post_list=0, --post_list=0 is not in 1 to",
    "--cq-mod=0, --cq-mod=0 is not in 1 to",
    "--post_list=200, --post_list=200 is more than --tx-depth=128",
    "--margin=1, --margin is for runs with --duration",
    "--skip=1000, --skip=1000 is not in 0 to 999",
    "-D 5 -a, --duration and --all exclude each other",
    "-D 5 --skip 3, --duration and --skip exclude each other",
    "-D 5 -f 3, --margin=3 is not in 0 to 2",
    "--port=65536, '--port=65536 is not in 0 to 65535'"
  })
  void aValueOutOfRangeIsWrongUsage(String options, String message) throws Exception {
    String[] arguments = ("send-bw " + options).split(" ");

    expectRefusal(CommandRun.of(arguments), "send-bw", message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-q 2", "-l 2", "-t 2", "-Q 2", "-b", "-N"})
  void optionsForBandwidthAreNotForLatency(String option) throws Exception {
    CommandRun run = CommandRun.of(("send-lat " + option).split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("Unknown option");
  }

  @Test
  void theDefaultsAreThoseOfTheCPrograms() {
    assertThat(CommandRun.of("send-lat", "--help").out())
        .contains("ib_send_lat", "(default: 2)", "(default: 1000)", "(default: 512)", "18515");
    assertThat(CommandRun.of("write-bw", "--help").out())
        .contains("ib_write_bw", "(default: 65536)", "(default: 5000)", "(default: 128)");
    assertThat(CommandRun.of("atomic-bw", "--help").out())
        .contains("ib_atomic_bw", "(default: 8)", "(default: 1000)");
  }

  private static void expectRefusal(CommandRun run, String tool, String message) throws Exception {
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("verbena " + tool + ": ").contains(message);
  }
}
