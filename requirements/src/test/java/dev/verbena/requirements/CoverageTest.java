package dev.verbena.requirements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.LawBook;
import dev.verbena.requirements.Proof.Outcome;
import dev.verbena.requirements.Requirement.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CoverageTest {

  private static final Requirement A1 = new Requirement("A-1", "Alpha", Kind.TEST);
  private static final Requirement A2 = new Requirement("A-2", "Alpha", Kind.TEST);
  private static final Requirement A3 = new Requirement("A-3", "Alpha", Kind.OPTIONAL);
  private static final Requirement B1 = new Requirement("B-1", "Beta", Kind.DOC);
  private static final List<Requirement> ALL = List.of(A1, A2, A3, B1);

  @TempDir private Path folder;

  @Test
  void aPassedTestProves() {
    Coverage coverage = coverage(new Proof("A-1", Outcome.PASSED, "T#a"));
    assertThat(coverage.isProven(A1)).isTrue();
    assertThat(coverage.isProven(A2)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PASSED")
  void noOtherOutcomeProves(Outcome outcome) {
    assertThat(coverage(new Proof("A-1", outcome, "T#a")).isProven(A1)).isFalse();
  }

  @Test
  void aFailedTestOutweighsAPassedOne() {
    Coverage coverage =
        coverage(new Proof("A-1", Outcome.PASSED, "T#a"), new Proof("A-1", Outcome.FAILED, "T#b"));
    assertThat(coverage.isProven(A1)).isFalse();
  }

  @Test
  void aSkippedTestDoesNotOutweighAPassedOne() {
    Coverage coverage =
        coverage(new Proof("A-1", Outcome.PASSED, "T#a"), new Proof("A-1", Outcome.SKIPPED, "T#b"));
    assertThat(coverage.isProven(A1)).isTrue();
  }

  @Test
  void theReportStartsWithTheCountsAndLinksTheTexts() throws IOException {
    Coverage coverage =
        coverage(
            new Proof("A-2", Outcome.PASSED, "T#a"),
            new Proof("B-1", Outcome.PASSED, "Javadoc of X.java"),
            new Proof("A-1", Outcome.ABORTED, "T#b"));
    assertThat(new Report(coverage, Map.of("A-3", "later"), book(), "..").markdown())
        .isEqualTo(
            """
            proven 2 of 4
            Alpha: 1 of 3
            Beta: 1 of 1

            # Unproven

            ## Alpha

            - [A-1](../docs/spec/a.md#A-1)
              - `T#b` ABORTED
            - A-3 (no text) (optional) (exception: later)

            ## Beta


            # Proven

            - [A-2](../docs/spec/a.md#A-2)
              - `T#a`
            - [B-1](../docs/spec/b.md#B-1)
              - `Javadoc of X.java`
            """);
  }

  @Test
  void anIdThatIsNoRequirementIsABreach() throws IOException {
    Coverage coverage = coverage(new Proof("A-9", Outcome.PASSED, "T#a"));
    assertThat(new Gate(Set.of(), Map.of(), book()).breaches(coverage))
        .containsExactly("T#a claims A-9, which is not a requirement");
  }

  @Test
  void nothingHasToBeProvenOfWorkThatIsNotComplete() throws IOException {
    assertThat(new Gate(Set.of(), Map.of(), book()).breaches(coverage())).isEmpty();
  }

  @Test
  void everythingButOptionsAndExceptionsHasToBeProvenOfCompleteWork() throws IOException {
    Gate gate = new Gate(Set.of("Alpha"), Map.of("A-2", "no hardware"), book());
    assertThat(gate.breaches(coverage()))
        .containsExactly("A-1 is not proven; its text: docs/spec/a.md#A-1");
    assertThat(gate.breaches(coverage(new Proof("A-1", Outcome.PASSED, "T#a")))).isEmpty();
  }

  @Test
  void anExceptionThatIsProvenIsABreach() throws IOException {
    Gate gate = new Gate(Set.of(), Map.of("A-1", "too hard"), book());
    assertThat(gate.breaches(coverage(new Proof("A-1", Outcome.PASSED, "T#a"))))
        .containsExactly("A-1 is proven, yet listed as an exception");
  }

  @Test
  void anExceptionThatIsNoRequirementIsABreach() throws IOException {
    assertThat(new Gate(Set.of(), Map.of("A-9", "gone"), book()).breaches(coverage()))
        .containsExactly("A-9 is listed as an exception, but is not a requirement");
  }

  @Test
  void workThatNothingBelongsToIsABreach() throws IOException {
    assertThat(new Gate(Set.of("Gamma"), Map.of(), book()).breaches(coverage()))
        .containsExactly("no requirement belongs to the work 'Gamma'");
  }

  @Test
  void onlyProofsOfThisBuildCount(@TempDir Path root) throws IOException {
    Path folder = Files.createDirectories(root.resolve("soft/target/proofs"));
    Files.writeString(folder.resolve("monday-1-1.tsv"), "A-1\tPASSED\tT#a\tT > a()\n");
    Files.writeString(folder.resolve("tuesday-1-1.tsv"), "A-2\tPASSED\tT#b\tT > b()\n");
    Files.createDirectories(root.resolve("docs"));
    assertThat(Proof.collect(root, "tuesday"))
        .containsExactly(new Proof("A-2", Outcome.PASSED, "T#b"));
  }

  @Test
  void aBrokenProofFileIsAnError(@TempDir Path root) throws IOException {
    Path folder = Files.createDirectories(root.resolve("soft/target/proofs"));
    Files.writeString(folder.resolve("monday-1-1.tsv"), "A-1\tPASSED\n");
    assertThatThrownBy(() -> Proof.collect(root, "monday"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("monday-1-1.tsv: a proof has 4 cells, not 2");
  }

  @Test
  void anAnchorIsFoundInJavadocOnly(@TempDir Path root) throws IOException {
    Files.writeString(
        root.resolve("X.java"),
        """
        /** <p id="B-1">Says so. */
        class X {
          // id="B-2"
          String s = "id=\\"B-3\\"";
        }
        """);
    assertThat(new DocAnchor("B-1", "X.java").proof(root))
        .isEqualTo(new Proof("B-1", Outcome.PASSED, "Javadoc of X.java"));
    assertThat(new DocAnchor("B-2", "X.java").isIn(root)).isFalse();
    assertThat(new DocAnchor("B-3", "X.java").isIn(root)).isFalse();
    assertThat(new DocAnchor("B-1", "Y.java").isIn(root)).isFalse();
  }

  @Test
  void everyListedAnchorIsInItsJavadoc() throws IOException {
    for (DocAnchor anchor : DocAnchor.all()) {
      assertThat(anchor.isIn(Repository.root())).as(anchor.toString()).isTrue();
    }
  }

  @Test
  void theListOfRequirementsIsReadWhole() {
    assertThat(Requirement.all())
        .hasSizeGreaterThan(700)
        .extracting(Requirement::id)
        .contains("WR-033");
  }

  @Test
  void anIdThatIsListedTwiceIsAnError() {
    List<String> row = List.of("A-1", "Alpha", "test");
    assertThatThrownBy(() -> Requirement.parse(List.of(row, row))).hasMessage("listed twice: A-1");
  }

  @Test
  void anUnknownKindIsAnError() {
    assertThatThrownBy(() -> Requirement.parse(List.of(List.of("A-1", "Alpha", "guess"))))
        .hasMessageContaining("guess");
  }

  @Test
  void aTableWithAShortRowIsAnError() {
    assertThatThrownBy(() -> Table.parse("t.tsv", "a\tb\n1\n"))
        .hasMessage("t.tsv, line 2: 1 cells, the heading has 2");
  }

  /** Has the texts of and B-1. */
  private LawBook book() throws IOException {
    Path pages = Files.createDirectories(folder.resolve(LawBook.FOLDER));
    Files.writeString(pages.resolve("a.md"), anchor("A-1") + " first\n" + anchor("A-2"));
    Files.writeString(pages.resolve("b.md"), anchor("B-1"));
    return LawBook.read(folder);
  }

  private static String anchor(String id) {
    return "<a id=\"" + id + "\"></a>";
  }

  private static Coverage coverage(Proof... proofs) {
    return new Coverage(ALL, List.of(proofs));
  }
}
