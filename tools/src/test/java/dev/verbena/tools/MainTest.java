package dev.verbena.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MainTest {
  @Test
  void helpNamesEveryCommandButTheHiddenOne() throws Exception {
    CommandRun run = CommandRun.of("--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains(
            "Usage: verbena", "demo", "devices", "devinfo", "asyncwatch", "run", "soft:ADDRESS")
        .contains("rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong", "xsrq-pingpong")
        .contains("trace")
        .doesNotContain("demo-server");
  }

  /** The device itself knows which: it names them to whom it refuses one. */
  @Test
  void theHelpNamesEveryOptionOfADevice() throws Exception {
    String refused = CommandRun.of("devinfo", "-d", "soft0?colour=blue").err();
    Matcher known = Pattern.compile("known: ([a-z_, ]+)").matcher(refused);

    assertThat(known.find()).as(refused).isTrue();
    String[] options = known.group(1).strip().split(", ");
    assertThat(options).contains("link", "faults", "vendor_part_id");
    String help = CommandRun.of("--help").out();
    assertThat(options).allSatisfy(option -> assertThat(help).contains("  " + option + "="));
  }

  /** Each provider on the path says in such a message which names it knows. */
  @Test
  void helpListsAllNamesOfDevices() throws Exception {
    String refused = CommandRun.of("devinfo", "-d", "nosuch7").err();
    Matcher name =
        Pattern.compile("\\b(?:soft[:_]|ib:|rdmacore:)[a-zA-Z0-9]+|\\bsoft0\\b").matcher(refused);
    List<String> known = name.results().map(MatchResult::group).toList();

    assertThat(known).contains("soft0", "ib:NAME", "rdmacore:NAME");
    String help = CommandRun.of("--help").out();
    assertThat(known).allSatisfy(form -> assertThat(help).contains("  " + form + " "));
  }

  @Test
  void versionNamesVerbenaAndJava() throws Exception {
    CommandRun run = CommandRun.of("--version");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("verbena ").contains("Java " + Runtime.version());
  }

  @Test
  void withoutACommandTheHelpIsAnError() throws Exception {
    CommandRun run = CommandRun.of();

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("Usage: verbena");
  }

  @Test
  void aMisspeltCommandIsAnsweredWithTheRightOne() throws Exception {
    CommandRun run = CommandRun.of("devinf");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("verbena: ").contains("devinf", "devinfo");
  }

  private static Stream<String> commands() {
    return Stream.of(
        "demo",
        "devices",
        "devinfo",
        "asyncwatch",
        "rc-pingpong",
        "uc-pingpong",
        "ud-pingpong",
        "srq-pingpong",
        "xsrq-pingpong");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelp(String command) throws Exception {
    CommandRun run = CommandRun.of(command, "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("Usage: verbena " + command).contains("--verbose");
    assertThat(run.err()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void anUnknownOptionIsWrongUsageOfThatCommand(String command) throws Exception {
    CommandRun run = CommandRun.of(command, "--frobnicate");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("verbena " + command + ": ")
        .contains("--frobnicate", "Try 'verbena " + command + " --help'.");
  }

  @Test
  void aDeviceThatNobodyProvidesIsOneLineWithoutStackTrace() throws Exception {
    CommandRun run = CommandRun.of("devinfo", "-d", "nosuch7");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err())
        .startsWith("verbena devinfo: ")
        .contains("'nosuch7'", "soft0", "rdmacore:NAME");
  }

  @Test
  void runIsTheScriptsAndSaysSo() throws Exception {
    CommandRun run = CommandRun.of("run", "-d", "soft0", "ibv_devinfo", "-v");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("bin/verbena run -d soft0 ibv_devinfo -v");
  }

  @Test
  void verboseAddsTheStackTrace() throws Exception {
    CommandRun before = CommandRun.of("--verbose", "devinfo", "-d", "nosuch7");
    CommandRun behind = CommandRun.of("rc-pingpong", "-d", "nosuch7", "--verbose");

    assertThat(before.err()).contains("at dev.verbena.tools.DevinfoCommand");
    assertThat(behind.err()).contains("at dev.verbena.tools.pingpong.RcPingpongCommand");
  }

  @Test
  void aMalformedDeviceIsWrongUsageThatNamesThePartAtFault() throws Exception {
    CommandRun run = CommandRun.of("devinfo", "-d", "soft0?faults");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("--ib-dev", "'faults' of 'soft0?faults' is not of the form NAME=VALUE");
  }
}
