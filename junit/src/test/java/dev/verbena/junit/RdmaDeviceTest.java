package dev.verbena.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.vtools.Completions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;

/** Classes of tests that use the extension are run, and looked at. */
final class RdmaDeviceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What was printed to standard error. */
  private static final ByteArrayOutputStream PRINTED = new ByteArrayOutputStream();

  private static final PrintStream ERR = System.err;

  @TempDir private Path captures;

  @BeforeAll
  static void listen() {
    System.setErr(new PrintStream(PRINTED, true, UTF_8));
  }

  @AfterAll
  static void listenNoLonger() {
    System.setErr(ERR);
  }

  private EngineTestKit.Builder kit(Class<?> tests, String... parameters) {
    EngineTestKit.Builder builder =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectClass(tests))
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .configurationParameter("verbena.junit.captures", captures.toString());
    for (int i = 0; i < parameters.length; i += 2) {
      builder.configurationParameter(parameters[i], parameters[i + 1]);
    }
    return builder;
  }

  private Events run(Class<?> tests, String... parameters) {
    return kit(tests, parameters).execute().testEvents();
  }

  /** What the only test of the class threw. */
  private Throwable failure(Class<?> tests, String... parameters) {
    return failure(run(tests, parameters));
  }

  private static Throwable failure(Events events) {
    assertThat(events.failed().count()).as("failed").isEqualTo(1);
    return events.failed().stream()
        .findFirst()
        .orElseThrow()
        .getRequiredPayload(TestExecutionResult.class)
        .getThrowable()
        .orElseThrow();
  }

  /** What the device had to say about it. */
  private static Throwable report(Throwable failure) {
    assertThat(failure.getSuppressed()).hasSize(1);
    return failure.getSuppressed()[0];
  }

  private List<Path> captured() throws IOException {
    try (Stream<Path> files = Files.list(captures)) {
      return files.toList();
    }
  }

  /** 200 WRITEs, one after the other. */
  private static void write(ConnectedPair pair) {
    writes(pair, 200, 1);
  }

  /** WRITEs, so many of them at a time. */
  private static void writes(ConnectedPair pair, int count, int atOnce) {
    ConnectedPair.End to = pair.right();
    SendWr wr =
        new SendWr()
            .opcode(WrOpcode.RDMA_WRITE)
            .sendFlags(SendFlags.SIGNALED)
            .sgList(pair.left().memory().sge(8, 0))
            .rkey(to.memory().rkey())
            .remoteAddr(to.memory().addr());
    for (int done = 0; done < count; done += atOnce) {
      for (int i = 0; i < atOnce; i++) {
        pair.left().qp().postSend(wr);
      }
      Completions.awaitAll(pair.left().cq(), atOnce, PATIENCE);
    }
  }

  @RdmaDevice(faults = "drop:0.1")
  static final class Lossy {
    private static final List<Long> SEEDS = new ArrayList<>();
    private static final List<Context> CONTEXTS = new ArrayList<>();

    @BeforeEach
    void before(TestDevice device) {
      SEEDS.add(device.faults().seed());
    }

    @RepeatedTest(2)
    void writes(TestDevice device, Context context, ConnectedPair pair, Counters counters) {
      assertThat(pair.left().qp().context()).isSameAs(context).isSameAs(device.context());
      assertThat(device.pair()).isSameAs(pair);
      assertThat(counters.get(Counter.PACKETS_SENT)).as("counters of this test").isZero();
      write(pair);
      assertThat(counters.get(Counter.RETRANSMITTED)).isPositive();
      assertThat(Files.exists(device.capture().orElseThrow())).isTrue();
      device.assertFaultsFired();
      CONTEXTS.add(context);
    }
  }

  @Test
  void eachTestHasADeviceOfItsOwnWhichEndsWithIt() throws IOException {
    Lossy.SEEDS.clear();
    Lossy.CONTEXTS.clear();
    run(Lossy.class).assertStatistics(s -> s.succeeded(2).failed(0));
    assertThat(Lossy.SEEDS).doesNotHaveDuplicates().hasSize(2);
    assertThat(Lossy.CONTEXTS).hasSize(2).allMatch(Context::isClosed);
    assertThat(captured()).as("of what succeeded").isEmpty();
  }

  static final class Giving {
    /** A program: what it knows of the device is a text. */
    private static long packetsSentBy(String device) {
      try (Context context = Devices.open(device)) {
        write(ConnectedPair.in(context));
        return context.counters().get(Counter.PACKETS_SENT);
      }
    }

    @Test
    @RdmaDevice
    void captured(TestDevice device) {
      assertThat(packetsSentBy(device.spec().toString()))
          .isPositive()
          .isLessThanOrEqualTo(device.counters().get(Counter.PACKETS_SENT));
      assertThat(device.capture().orElseThrow()).isNotEmptyFile();
      assertThatThrownBy(() -> packetsSentBy(device.context().device().name()))
          .as("without the options of the test")
          .hasMessageContaining("EBUSY");
    }

    @Test
    @RdmaDevice(faults = "drop:0.1", capture = false)
    void withFaults(TestDevice device, Context context) {
      assertThat(packetsSentBy(device.spec().toString()))
          .isPositive()
          .isLessThanOrEqualTo(context.counters().get(Counter.PACKETS_SENT));
      device.assertFaultsFired();
    }

    @Test
    @RdmaDevice(capture = false)
    void asItsContextTells(TestDevice device, Context context) {
      assertThat(device.spec()).isEqualTo(context.device().spec());
      assertThat(device.spec().address()).isNotEqualTo("new");
    }
  }

  @Test
  void theProgramUnderTestOpensTheVeryDeviceOfTheTest() {
    run(Giving.class).assertStatistics(s -> s.succeeded(3).failed(0));
  }

  static final class Failing {
    @Test
    @RdmaDevice(faults = "drop:0.1", seed = 42)
    void fails(ConnectedPair pair) {
      write(pair);
      Assertions.assertEquals("one", "two");
    }
  }

  @Test
  void aFailureTellsTheSeedWhatWasCountedAndWhereThePacketsAre() throws IOException {
    Throwable failure = failure(Failing.class);
    assertThat(captured()).hasSize(1);
    assertThat(captured().getFirst().getFileName().toString())
        .startsWith("Failing.fails-")
        .endsWith(".pcapng");
    assertThat(captured().getFirst()).isNotEmptyFile();
    assertThat(failure)
        .as("the test's own")
        .hasMessage("expected: <one> but was: <two>")
        .isInstanceOf(AssertionFailedError.class);
    assertThat(report(failure))
        .hasMessageContainingAll(
            "device: soft:new?faults=drop:0.1",
            "seed:42",
            "faults_dropped ",
            "packets: " + captured().getFirst())
        .as("the test has a seed")
        .message()
        .doesNotContain("to repeat");
    assertThat(report(failure).getStackTrace()).isEmpty();
  }

  static final class Repeated {
    @RepeatedTest(2)
    @RdmaDevice(faults = "drop:0.1", seed = 4712)
    void fails(RepetitionInfo repetition, ConnectedPair pair) {
      write(pair);
      Assertions.assertEquals(1, repetition.getCurrentRepetition());
    }
  }

  @Test
  void theSamePrintedSurvivesABuildToolThatCutsStackTraces() throws IOException {
    Throwable failure = failure(Repeated.class);
    String printed = PRINTED.toString(UTF_8);
    assertThat(printed)
        .contains(
            "verbena: Repeated.fails, repetition 2 of 2, has failed" + report(failure).getMessage())
        .contains("packets: " + captured().getFirst())
        .doesNotContain("repetition 1 of 2");
    failure(Failing.class);
    assertThat(PRINTED.toString(UTF_8))
        .contains("verbena: Failing.fails has failed\n  device: soft:new?faults=drop:0.1");
  }

  static final class Factory {
    @TestFactory
    @RdmaDevice(faults = "drop:0.1", seed = 4713)
    Stream<DynamicNode> writes(TestDevice device, ConnectedPair pair) {
      return Stream.of(
          DynamicTest.dynamicTest("passes", () -> write(pair)),
          DynamicContainer.dynamicContainer(
              "several",
              Stream.of(
                  DynamicTest.dynamicTest("is aborted", () -> Assumptions.abort("not here")),
                  DynamicTest.dynamicTest("closes", device.context()::close),
                  DynamicTest.dynamicTest("fails", () -> Assertions.fail("mine")))));
    }
  }

  @Test
  void aDynamicTestThatFailsHasAReportAndTheFileOfItsFactoryStays() throws IOException {
    Throwable failure = failure(Factory.class);
    assertThat(failure).hasMessage("mine");
    assertThat(captured()).hasSize(1);
    assertThat(report(failure))
        .hasMessageContainingAll("seed:4713", "packets_sent ", "packets: " + captured().getFirst());
    assertThat(PRINTED.toString(UTF_8))
        .contains("verbena: Factory.writes, fails, has failed" + report(failure).getMessage());
  }

  static final class PassingFactory {
    @TestFactory
    @RdmaDevice
    List<DynamicTest> writes(TestDevice device, ConnectedPair pair) {
      assertThat(device.capture().orElseThrow()).exists();
      return List.of(
          DynamicTest.dynamicTest("first", () -> write(pair)),
          DynamicTest.dynamicTest("second", () -> Assumptions.abort("not here")));
    }
  }

  static final class FailingFactory {
    @TestFactory
    @RdmaDevice
    List<DynamicTest> writes(ConnectedPair pair) {
      write(pair);
      throw new IllegalStateException("no tests");
    }
  }

  @Test
  void aFactoryWithoutAFailureLeavesNoFile() throws IOException {
    run(PassingFactory.class).assertStatistics(s -> s.succeeded(1).aborted(1).failed(0));
    assertThat(captured()).isEmpty();
  }

  @Test
  void aFactoryThatFailsItselfIsExplainedAsWell() throws IOException {
    Throwable failure = failure(kit(FailingFactory.class).execute().containerEvents());
    assertThat(failure).hasMessage("no tests");
    assertThat(report(failure)).hasMessageContaining("packets: " + captured().getFirst());
  }

  static final class Closing {
    @Test
    @RdmaDevice
    void closes(TestDevice device, ConnectedPair pair) {
      write(pair);
      device.context().close();
      assertThat(device.counters().get(Counter.PACKETS_SENT)).isGreaterThanOrEqualTo(400);
      throw new IllegalStateException("mine");
    }
  }

  @Test
  void aTestThatClosesItsContextKeepsItsOwnFailure() {
    Throwable failure = failure(Closing.class);
    assertThat(failure).isInstanceOf(IllegalStateException.class).hasMessage("mine");
    assertThat(report(failure)).hasMessageContaining("packets_sent 4");
  }

  static final class Everything {
    @Test
    @RdmaDevice
    void fails() {
      Assertions.assertAll(() -> Assertions.fail("first"), () -> Assertions.fail("second"));
    }

    @BeforeEach
    void before(Context context) {
      assertThat(context.isClosed()).isFalse();
    }
  }

  @Test
  void aFailureOfSeveralAssertionsKeepsThemAll() {
    assertThat(failure(Everything.class))
        .isInstanceOfSatisfying(
            MultipleFailuresError.class, e -> assertThat(e.getFailures()).hasSize(2))
        .hasStackTraceContaining("device: soft:new");
  }

  static final class Unlucky {
    @Test
    @RdmaDevice(faults = "drop:1", capture = false)
    void fails(ConnectedPair pair) {
      write(pair);
    }
  }

  @Test
  void whoIsNotAnsweredLearnsItSoonAndTheSeedCanBeSetFromOutside() throws IOException {
    long start = System.nanoTime();
    Throwable failure = failure(Unlucky.class, "verbena.junit.seed", "4711");
    assertThat(report(failure))
        .hasMessageContainingAll(
            "seed:4711",
            "@RdmaDevice(faults = \"drop:1\", seed = 4711, capture = false)",
            "verbena.junit.seed=4711");
    assertThat(failure)
        .isInstanceOfSatisfying(
            WcException.class,
            e -> assertThat(e.workCompletion().status()).isEqualTo(WcStatus.RETRY_EXC_ERR));
    assertThat(System.nanoTime() - start).isLessThan(PATIENCE.toNanos());
    assertThat(captured()).isEmpty();
  }

  @Test
  void aSeedFromOutsideMustBeANumberAndZeroChoosesOne() {
    assertThat(failure(Unlucky.class, "verbena.junit.seed", "abc"))
        .hasMessageEndingWith(
            ": verbena.junit.seed=abc: a seed is a whole number, and 0 chooses one");
    assertThat(report(failure(Unlucky.class, "verbena.junit.seed", "0")))
        .hasMessageContaining("verbena.junit.seed=")
        .message()
        .doesNotContain("seed = 0", "seed=0");
  }

  static final class Quiet {
    @Test
    @RdmaDevice(faults = "drop:0.0001,seed:3")
    void tooFewPackets(TestDevice device) {
      device.assertFaultsFired();
    }
  }

  static final class Orderly {
    @Test
    @RdmaDevice(faults = "drop:0.0001,reorder:1,seed:3")
    void noTwoPackets(TestDevice device) {
      device.assertFaultsFired();
    }
  }

  static final class AtOnce {
    @Test
    @RdmaDevice(faults = "reorder:0.5,seed:3")
    void severalPacketsAtATime(TestDevice device, ConnectedPair pair) {
      writes(pair, 200, 50);
      device.assertFaultsFired();
    }
  }

  @Test
  void aTestThatHopesForReorderingLearnsWhatThatNeeds() {
    assertThat(failure(Orderly.class))
        .hasMessageStartingWith("no fault has fired: ")
        .hasMessageEndingWith(
            "; reorder needs several packets in flight: post more than one request before you"
                + " wait, or use delay");
    run(AtOnce.class).assertStatistics(s -> s.succeeded(1).failed(0));
  }

  static final class Flawless {
    @Test
    @RdmaDevice
    void noFaults(TestDevice device, ConnectedPair pair) {
      write(pair);
      device.assertFaultsFired();
    }
  }

  @Test
  void aTestThatMeetsNoFaultFails() {
    assertThat(failure(Quiet.class))
        .hasMessageContainingAll("no fault has fired: 0 packets", "drop:1.0E-4", "seed:3")
        .message()
        .doesNotContain("reorder needs");
    assertThat(failure(Flawless.class)).hasMessageContaining("no fault can fire");
  }

  static final class Aborted {
    @Test
    @RdmaDevice
    void aborts(Context context) {
      Assumptions.abort("not here");
    }
  }

  @Test
  void anAssumptionThatDoesNotHoldIsNoFailure() throws IOException {
    run(Aborted.class).assertStatistics(s -> s.aborted(1).failed(0));
    assertThat(captured()).isEmpty();
  }

  /** Registered first, so it is called last. */
  static final class FailsLast implements AfterEachCallback {
    @Override
    public void afterEach(ExtensionContext test) {
      throw new IllegalStateException("at the very end");
    }
  }

  @ExtendWith(FailsLast.class)
  static final class FailingLast {
    @Test
    @RdmaDevice
    void succeeds(Context context) {
      assertThat(context.isClosed()).isFalse();
    }
  }

  @Test
  void theCaptureOfATestThatFailsAfterwardsStays() throws IOException {
    assertThat(failure(FailingLast.class)).hasMessage("at the very end");
    assertThat(captured()).hasSize(1);
  }

  @Test
  void theFolderOfCapturesMayHaveAnyName() throws IOException {
    Path folder = captures.resolve("R&D%26");
    failure(Failing.class, "verbena.junit.captures", folder.toString());
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files)
          .hasSize(1)
          .first()
          .asInstanceOf(InstanceOfAssertFactories.PATH)
          .isNotEmptyFile();
    }
  }

  static final class AfterFails {
    @AfterEach
    void after(Context context) {
      assertThat(context.isClosed()).as("after the test").isTrue();
    }

    @Test
    @RdmaDevice
    void succeeds(Context context) {
      assertThat(context.isClosed()).isFalse();
    }
  }

  @Test
  void whatHappensAfterATestIsExplainedAsWell() throws IOException {
    assertThat(failure(AfterFails.class))
        .hasMessageContaining("after the test")
        .hasStackTraceContaining("device: soft:new");
    assertThat(captured()).hasSize(1);
  }

  @RdmaDevice(faults = "dup:1,seed:9")
  static final class Outer {
    @Nested
    class Inner {
      @Test
      void hasTheDeviceOfTheClassAround(TestDevice device) {
        assertThat(device.faults().duplicate()).isEqualTo(1);
      }

      @Test
      @RdmaDevice
      void orItsOwn(TestDevice device) {
        assertThat(device.faults().isActive()).isFalse();
      }
    }
  }

  @Test
  void theAnnotationOfTheMethodReplacesThatOfTheClassesAround() {
    run(Outer.class).assertStatistics(s -> s.succeeded(2).failed(0));
  }

  static final class Wrong {
    @Test
    @RdmaDevice(faults = "drip:1")
    void fails(Context context) {}
  }

  static final class Doubled {
    @Test
    @RdmaDevice("soft:new?faults=drop:1")
    void fails(Context context) {}
  }

  static final class TwoSeeds {
    @Test
    @RdmaDevice(faults = "drop:1,seed:1", seed = 2)
    void fails(Context context) {}
  }

  static final class Untold {
    @Test
    @RdmaDevice
    void fails(String text) {}
  }

  static final class SeedOnly {
    @Test
    @RdmaDevice(seed = 42)
    void fails(Context context) {}
  }

  static final class Adapter {
    @Test
    @RdmaDevice("rxe0")
    void fails(Context context) {}
  }

  @Test
  void whatCannotBeIsRefusedWithTheReason() throws IOException {
    assertThat(failure(Wrong.class))
        .hasStackTraceContaining("@RdmaDevice of Wrong.fails")
        .hasStackTraceContaining("'drip' is not a fault");
    assertThat(failure(Doubled.class)).hasStackTraceContaining("give faults by the element");
    assertThat(failure(TwoSeeds.class)).hasStackTraceContaining("has two seeds");
    assertThat(failure(Untold.class)).hasMessageContaining("No ParameterResolver");
    assertThat(failure(SeedOnly.class))
        .hasStackTraceContaining("@RdmaDevice of SeedOnly.fails has seed = 42 but no faults");
    assertThat(failure(Adapter.class))
        .as("captures are of software devices only")
        .hasStackTraceContaining("no provider knows the device 'rxe0'; known: soft0, soft:new")
        .hasStackTraceContaining("devices of libibverbs need dev.verbena:verbena-rdmacore");
    assertThat(captured()).isEmpty();
  }

  static final class Flushing {
    @Test
    @RdmaDevice
    void doesAllThatTheDeviceCan(ConnectedPair pair) {
      MemoryRegion there = pair.right().memory();
      QueuePairEx qp = pair.left().qp();
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrFlush(there.rkey(), there.addr(), 8, FlushType.GLOBAL, FlushLevel.RANGE);
      qp.wrId(2).wrFlags(SendFlags.SIGNALED);
      qp.wrAtomicWrite(there.rkey(), there.addr(), 8);
      qp.wrComplete();
      Completions.awaitAll(pair.left().cq(), 2, PATIENCE);
      throw new IllegalStateException("both have succeeded");
    }
  }

  @Test
  void aPairMayDoAllThatTheDeviceCan() {
    assertThat(failure(Flushing.class)).hasMessage("both have succeeded");
  }
}
