package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbena.verbs.spi.DeviceMonitor;
import dev.verbena.verbs.spi.DeviceReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs C programs whose actions a JVM in their process might break. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the library is built on Linux only")
final class CProgramsTest {
  private static final String DEVICE = "soft0";
  private static final String OK = "ok\n";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "soft:127.0.0.5, soft_127_0_0_5, 02007ffffe000005",
    "soft_127_0_0_5, soft_127_0_0_5, 02007ffffe000005",
    "soft:fd00::1, soft_fd00__1, c200000000000001",
    "soft_fd00__1, soft_fd00__1, c200000000000001",
    "soft_foo, soft_foo, 0000000000000000"
  })
  void theListHasTheGuidOfTheDeviceHoweverItIsNamed(String device, String name, String guid)
      throws Exception {
    assertThat(CProgram.of(folder, "guids").on(device).text()).isEqualTo(name + " " + guid + "\n");
  }

  @Test
  void otherProcessesSeeItsCountersUntilItEnds() throws Exception {
    Path end = folder.resolve("end");
    String device = "soft:127.0.0.6";
    CProgram program = CProgram.of(folder, "is_watched");
    FutureTask<CProgram.Run> running = new FutureTask<>(() -> program.on(device, end.toString()));
    Thread.ofPlatform().daemon().start(running);
    try {
      DeviceReport report = await(() -> find(end), Optional::isPresent).orElseThrow();
      assertThat(report.device()).isEqualTo("soft_127_0_0_6");
      assertThat(report.objects()).containsEntry("qp", 2L).containsEntry("context", 1L);
      assertThat(report.counter("loopback_messages")).isPositive();
      assertThat(ProcessHandle.of(report.pid())).isPresent();
    } finally {
      Files.createFile(end);
    }
    expectOk(running.get(1, TimeUnit.MINUTES));
    assertThat(await(() -> find(end), Optional::isEmpty)).isEmpty();
  }

  /** The program that was told of this file, once it has sent something. */
  private static Optional<DeviceReport> find(Path argument) throws InterruptedException {
    return ServiceLoader.load(DeviceMonitor.class)
        .findFirst()
        .orElseThrow()
        .look(Duration.ofSeconds(5))
        .stream()
        .filter(report -> report.program().endsWith("is_watched " + argument))
        .filter(report -> report.counter("loopback_messages") > 0)
        .findFirst();
  }

  private static <T> T await(Callable<T> look, Predicate<T> wanted) throws Exception {
    long start = System.nanoTime();
    T seen = look.call();
    while (!wanted.test(seen) && System.nanoTime() - start < TimeUnit.MINUTES.toNanos(1)) {
      seen = look.call();
    }
    return seen;
  }

  @Test
  void dlopenFindsTheLibraryByTheNameWithoutAVersionToo() throws Exception {
    expectOk(CProgram.unlinked(folder, "by_either_name").on(DEVICE));
  }

  /** The C library then precedes libibverbs in the symbol search order. */
  @ParameterizedTest
  @ValueSource(strings = {"before", "after", "blocked", "handled"})
  void aProgramWhoseLibraryUsesLibibverbsHasTheDeviceAndItsSignals(String what) throws Exception {
    expectOk(CProgram.behind("linked", folder, "signals").on(DEVICE, what));
  }

  /** libibverbs then finds symbols that it shares with the C library there, and not in libjsig. */
  @ParameterizedTest
  @ValueSource(strings = {"before", "after", "blocked", "handled"})
  void aPluginThatSeesItsOwnLibrariesFirstHasTheDeviceAndItsProgramTheSignals(String what)
      throws Exception {
    String plugin = CProgram.library(folder, "signals").toString();
    expectOk(CProgram.unlinked(folder, "plugin").on(DEVICE, plugin, what));
  }

  @ParameterizedTest
  @CsvSource({"fault, 11", "list, 11", "terminate, 15", "pipe, 13", "user, 12"})
  void aSignalEndsAProgramWithAPluginAsItEndsAnother(String what, int signal) throws Exception {
    String plugin = CProgram.library(folder, "signals").toString();
    CProgram.Run run = CProgram.unlinked(folder, "plugin").on(DEVICE, plugin, what);
    assertThat(run.text()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(128 + signal);
    expectNoReportOfACrash();
  }

  @Test
  void aPluginsMemoryThatIsUnmappedStopsNobody() throws Exception {
    String plugin = CProgram.library(folder, "unmaps").toString();
    expectOk(CProgram.unlinked(folder, "plugin").on(DEVICE, plugin));
  }

  @Test
  void aProgramThatNeverCallsAVerbNoticesNothing() throws Exception {
    expectOk(CProgram.of(folder, "idle").on(DEVICE));
    expectOk(CProgram.behind("linked", folder, "idle").on(DEVICE));
    CProgram.Run run = CProgram.of(folder, "idle").on(DEVICE, "terminate");
    assertThat(run.text()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(128 + 15);
  }

  @Test
  void theDeviceHasAFileInDevThatCanBeReadAndWritten() throws Exception {
    expectOk(CProgram.of(folder, "character_device").on(DEVICE));
  }

  @Test
  void aProgramInJavaThatKnowsNothingOfUsHasTheDevice() throws Exception {
    String name = "dev/verbena/dropin/JavaProgramNative.class";
    try (InputStream binary =
        JavaProgramNative.class.getResourceAsStream("JavaProgramNative.class")) {
      Files.createDirectories(folder.resolve(name).getParent());
      Files.write(folder.resolve(name), Objects.requireNonNull(binary).readAllBytes());
    }
    CProgram java = CProgram.java(folder);
    String access = "--enable-native-access=ALL-UNNAMED";
    expectOk(java.on(DEVICE, access, "-cp", folder.toString(), JavaProgramNative.class.getName()));
  }

  @Test
  void afterAForkTheChildsVerbsFailAndTheParentsGoOn() throws Exception {
    expectForks(CProgram.of(folder, "forks").on(DEVICE));
  }

  /** The first of its children and a hundred others each use several verbs. */
  private static void expectForks(CProgram.Run run) {
    Map<String, Long> said =
        run.text().lines().collect(Collectors.groupingBy(line -> line, Collectors.counting()));
    assertThat(said).hasSize(2).containsEntry("ok", 1L).containsValue(101L);
    assertThat(run.text()).contains("verbena: the child of a fork cannot use the device");
    assertThat(run.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"before", "after"})
  void handlersOfSignalsAreCalledWheneverTheyWereSet(String when) throws Exception {
    expectOk(CProgram.of(folder, "signals").on(DEVICE, when));
  }

  @Test
  void aSignalThatTheProgramBlocksWaitsForIt() throws Exception {
    expectOk(CProgram.of(folder, "signals").on(DEVICE, "blocked"));
  }

  @Test
  void noThreadOfADeviceTakesSignalsHoweverLateItBegins() throws Exception {
    String link = "ip link add verbena0 type veth peer name verbena1";
    String up = " && ip link set verbena0 up && ip link set verbena1 up";
    String address = " && ip addr add 10.9.7.3/24 dev verbena0";
    String network = "unshare -n sh -c '" + link + up + address + " && exec \"$@\"' sh ";
    String ifPossible = network + "true || exec echo impossible; exec " + network + "\"$@\"";
    CProgram program = CProgram.of(folder, "late_threads");
    CProgram.Run run = program.within(ifPossible, "soft:10.9.7.3?ether=verbena1");
    assumeThat(run.text()).as("network interfaces of its own").doesNotEndWith("impossible\n");
    expectOk(run);
  }

  @ParameterizedTest
  @CsvSource({
    "interrupt, 2",
    "fault, 11",
    "list, 11",
    "next, 11",
    "attributes, 11",
    "terminate, 15",
    "pipe, 13",
    "divide, 8",
    "abort, 6",
    "user, 12"
  })
  void aSignalWithoutAHandlerEndsTheProgramAndNothingElseIsSaid(String what, int signal)
      throws Exception {
    CProgram.Run run = CProgram.of(folder, "signals").on(DEVICE, what);
    assertThat(run.text()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(128 + signal);
    expectNoReportOfACrash();
  }

  @Test
  void aFaultInAVerbCallsTheProgramsHandler() throws Exception {
    expectOk(CProgram.of(folder, "signals").on(DEVICE, "handled"));
  }

  @Test
  void whereDetailsAreWantedAFaultInAVerbIsReportedButNotOnStandardOutput() throws Exception {
    CProgram program = CProgram.of(folder, "signals");
    String nobodys = "ulimit -c 0 && exec 2>/dev/null && export VERBENA_VERBOSE=1";
    assertThat(program.within(nobodys, DEVICE, "attributes").text()).isEmpty();
    String all = "ulimit -c 0 && export VERBENA_VERBOSE=1";
    assertThat(program.within(all, DEVICE, "attributes").text()).contains("SIGSEGV");
    expectNoReportOfACrash();
  }

  @Test
  void aStackThatOverflowsIsTheProgramsHandlersOnly() throws Exception {
    expectOk(CProgram.of(folder, "overflows").within("ulimit -c 0 && ulimit -s 8192", DEVICE));
  }

  @Test
  void aFaultCannotBeIgnoredButTheSameSignalFromSomebodyCan() throws Exception {
    CProgram.Run run = CProgram.of(folder, "signals").on(DEVICE, "ignored");
    assertThat(run.text()).isEqualTo("ignored what was sent\n");
    assertThat(run.exitCode()).isEqualTo(128 + 11);
  }

  @Test
  void sixtyFourThreadsUseOneContext() throws Exception {
    expectOk(CProgram.of(folder, "threads").on(DEVICE));
  }

  @Test
  void aThreadThatIsCancelledEndsWhereItWaitsOrBehindItsVerbs() throws Exception {
    expectOk(CProgram.of(folder, "cancels").on(DEVICE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"return", "exit", "_exit"})
  void aProgramThatClosesNothingEnds(String how) throws Exception {
    expectOk(CProgram.of(folder, "never_closes").on(DEVICE, how));
  }

  @ParameterizedTest
  @ValueSource(strings = {"return", "handler", "destructor", "quick_exit"})
  void theReportComesAfterTheLastPacketOfAProgramThatEnds(String how) throws Exception {
    CProgram.Run run =
        CProgram.of(folder, "reports")
            .within("export VERBENA_REPORT=1", "soft:10.9.7.2?link=packet", how);
    assertThat(run.text())
        .matches(
            "sent\nverbena: soft_10_9_7_2 at 10\\.9\\.7\\.2: [1-9]\\d* packets sent,"
                + " 0 dropped by faults, \\d+ resent\n");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void theReportMayBeALineOfJson() throws Exception {
    CProgram.Run run =
        CProgram.of(folder, "reports")
            .within("export VERBENA_REPORT=json", "soft:10.9.7.2?link=packet", "return");
    assertThat(run.text())
        .matches("sent\n\\{\"device\":\"soft_10_9_7_2\",.*\"packets_sent\":[1-9]\\d*,.*}\n");
  }

  @Test
  void aUserWhoAsksForItSeesEachChangeOfStateOrEachPacket() throws Exception {
    CProgram program = CProgram.of(folder, "reports");
    String device = "soft:10.9.7.4?link=packet";
    assertThat(program.within("export VERBENA_LOG=debug", device, "return").text())
        .contains("\nverbena: soft_10_9_7_4 QP 0x", ": RTR -> RTS\n")
        .doesNotContainPattern(" RC [A-Z_]+ psn ");
    assertThat(program.within("export VERBENA_LOG=trace", device, "return").text())
        .contains(": RTR -> RTS\n")
        .containsPattern(
            "\nverbena: 10\\.9\\.7\\.4: sent RC [A-Z_]+ psn \\d+ .* -> 10\\.9\\.7\\.4\n");
    assertThat(program.within("export VERBENA_LOG=loud", device, "return").text())
        .contains("verbena: VERBENA_LOG=loud is not one of info, debug, trace; info is used\n")
        .doesNotContain("RTS");
  }

  @Test
  void whatTheDeviceLogsIsALineForTheUserOfAProgram() throws Exception {
    CProgram.Run run =
        CProgram.of(folder, "reports").on("soft:10.9.7.3?link=packet&capture=/dev/full", "return");
    assertThat(run.text())
        .matches(
            """
            verbena: capture to /dev/full stops: the file cannot be written: java.io.IOException: .+
            sent
            """);
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void aProgramThatUnloadsTheLibraryStillHasItsSignals() throws Exception {
    expectOk(CProgram.unlinked(folder, "unloads").on(DEVICE));
  }

  @Test
  void memoryThatIsNotThereCannotBeRegistered() throws Exception {
    expectOk(CProgram.of(folder, "wild_pointers").on(DEVICE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft0", "soft0?link=packet", "soft0?link=udp"})
  void registeredMemoryThatIsUnmappedStopsNobody(String device) throws Exception {
    expectOk(CProgram.of(folder, "unmaps").on(device));
    expectNoReportOfACrash();
  }

  /** In a process in which the first atomic is interpreted, and in one in which it is not. */
  @ParameterizedTest
  @CsvSource({
    "soft0, none, swap",
    "soft0, none, add",
    "soft0?link=packet, none, swap",
    "soft0?link=udp, none, swap",
    "soft0, swap, swap",
    "soft0, add, add",
    "soft0, add, swap"
  })
  void registeredMemoryThatIsTakenAwayFailsThePeersRequest(
      String device, String compiled, String first) throws Exception {
    CProgram program = CProgram.of(folder, "takes_away").javaOptions("-XX:-BackgroundCompilation");
    expectRefusals(program.on(device, compiled, first));
    expectNoReportOfACrash();
  }

  @Test
  void vanishedMemoryIsFilledOnlyWhereADeviceTouchesIt() throws Exception {
    expectOk(
        CProgram.withPartsOfTheShim(
                folder, "vanished_test", "vanished.c", "signals.c", "environment.c", "jvm_code.c")
            .run());
  }

  @Test
  void theProgramHasAllOfItsStack() throws Exception {
    expectOk(CProgram.of(folder, "recursion").within("ulimit -c 0 && ulimit -s 8192", DEVICE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"coroutine", "small", "handler"})
  void stacksThatAreTooSmallForJavaOrUnknownToItAreGoodEnough(String what) throws Exception {
    expectOk(CProgram.of(folder, "odd_stacks").on(DEVICE, what));
  }

  @Test
  void fourGigabytesOfAddressesAreEnough() throws Exception {
    expectForks(CProgram.of(folder, "forks").within("ulimit -c 0 && ulimit -v 4194304", DEVICE));
  }

  @Test
  void theDescriptorsOfEventsAreDescriptors() throws Exception {
    expectRefusals(CProgram.of(folder, "descriptors").on(DEVICE));
  }

  @Test
  void emptyPollsAndPingPongsAllocateNothing() throws Exception {
    CProgram bench = CProgram.of(folder, "bench");
    bench.javaOptions("-Xmn1m -Xmx64m -Xlog:gc:stderr");
    long collections = collections(bench, 4);
    // Each part makes over a million calls: 16 bytes a call would cause at least 16 more
    // collections.
    assertThat(collections(bench, 12)).isLessThan(collections + 8 * 16);
  }

  /** The JVM rejects these options when it reads them, or when it starts with them. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:NoSuchOption", "-Xmx1k"})
  void optionsThatJavaDoesNotTakeAreShown(String option) throws Exception {
    CProgram program = CProgram.of(folder, "forks");
    CProgram.Run run = program.javaOptions("-Xss2m " + option).on(DEVICE);
    assertThat(run.text())
        .contains("the JVM did not start")
        .contains("VERBENA_JVM_OPTIONS is: -Xss2m " + option);
    assertThat(run.exitCode()).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"small", "deleted", "cleared", "options"})
  void theMachineStartsWhateverTheProgramsStackFolderAndEnvironment(String what) throws Exception {
    expectOk(CProgram.of(folder, "starts").on(DEVICE, what));
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 256})
  void theMachineStartsUnderALimitForStacksThatIsLessThanItNeeds(int kib) throws Exception {
    expectOk(CProgram.of(folder, "starts").within("ulimit -c 0 && ulimit -s " + kib, DEVICE));
  }

  @Test
  void tooFewDescriptorsAreSaidInOneLine() throws Exception {
    CProgram.Run run = CProgram.of(folder, "starts").within("ulimit -n 10", DEVICE, "descriptors");
    assertThat(run.text()).matches("(verbena: .*descriptors.*\\(ulimit -n\\)\n){2}ok\n");
    assertThat(run.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Xmx1k", "-XX:+UseG1GC"})
  void aMachineThatDoesNotStartIsADeviceThatDoesNotOpenAndNotTheProgramsEnd(String option)
      throws Exception {
    CProgram.Run run = CProgram.of(folder, "starts").javaOptions(option).on(DEVICE, "refused");
    assertThat(run.text()).contains("VERBENA_JVM_OPTIONS is: " + option).endsWith(OK);
    assertThat(run.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unset VERBENA_LIBJVM",
        "export VERBENA_LIBJVM=/nowhere",
        "export VERBENA_LIBJVM=libc.so.6",
        "unset VERBENA_CLASSPATH",
        "export VERBENA_CLASSPATH=/nowhere",
        "export VERBENA_JVM_OPTIONS=-Xmx1k",
        "export VERBENA_DEVICE=soft:192.0.2.1",
        "export VERBENA_DEVICE='soft0?faults=drop:2'",
        "ulimit -n 10"
      })
  void whereTheDeviceDoesNotOpenTheProgramGoesOnAndASignalEndsIt(String obstacle) throws Exception {
    CProgram.Run run = CProgram.of(folder, "starts").within(obstacle, DEVICE, "goes on");
    assertThat(run.text()).contains("verbena: ").endsWith("goes on\n");
    assertThat(run.exitCode()).isEqualTo(128 + 15);
    expectNoReportOfACrash();
  }

  /** Java waits for a debugger here, for ever. */
  @Test
  void aSignalEndsAProgramWhoseMachineDoesNotComeToAnEndOfItsStart() throws Exception {
    String wait =
        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0,quiet=y";
    CProgram.Run run = CProgram.of(folder, "starts").javaOptions(wait).on(DEVICE, "hangs");
    assertThat(run.text()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(128 + 15);
  }

  @Test
  void thereIsRoomForAsManyOptionsAsTheUserGives() throws Exception {
    CProgram program = CProgram.of(folder, "threads");
    String many = "-Da=b ".repeat(1000);
    expectOk(program.javaOptions(many).on(DEVICE));
    CProgram.Run run = program.javaOptions(many + "-XX:NoSuchOption").on(DEVICE);
    assertThat(run.text()).contains("NoSuchOption");
    assertThat(run.exitCode()).isOne();
  }

  private static long collections(CProgram bench, int parts) throws Exception {
    CProgram.Run run = bench.on(DEVICE, Integer.toString(parts));
    assertThat(run.text()).containsPattern("empty ibv_poll_cq: \\d+ ns");
    assertThat(run.exitCode()).isZero();
    return run.text().lines().filter(line -> line.contains("Pause Young")).count();
  }

  /** Expects success, and that the device reported why it refused requests. */
  private void expectRefusals(CProgram.Run run) {
    assertThat(run.text()).matches("(verbena: .* refused: .*\n)+" + OK);
    assertThat(run.exitCode()).isZero();
  }

  private void expectOk(CProgram.Run run) {
    assertThat(run.text()).isEqualTo(OK);
    assertThat(run.exitCode()).isZero();
  }

  private void expectNoReportOfACrash() throws IOException {
    try (DirectoryStream<Path> reports = Files.newDirectoryStream(folder, "hs_err*")) {
      assertThat(reports).isEmpty();
    }
  }
}
