package dev.verbena.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LawBookTest {

  private static final String PAGE =
      """
      <a id="S1"></a>

      # 1 Posting sends

      What is *posted*,
      and how.

      <a id="S1.1"></a>

      ## 1.1 Lists

      <a id="S1.1.a"></a>**S1.1.a** A list of *n* requests
      is `posted` in its order ([S1.1/TSO](other.md#S1.1/TSO)).

      - At most
        -1 of them.

      > **Our choice.** One
      > after the other.
      >
      > **Our choice.** Until one fails.

      | not | a part of it |
      | --- | --- |
      | 1 | 2 |

      ## 1.2 Errors

      A cross means legal.

      | cause | RC | UC |
      | --- | --- | --- |
      | <a id="S1.1/SEND"></a>**S1.1/SEND** no [key](x.md) | ERR | |
      | <a id="S1.1/TSO"></a>no room | | SQE |
      | SEND | <a id="WR-001"></a>**WR-001** yes | <a id="WR-002"></a>no |

      ## 1.3 Headings

      | ID | what |
      | --- | --- |
      | <a id="WR-003"></a>**WR-003** | a \\| b |
      """;

  @TempDir private Path root;

  @Test
  void aRuleHasItsParagraphsAndOurChoices() throws IOException {
    assertThat(book().text("S1.1.a"))
        .contains(
            "A list of *n* requests is `posted` in its order (S1.1/TSO). At most -1 of them."
                + " Our choice. One after the other. Our choice. Until one fails.");
  }

  @Test
  void aSectionHasItsHeading() throws IOException {
    assertThat(book().text("S1")).contains("1 Posting sends. What is *posted*, and how.");
    assertThat(book().text("S1.1")).contains("1.1 Lists.");
  }

  @Test
  void aRowHasWhatStandsAboveTheTableAndTheNamesOfTheColumns() throws IOException {
    assertThat(book().text("S1.1/SEND")).contains("A cross means legal. no key; RC: ERR");
    assertThat(book().text("S1.1/TSO")).contains("A cross means legal. no room; UC: SQE");
    assertThat(book().text("WR-003")).contains("what: a \\| b");
  }

  @Test
  void aCellHasItsRowAndItsColumnOnly() throws IOException {
    assertThat(book().text("WR-001")).contains("A cross means legal. SEND; RC: yes");
    assertThat(book().text("WR-002")).contains("A cross means legal. SEND; UC: no");
  }

  @Test
  void anIdWithoutAnchorHasNoText() throws IOException {
    assertThat(book().text("nothing")).isEmpty();
    assertThat(book().place("nothing")).isEmpty();
    assertThat(book().place("S1.1/TSO")).contains("docs/spec/page.md#S1.1/TSO");
  }

  private LawBook book() throws IOException {
    Path folder = Files.createDirectories(root.resolve(LawBook.FOLDER));
    Files.writeString(folder.resolve("page.md"), PAGE);
    return LawBook.read(root);
  }
}
