package dev.verbena.requirements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.LawBook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Citations in comments, tests and documents resolve within this repository. */
class CitationsTest {

  /** Split, so that this source does not cite it. */
  private static final String BAD = "S9" + "9.1";

  @TempDir private Path folder;

  @Test
  void everyCitationResolvesToAnAnchor() throws IOException {
    assertThat(Citations.unresolved(texts(), LawBook.read(Repository.root()))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"A.java", "a.c", "a.h", "a.md", "script", "a.bash", "a.tsv"})
  void findsACitationThatResolvesToNothing(String name) throws IOException {
    LawBook book = book("S1.2", "S1.2.a", "WR-001");
    Path text = text(name, "# Good: S1.2. S1.2.a, (WR-001); x/S7.bin, AS3, S3x. Bad: " + BAD);
    assertThat(Citations.unresolved(List.of(text), book))
        .containsExactly(text + ": cites " + BAD + ", which has no anchor in docs/spec");
    assertThat(Citations.texts(folder)).contains(text);
  }

  @Test
  void everyRequirementHasAText() throws IOException {
    LawBook book = LawBook.read(Repository.root());
    assertThat(Requirement.all())
        .allSatisfy(
            requirement -> assertThat(book.text(requirement.id())).get().asString().isNotBlank());
  }

  @Test
  void anIdWithTwoAnchorsIsAnError() {
    assertThatThrownBy(() -> book("S1.2", "S1.2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two anchors of S1.2: in docs/spec/page.md and in docs/spec/page.md");
  }

  @Test
  void noTextRefersToWhatIsElsewhere() throws IOException {
    assertThat(Citations.elsewhere(texts())).isEmpty();
  }

  @Test
  void findsATextThatRefersToWhatIsElsewhere() throws IOException {
    Path good = text("Good.java", "// A design. The rule is S1.2.");
    Path bad = text("Bad.java", "/**\n * Kept by design" + "\n * rule 7.\n */");
    assertThat(Citations.elsewhere(List.of(good, bad)))
        .containsExactly(bad + ": says 'design" + " rule'");
  }

  @Test
  void theJavadocOfTheApiSaysRulesInWords() throws IOException {
    List<Path> api = Repository.sources("src/main", List.of("verbs"));
    assertThat(api).isNotEmpty();
    assertThat(Citations.citedInJavadoc(api)).isEmpty();
  }

  @Test
  void findsJavadocThatCitesANumber() throws IOException {
    Path good = text("Good.java", "/** <a id=\"PR-011\"></a>Polled first. */ // S1.2\n");
    Path bad = text("Bad.java", "/** Polled first (S1.2). */");
    assertThat(Citations.citedInJavadoc(List.of(good, bad)))
        .containsExactly(bad + ": cites S1.2 in Javadoc");
  }

  @Test
  void linksOfDocumentsLeadSomewhere() throws IOException {
    assertThat(Citations.brokenLinks(documents())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gone.md", "good.md#gone", "#gone"})
  void findsALinkThatLeadsNowhere(String link) throws IOException {
    text("good.md", "# A title, long\n\n<a id=\"S1.2\"></a>text");
    Path document =
        text(
            "links.md",
            "# Here\n[a](good.md) [b](good.md#S1.2) [c](good.md#a-title-long) [d](#here)"
                + " [e](https://example.org/x) `[f](code)` [bad]("
                + link
                + ")");
    assertThat(Citations.brokenLinks(List.of(document)))
        .containsExactly(document + ": the link " + link + " leads nowhere");
  }

  @Test
  void whatTheTourNamesIsInTheSources() throws IOException {
    List<Path> tour = new ArrayList<>(List.of(Repository.root().resolve("ARCHITECTURE.md")));
    tour.add(Repository.root().resolve("CONTRIBUTING.md"));
    tour.add(Repository.root().resolve("docs/glossary.md"));
    tour.addAll(Citations.texts(Repository.root().resolve("docs/internals")));
    List<Path> sources =
        texts().stream().filter(text -> text.toString().endsWith(".java")).toList();
    assertThat(Citations.unknownNames(tour, sources)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"`Gone`", "`Here.gone`", "`a/b/Gone`"})
  void findsANameThatNoSourceHas(String name) throws IOException {
    Path source = text("Here.java", "class Here {\n  void run() {}\n  class Inner {}\n}\n");
    Path tour = text("tour.md", "`Here`, `Here.run`, `a/Here.java`, `Inner`, `MAX`, " + name);
    assertThat(Citations.unknownNames(List.of(tour), List.of(source)))
        .containsExactly(tour + ": names " + name + ", which no source has");
  }

  private Path text(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private LawBook book(String... ids) throws IOException {
    StringBuilder page = new StringBuilder();
    for (String id : ids) {
      page.append("<a id=\"").append(id).append("\"></a>**").append(id).append("** text\n");
    }
    Path pages = Files.createDirectories(folder.resolve(LawBook.FOLDER));
    Files.writeString(pages.resolve("page.md"), page);
    return LawBook.read(folder);
  }

  private static List<Path> texts() throws IOException {
    List<Path> texts = Citations.texts(Repository.root());
    assertThat(texts).as("texts of the repository").hasSizeGreaterThan(1000);
    return texts;
  }

  private static List<Path> documents() throws IOException {
    return texts().stream().filter(text -> text.toString().endsWith(".md")).toList();
  }
}
