package dev.verbena.tools.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code verbena run}; programs that know nothing of verbs show what it does to them. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "libibverbs is Linux's")
final class RunTest {
  @TempDir Path folder;
  private SourceTree tree;
  private Launch launch;

  @BeforeEach
  void aTreeThatIsBuilt() throws IOException {
    tree = SourceTree.in(folder);
    launch = new Launch(tree);
  }

  @Test
  void theProgramFindsTheLibraryAndTheLibraryFindsJava() throws Exception {
    Launch.Run run = launch.verbena("run", "env");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines())
        .contains("LD_LIBRARY_PATH=" + tree.nativeFolder())
        .contains("LD_PRELOAD=" + Launch.JDK + "/lib/libjsig.so:" + tree.files())
        .contains("_JAVA_SR_SIGNUM=63")
        .contains("VERBENA_DEVICE=soft0")
        .contains("VERBENA_LIBJVM=" + Launch.JDK + "/lib/server/libjvm.so")
        .contains(
            "VERBENA_CLASSPATH="
                + String.join(
                    ":",
                    tree.jar().toString(),
                    tree.lib().resolve("soft-1.jar").toString(),
                    tree.lib().resolve("verbs-1.jar").toString()))
        .noneMatch(line -> line.startsWith("VERBENA_REPORT="))
        .noneMatch(line -> line.startsWith("VERBENA_VERBOSE="));
  }

  @Test
  void theUsersOwnLibrariesComeBehindAndWhatIsPreloadedInFront() throws Exception {
    Path jsig = Path.of(Launch.JDK, "lib", "libjsig.so");
    Path users = Files.copy(jsig, folder.resolve("users.so"));
    Launch.Run run =
        launch.verbena(
            Map.of("LD_LIBRARY_PATH", "/opt/a:/opt/b", "LD_PRELOAD", users.toString()),
            "run",
            "env");

    assertThat(run.out().lines())
        .contains("LD_LIBRARY_PATH=" + tree.nativeFolder() + ":/opt/a:/opt/b")
        .contains("LD_PRELOAD=" + users + ":" + jsig + ":" + tree.files());
  }

  @Test
  void aRunWithinARunChangesNothing() throws Exception {
    Path preloaded = Files.copy(Path.of(Launch.JDK, "lib", "libjsig.so"), folder.resolve("a.so"));
    Map<String, String> users =
        Map.of("LD_LIBRARY_PATH", "/opt/a:/opt/b", "LD_PRELOAD", preloaded.toString());
    Launch.Run once = launch.verbena(users, "run", "env");
    Launch.Run within =
        launch.verbena(users, "run", "bash", tree.verbena().toString(), "run", "env");
    Launch.Run withoutLists =
        launch.verbena("run", "bash", tree.verbena().toString(), "run", "env");

    assertThat(within.err()).isEmpty();
    assertThat(lists(within)).isEqualTo(lists(once)).hasSize(2);
    assertThat(lists(withoutLists)).contains("LD_LIBRARY_PATH=" + tree.nativeFolder());
  }

  private static List<String> lists(Launch.Run run) {
    return run.out().lines().filter(line -> line.startsWith("LD_")).sorted().toList();
  }

  @Test
  void inAFolderWithASpaceTheLibraryWithTheFilesIsFoundAsTheOthersAre() throws Exception {
    SourceTree spaced = SourceTree.in(Files.createDirectory(folder.resolve("a tree")));
    Launch.Run run = new Launch(spaced).verbena("run", "env");

    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines())
        .contains("LD_LIBRARY_PATH=" + spaced.nativeFolder())
        .contains("LD_PRELOAD=" + Launch.JDK + "/lib/libjsig.so:libverbena_files.so");
  }

  @Test
  void aJdkInAFolderWithASpaceHasItsLibraryBesideOurs() throws Exception {
    Path jdk = jdk("a jdk");
    Map<String, String> home = Map.of("JAVA_HOME", jdk.toString());
    Launch.Run run = launch.verbena(home, "run", "env");
    Launch.Run again = launch.verbena(home, "run", "env");

    assertThat(run.err()).isEmpty();
    assertThat(lists(run))
        .contains("LD_LIBRARY_PATH=" + tree.nativeFolder())
        .contains("LD_PRELOAD=libjsig.so:" + tree.files());
    assertThat(tree.nativeFolder().resolve("libjsig.so").toRealPath())
        .isEqualTo(jdk.resolve("lib", "libjsig.so").toRealPath());
    assertThat(again).isEqualTo(run);
  }

  @Test
  void aJdkInAFolderWithAColonIsRefusedAsNoListCanNameIt() throws Exception {
    Launch.Run run = launch.verbena(Map.of("JAVA_HOME", jdk("a:jdk").toString()), "run", "env");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("needs a JDK in a folder without ':'");
  }

  /** What the script looks for in a JDK. */
  private Path jdk(String name) throws IOException {
    Path jdk = folder.resolve(name);
    Files.createDirectories(jdk.resolve("bin"));
    Files.createDirectories(jdk.resolve("lib"));
    Files.copy(Path.of(Launch.JDK, "bin", "javac"), jdk.resolve("bin", "javac"));
    Files.copy(Path.of(Launch.JDK, "release"), jdk.resolve("release"));
    Files.copy(Path.of(Launch.JDK, "lib", "libjsig.so"), jdk.resolve("lib", "libjsig.so"));
    return jdk;
  }

  @Test
  void aUserWithoutAHomeIsServedToo() throws Exception {
    Launch.Run run = launch.verbenaWithout("HOME", "run", "printenv", "VERBENA_DEVICE");

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo("soft0\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "soft:",
        "soft:nonsense",
        "soft:127.0.0.256",
        "soft:1.2.3",
        "soft:1::2::3",
        "soft:1:2:3:4:5:6:7",
        "soft:1:2:3:4::5:6:7:8",
        "soft:12345::1",
        "soft:::1.2.3",
        "soft_foo",
        "soft_10_77_0",
        "soft1"
      })
  void whatIsNoAddressIsNoDevice(String device) throws Exception {
    Launch.Run run = launch.verbena("run", "-d", device + "?link=udp", "true");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("verbena run: no software device is named '" + device + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "soft:10.77.0.1",
        "soft:::1",
        "soft:fd00::1?link=udp&capture=/tmp/soft:none?",
        "soft:1:2:3:4:5:6:7:8",
        "soft:1:2:3:4:5:6:7::",
        "soft:::ffff:10.77.0.1",
        "soft_fd00__1",
        "soft___1"
      })
  void everyIpAddressIsThatOfADevice(String device) throws Exception {
    assertThat(launch.verbena("run", "-d", device, "printenv", "VERBENA_DEVICE").out())
        .isEqualTo(device + "\n");
  }

  @Test
  void theNameOfADeviceIsADeviceToo() throws Exception {
    assertThat(launch.verbena("run", "-d", "soft_10_77_0_1", "printenv", "VERBENA_DEVICE").out())
        .isEqualTo("soft_10_77_0_1\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-d", "--device", "--ib-dev"})
  void theDeviceIsAnOptionWithItsValueBehindOrWithin(String option) throws Exception {
    String device = "soft:127.0.0.9?link=udp";
    Launch.Run behind = launch.verbena("run", option, device, "printenv", "VERBENA_DEVICE");
    Launch.Run within =
        launch.verbena(
            "run",
            option.startsWith("--") ? option + "=" + device : option + device,
            "printenv",
            "VERBENA_DEVICE");

    assertThat(behind.out()).isEqualTo(device + "\n");
    assertThat(within.out()).isEqualTo(device + "\n");
  }

  @Test
  void theEnvironmentNamesTheDeviceIfNoOptionDoes() throws Exception {
    Map<String, String> environment = Map.of("VERBENA_DEVICE", "soft:::1");

    assertThat(launch.verbena(environment, "run", "printenv", "VERBENA_DEVICE").out())
        .isEqualTo("soft:::1\n");
    assertThat(
            launch.verbena(environment, "run", "-d", "soft0", "printenv", "VERBENA_DEVICE").out())
        .isEqualTo("soft0\n");
  }

  @Test
  void theEnvironmentSaysWhetherToReportAndWhyCallsFailIfNoOptionDoes() throws Exception {
    String[] faulty = {"run", "-d", "soft0?faults=drop:0.05", "printenv", "VERBENA_REPORT"};
    String[] silenced = {"run", "--no-report", "printenv", "VERBENA_REPORT"};

    assertThat(launch.verbena(Map.of("VERBENA_REPORT", "0"), faulty).out()).isEqualTo("0\n");
    assertThat(launch.verbena(Map.of("VERBENA_REPORT", "1"), silenced).out()).isEqualTo("0\n");
    assertThat(
            launch
                .verbena(Map.of("VERBENA_VERBOSE", "1"), "run", "printenv", "VERBENA_VERBOSE")
                .out())
        .isEqualTo("1\n");
  }

  @ParameterizedTest
  @CsvSource({
    "soft0, '', none",
    "soft0, --report, 1",
    "soft0?faults=drop:0.05, --report=json, json",
    "soft0?faults=drop:0.05, '', 1",
    "soft0?link=udp&faults=drop:0.05, '', 1",
    "soft0?faults=drop:0.05, --no-report, 0",
    "soft0?capture=/tmp/faults=1, '', none"
  })
  void aDeviceWithFaultsIsReportedOnUnlessTheUserSaysOtherwise(
      String device, String option, String report) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("run", "-d", device));
    if (!option.isEmpty()) {
      arguments.add(option);
    }
    arguments.addAll(List.of("sh", "-c", "echo ${VERBENA_REPORT-none}"));

    assertThat(launch.verbena(arguments.toArray(String[]::new)).out()).isEqualTo(report + "\n");
  }

  @Test
  void verboseMayStandBeforeTheCommandToo() throws Exception {
    assertThat(launch.verbena("run", "--verbose", "printenv", "VERBENA_VERBOSE").out())
        .isEqualTo("1\n");
    assertThat(launch.verbena("--verbose", "run", "printenv", "VERBENA_VERBOSE").out())
        .isEqualTo("1\n");
  }

  @Test
  void theProgramsArgumentsArriveAsTheyAreGiven() throws Exception {
    Launch.Run run =
        launch.verbena("run", "printf", "<%s>", "-d", "two words", "", "--", "*", "$HOME");

    assertThat(run.out()).isEqualTo("<-d><two words><><--><*><$HOME>");
  }

  @Test
  void behindTwoDashesEvenAnOptionsNameIsAProgram() throws Exception {
    Launch.Run run = launch.verbena("run", "--", "--report");

    assertThat(run.exitCode()).isEqualTo(127);
    assertThat(run.err()).isEqualTo("verbena run: no program '--report' on PATH\n");
  }

  @ParameterizedTest
  @CsvSource({"exit 0, 0", "exit 3, 3", "kill -TERM $$, 143", "kill -KILL $$, 137"})
  void theExitStatusIsTheProgramsSignalsIncluded(String script, int status) throws Exception {
    assertThat(launch.verbena("run", "sh", "-c", script).exitCode()).isEqualTo(status);
  }

  @Test
  void theProgramIsTheProcessThatWasStarted() throws Exception {
    Process process = launch.start("run", "sh", "-c", "echo $$; exec cat");
    try (var out = process.inputReader();
        var in = process.outputWriter()) {
      assertThat(out.readLine()).isEqualTo(Long.toString(process.pid()));
      in.write("through its standard input\n");
      in.flush();
      assertThat(out.readLine()).isEqualTo("through its standard input");
      // Before its input ends, which ends it, too.
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroy();
    }
    assertThat(process.exitValue()).isEqualTo(143);
  }

  @Test
  void aMissingProgramIsToldApartFromOneThatCannotRun() throws Exception {
    Path plain = Files.createFile(folder.resolve("plain"));

    Launch.Run onPath = launch.verbena("run", "no-such-program-7");
    Launch.Run byPath = launch.verbena("run", folder.resolve("nothing").toString());
    Launch.Run noProgram = launch.verbena("run", plain.toString());
    Launch.Run directory = launch.verbena("run", folder.toString());

    assertThat(onPath.exitCode()).isEqualTo(127);
    assertThat(onPath.err()).isEqualTo("verbena run: no program 'no-such-program-7' on PATH\n");
    assertThat(byPath.exitCode()).isEqualTo(127);
    assertThat(byPath.err()).contains("there is no program '" + folder.resolve("nothing") + "'");
    assertThat(noProgram.exitCode()).isEqualTo(126);
    assertThat(noProgram.err()).contains("'" + plain + "' is not an executable file");
    assertThat(directory.exitCode()).isEqualTo(126);
  }

  @ParameterizedTest
  @CsvSource({
    "--frobnicate, unknown option '--frobnicate'",
    "-d, -d needs a device",
    "--device=, the device is empty",
    "-drubbish, 'no software device is named ''rubbish'': soft0, or soft:ADDRESS with an address of"
        + " this computer; programs find devices of the installed libibverbs without ''verbena"
        + " run'''",
    "-dsoft:new?link=packet, '''soft:new'' has no IP address, as the device of a C program must:"
        + " soft0, or soft:ADDRESS with an address of this computer'",
    "-dib:a, '''ib:a'' has no IP address, as the device of a C program must: soft0, or soft:ADDRESS"
        + " with an address of this computer'",
    "-drdmacore:mlx5_0, '''rdmacore:mlx5_0'' is no software device; programs find devices of the"
        + " installed libibverbs without ''verbena run'''",
    "--report=xml, 'a report as ''xml'' is not known; --report=json is'",
    "--report, no program to run"
  })
  void wrongUsageSaysWhatIsWrongAndWhereHelpIs(String argument, String message) throws Exception {
    Launch.Run run = launch.verbena("run", argument);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo("verbena run: " + message + "\nTry 'verbena run --help'.\n");
  }

  @Test
  void helpIsTheSameInEveryWayOfAsking() throws Exception {
    Launch.Run run = launch.verbena("run", "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("Usage: verbena run ")
        .contains("--print-env", "--no-report", "VERBENA_REPORT", "VERBENA_VERBOSE")
        .contains("faults=", "capture=", "vendor_part_id=", "'verbena --help'");
    assertThat(launch.verbena("run", "-h")).isEqualTo(run);
    assertThat(launch.verbena("help", "run")).isEqualTo(run);
  }

  @Test
  void whatPrintEnvPrintsGivesAShellTheSameEnvironment() throws Exception {
    String device = "soft0?capture=/tmp/it's $(echo) a \"file\" & \\\nmore";
    Launch.Run printed =
        launch.verbena("run", "-d", device, "--report", "--verbose", "--print-env");
    Path script = Files.writeString(folder.resolve("env.sh"), printed.out());
    Files.writeString(script, "env -0", StandardOpenOption.APPEND);

    Process shell = Launch.clean(new ProcessBuilder("sh", script.toString())).start();
    String environment = shell.inputReader().readAllAsString();

    assertThat(printed.exitCode()).isZero();
    assertThat(environment.split("\0"))
        .contains("VERBENA_DEVICE=" + device, "VERBENA_REPORT=1", "VERBENA_VERBOSE=1")
        .contains("LD_LIBRARY_PATH=" + tree.nativeFolder());
  }

  @Test
  void anEnvironmentThatIsPrintedInItselfIsTheSame() throws Exception {
    Launch.Run printed = launch.verbena("run", "--print-env");
    Launch.Run again =
        launch.verbena("run", "bash", tree.verbena().toString(), "run", "--print-env");

    assertThat(again).isEqualTo(printed);
  }

  @Test
  void printEnvRunsNoProgram() throws Exception {
    Launch.Run run = launch.verbena("run", "--print-env", "true");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--print-env takes no program, and 'true' is one");
  }
}
