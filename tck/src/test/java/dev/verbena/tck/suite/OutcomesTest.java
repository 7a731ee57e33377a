package dev.verbena.tck.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.verbena.tck.kit.links.Excuse;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

final class OutcomesTest {
  /** Does what its methods say; a run of the suite does not see it, by its name. */
  static final class Sample {
    @ParameterizedTest
    @ValueSource(strings = {"WR", "POST_SEND"})
    void fails(String api) {
      throw new AssertionError("4 bytes\n  of 7, by " + api);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WR", "POST_SEND"})
    void failsOnce(String api) {
      assertThat(api).as("by lists").isNotEqualTo("WR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"WR", "POST_SEND"})
    void isSkipped(String api) {
      Assumptions.abort("there is no " + api);
    }
  }

  private static final String FAILS = "#fails: 4 bytes of 7";
  private static final String FAILS_ONCE = "#failsOnce[WR]: by lists";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Whether all is well, if the lists have these entries of the sample. */
  private boolean isWellWith(String... entries) {
    List<Excuse> excuses =
        Arrays.stream(entries)
            .map(entry -> entry.replaceFirst("#", "suite.OutcomesTest\\$Sample#"))
            .map(entry -> Excuse.of(entry, entry.contains("chance") ? "by chance: it" : "it"))
            .toList();
    Outcomes outcomes =
        new Outcomes(
            excuses,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    LauncherFactory.create(
            LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build())
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(Sample.class)).build(),
            outcomes);
    return outcomes.allIsWell(false);
  }

  private void assertCounts(int passed, int excused, int failed, int needless) {
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(
            "%d passed, %d failed and are excused, 2 skipped, %d failed; %d excused without need"
                .formatted(passed, excused, failed, needless))
        .startsWith(failed + needless == 0 ? "ok " : "FAIL ");
  }

  private void assertSaid(String... texts) {
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(texts);
  }

  @Test
  void whatFailsAsListsSayIsExcusedAndWhatIsSkippedIsLeftAlone() {
    assertThat(isWellWith(FAILS, FAILS_ONCE, "#isSkipped: anything")).isTrue();
    assertCounts(1, 3, 0, 0);
    assertSaid("excused suite.OutcomesTest$Sample#fails [1] api = \"WR\": it: 4 bytes of 7, by WR");
  }

  @Test
  void whatNoListNamesFails() {
    assertThat(isWellWith(FAILS)).isFalse();
    assertCounts(1, 2, 1, 0);
    assertSaid("failed suite.OutcomesTest$Sample#failsOnce [1]");
  }

  @Test
  void whatFailsWithOtherWordsIsNotExcused() {
    assertThat(isWellWith("#fails: of 7, by WR", FAILS_ONCE)).isFalse();
    assertCounts(1, 2, 1, 0);
    assertSaid(
        "failed otherwise than excused: suite.OutcomesTest$Sample#fails [2]",
        "the list says suite.OutcomesTest$Sample#fails: of 7, by WR");
  }

  @Test
  void anEntryForEachInvocationExcusesBoth() {
    assertThat(isWellWith("#fails[WR]: by WR", "#fails[POST_SEND]: by POST_SEND", FAILS_ONCE))
        .isTrue();
    assertCounts(1, 3, 0, 0);
  }

  @Test
  void anInvocationThatPassesIsExcusedWithoutNeed() {
    assertThat(isWellWith(FAILS, "#failsOnce: by lists")).isFalse();
    assertCounts(1, 3, 0, 1);
    assertSaid("needless: nothing fails, or not all of it: suite.OutcomesTest$Sample#failsOnce");
  }

  @Test
  void anEntryThatNothingMeetsIsThereWithoutNeed() {
    assertThat(isWellWith(FAILS, FAILS_ONCE, "#fails: 5 bytes", "#fails[RECV]: 4")).isFalse();
    assertCounts(1, 3, 0, 2);
  }

  @Test
  void whatFailsByChanceMayPass() {
    assertThat(isWellWith(FAILS, FAILS_ONCE, "#failsOnce[POST_SEND]: chance")).isTrue();
    assertCounts(1, 3, 0, 0);
  }
}
