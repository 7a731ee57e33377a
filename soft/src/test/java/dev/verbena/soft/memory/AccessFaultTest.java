package dev.verbena.soft.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccessFaultTest {
  private static final Path PAGE = Path.of("..", "docs", "vendor-errors.md");

  @Test
  void everyFaultHasItsNumber() {
    assertThat(AccessFault.values())
        .extracting(AccessFault::vendorErr)
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  }

  @Test
  void theWordsForANumberAreThoseOfTheDocuments() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.matches("\\| \\d+ .*")).toList();
    assertThat(
            Arrays.stream(AccessFault.values())
                .filter(fault -> fault != AccessFault.NONE)
                .map(fault -> "| " + fault.vendorErr() + " | " + fault.text() + " |"))
        .containsExactlyElementsOf(rows);
  }

  @Test
  void aNumberThatIsNoFaultHasNoWords() {
    assertThat(AccessFault.text(AccessFault.MEMORY_GONE.vendorErr()))
        .isEqualTo(AccessFault.MEMORY_GONE.text());
    assertThat(AccessFault.text(0)).isEmpty();
    assertThat(AccessFault.text(11)).isEmpty();
    assertThat(AccessFault.text(-1)).isEmpty();
  }
}
