package dev.verbena.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.interop.cases.Case;
import dev.verbena.interop.cases.CaseSet;
import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.interop.sides.PairSettings;
import dev.verbena.interop.sides.Side;
import dev.verbena.interop.sides.SideFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The arguments and output on which the script that runs the cases relies. */
class ArgumentsAndReportTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final Report report =
      new Report(
          new PrintStream(out, true, StandardCharsets.UTF_8),
          new PrintStream(log, true, StandardCharsets.UTF_8));

  @Test
  void argumentsNameDevicePeerAndGid() {
    Options options =
        Options.parse(
            "--peer-gid",
            "2",
            "--device",
            "soft:fd77::1",
            "--cases",
            "connection,window",
            "--peer",
            "10.77.0.2:18600");
    assertThat(options.device()).isEqualTo("soft:fd77::1");
    assertThat(options.peer().getHostString()).isEqualTo("10.77.0.2");
    assertThat(options.peer().getPort()).isEqualTo(18600);
    assertThat(options.gidIndex()).isEqualTo(2);
    assertThat(options.sets()).containsExactly(CaseSet.CONNECTION, CaseSet.WINDOW);
    assertThat(options.only()).isEmpty();
    assertThat(options.ownGid()).isZero();
  }

  @Test
  void theOwnGidMayBeAnotherThanTheFirst() {
    Options options =
        Options.parse(
            "--device rxe0 --gid 1 --peer 10.77.0.1:18600 --peer-gid 0 --cases datagram"
                .split(" "));
    assertThat(options.ownGid()).isEqualTo(1);
    assertThat(options.gidIndex()).isZero();
  }

  @Test
  void badArgumentsAreNamed() {
    refused("--device is missing");
    refused("--peer has no value", "--peer");
    refused("--peer 10.0.0.1 is not of the form", "--device", "soft0", "--peer", "10.0.0.1");
    refused("--peer: 70000 is not in", "--device", "soft0", "--peer", "h:70000");
    refused(
        "--peer-gid: x is not a number", "--device", "soft0", "--peer", "h:1", "--peer-gid", "x");
    refused(
        "--cases: there is no set all",
        "--device",
        "soft0",
        "--peer",
        "h:1",
        "--peer-gid",
        "1",
        "--cases",
        "all");
    refused(
        "unknown option --fast",
        "--device",
        "soft0",
        "--peer",
        "h:1",
        "--peer-gid",
        "1",
        "--cases",
        "flush",
        "--fast",
        "yes");
  }

  private static void refused(String why, String... arguments) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(arguments))
        .withMessageContaining(why);
  }

  @Test
  void aReportLineHasResultNameAndSeconds() {
    report.add("write/from-us", Duration.ofMillis(1234), null);
    assertThat(report.isGood()).isTrue();
    report.add("read/from-us", Duration.ofMillis(5), new CaseFailure("no data"));
    assertThat(report.isGood()).isFalse();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("ok write/from-us 1.23", "FAIL read/from-us 0.01");
    assertThat(log.toString(StandardCharsets.UTF_8)).contains("read/from-us: no data");
  }

  @Test
  void nothingRunIsNotGood() {
    assertThat(report.isGood()).isFalse();
  }

  @Test
  void caseNamesAreDistinctAndWithoutSpaces() {
    List<String> names =
        Arrays.stream(CaseSet.values())
            .flatMap(set -> set.cases().stream())
            .map(Case::name)
            .toList();
    assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z0-9/-]+"));
  }

  @Test
  void aCaseThatHangsFailsAndEndsTheRun() throws InterruptedException {
    Case hangs = new Case("hangs", PairSettings.USUAL, pair -> {});
    SideFactory stuck = new StuckFactory();
    CaseRunner runner = new CaseRunner(stuck, stuck, false, Duration.ofMillis(50), report);
    assertThat(runner.run(hangs, "")).isFalse();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("FAIL hangs/from-us ");
    assertThat(log.toString(StandardCharsets.UTF_8)).contains("not over after PT0.05S");
  }

  /** A device with a call that never returns. */
  private static final class StuckFactory implements SideFactory {
    @Override
    public String name() {
      return "stuck";
    }

    @Override
    public Side open(PairSettings settings) {
      while (true) {
        LockSupport.park();
      }
    }

    @Override
    public void close() {}
  }
}
