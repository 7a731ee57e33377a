package dev.verbena.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherFactory;

class ProofListenerTest {

  @TempDir private Path folder;

  @Test
  void recordsAPassedAndAFailedMethod() throws IOException {
    String test = Plain.class.getName();
    String shown = Plain.class.getName().replace("dev.verbena.proofs.", "");
    assertThat(run(Plain.class))
        .contains(
            "A-1\tPASSED\t" + test + "#passes\t" + shown + " > passes()",
            "A-2\tFAILED\t" + test + "#fails\t" + shown + " > fails()",
            "A-3\tABORTED\t" + test + "#aborts\t" + shown + " > aborts()",
            "A-4\tSKIPPED\t" + test + "#disabled\t" + shown + " > disabled()")
        .hasSize(4);
  }

  @Test
  void oneBadParameterValueSpoilsTheMethod() throws IOException {
    assertThat(outcomes(Parameters.class)).containsExactlyInAnyOrder("A-1 FAILED", "A-2 PASSED");
  }

  @Test
  void oneSkippedParameterValueSpoilsTheMethod() throws IOException {
    assertThat(outcomes(SkippedParameter.class)).containsExactly("A-1 ABORTED");
  }

  @Test
  void oneBadDynamicTestSpoilsTheFactory() throws IOException {
    assertThat(outcomes(Factories.class))
        .containsExactlyInAnyOrder("A-1 FAILED", "A-2 PASSED", "A-3 SKIPPED");
  }

  @Test
  void oneBadClassParameterSpoilsTheMethod() throws IOException {
    assertThat(outcomes(ClassParameters.class)).containsExactly("A-1 FAILED");
  }

  @Test
  void methodsInheritTheIdsOfTheirClassItsSuperclassAndItsEnclosingClass() throws IOException {
    assertThat(outcomes(Child.class))
        .containsExactlyInAnyOrder("A-1 PASSED", "A-2 PASSED", "A-1 PASSED", "A-2 PASSED");
  }

  @Test
  void aSkippedClassSkipsItsMethods() throws IOException {
    assertThat(outcomes(SkippedClass.class)).containsExactly("A-1 SKIPPED");
  }

  @Test
  void aFailingSetUpProvesNothing() throws IOException {
    assertThat(outcomes(FailingSetUp.class)).containsExactly("A-1 FAILED");
  }

  @Test
  void aFailingTearDownSpoilsWhatPassed() throws IOException {
    assertThat(outcomes(FailingTearDown.class)).containsExactly("A-1 FAILED");
  }

  @Test
  void removesTheTablesOfOtherBuildsAndKeepsThoseOfThisOne() throws IOException {
    Files.writeString(folder.resolve("before-1-1.tsv"), "stale");
    Files.writeString(folder.resolve("now-0-0.tsv"), "");
    run(Plain.class);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .hasSize(2)
          .allMatch(name -> name.startsWith("now-"));
    }
  }

  @Test
  void writesNothingWithoutAFolder() {
    execute(new ProofListener(null, null), Plain.class);
    assertThat(folder).isEmptyDirectory();
  }

  private List<String> outcomes(Class<?> fixture) throws IOException {
    return run(fixture).stream()
        .map(line -> line.split("\t", -1))
        .map(cells -> cells[0] + " " + cells[1])
        .toList();
  }

  private List<String> run(Class<?> fixture) throws IOException {
    execute(new ProofListener(folder.toString(), "now"), fixture);
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> written =
          files.filter(file -> !file.getFileName().toString().equals("now-0-0.tsv")).toList();
      assertThat(written).hasSize(1);
      return Files.readAllLines(written.getFirst());
    }
  }

  private static void execute(ProofListener listener, Class<?> fixture) {
    LauncherConfig config =
        LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build();
    LauncherFactory.create(config)
        .execute(request().selectors(selectClass(fixture)).build(), listener);
  }

  static class Plain {
    @Test
    @Proves("A-1")
    void passes() {}

    @Test
    @Proves("A-2")
    void fails() {
      fail("on purpose");
    }

    @Test
    @Proves("A-3")
    void aborts() {
      assumeTrue(false);
    }

    @Test
    @Disabled
    @Proves("A-4")
    void disabled() {}

    @Test
    void claimsNothing() {}
  }

  static class Parameters {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Proves("A-1")
    void failsOnce(int value) {
      assertThat(value).isNotEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Proves("A-2")
    void passes(int value) {
      assertThat(value).isPositive();
    }
  }

  static class SkippedParameter {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Proves("A-1")
    void skipsOnce(int value) {
      assumeTrue(value == 1);
    }
  }

  static class Factories {
    @TestFactory
    @Proves("A-1")
    Stream<DynamicTest> failsOnce() {
      return Stream.of(dynamicTest("good", () -> {}), dynamicTest("bad", () -> fail("on purpose")));
    }

    @TestFactory
    @Proves("A-2")
    Stream<DynamicTest> passes() {
      return Stream.of(dynamicTest("good", () -> {}));
    }

    @TestFactory
    @Proves("A-3")
    Stream<DynamicTest> makesNone() {
      return Stream.empty();
    }
  }

  @ParameterizedClass
  @ValueSource(ints = {1, 2})
  static class ClassParameters {
    private final int value;

    ClassParameters(int value) {
      this.value = value;
    }

    @Test
    @Proves("A-1")
    void failsOnce() {
      assertThat(value).isEqualTo(1);
    }
  }

  @Proves("A-1")
  abstract static class Parent {
    @Test
    void inherited() {}
  }

  @Proves("A-2")
  static class Child extends Parent {
    @Nested
    class Inner {
      @Test
      void nested() {}
    }
  }

  @Disabled
  static class SkippedClass {
    @Test
    @Proves("A-1")
    void never() {}
  }

  static class FailingSetUp {
    @BeforeAll
    static void setUp() {
      fail("on purpose");
    }

    @Test
    @Proves("A-1")
    void never() {}
  }

  static class FailingTearDown {
    @Test
    @Proves("A-1")
    void passes() {}

    @AfterAll
    static void tearDown() {
      fail("on purpose");
    }
  }
}
