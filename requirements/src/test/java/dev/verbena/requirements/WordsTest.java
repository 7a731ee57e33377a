package dev.verbena.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One word means one thing: docs/glossary.md. */
class WordsTest {

  @TempDir private Path folder;

  @Test
  void wordsMeanWhatTheGlossarySays() throws IOException {
    Path root = Repository.root();
    List<Path> texts = Citations.texts(root);
    assertThat(texts).hasSizeGreaterThan(1000);
    assertThat(Words.misused(root, texts)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tck/A.java | /** How long it takes on a busy\\n * machine. */ | busy machine",
        "dropin/a.c | /* The code of the Java virtual machine. */ | virtual machine",
        "interop/run | # Of the machine. | machine",
        "soft/A.java | // On one machine. | one machine",
        "wire/Icrc.java | /** Whether the flow is IPv4. */ | flow",
        "soft/src/link/Link.java | import dev.verbena.wire.RoceFlow; | eFlow",
        "soft/src/main/a/engine/ether/A.java | /** The flow of packets. */ | flow",
        "soft/src/main/a/transport/LanePair.java | final class LanePair {} | Lane",
        "dropin/Entry.java | boolean isInRegion; | isInRegion",
        "soft/src/main/a/tx/TxPort.java | /** The window of a link. */ | window",
        "soft/Path.java | int window(long bytes); | int window(",
        "tck/B.java | // Posts to the open region. | open region"
      })
  void findsAWordInAnotherMeaning(String path, String text, String found) throws IOException {
    assertThat(Words.misused(folder, List.of(text(path, text))))
        .isNotEmpty()
        .allMatch(breach -> breach.startsWith(path + ": '"))
        .anyMatch(breach -> breach.contains("'" + found + "'"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "README.md | the queue pair state machine, a protocol machine",
        "soft/A.java | The machines of a queue pair.",
        "wire/Grh.java | int flowLabel; // the flow label",
        "soft/device/raw/SoftFlow.java | A flow, which steers frames.",
        "verbs/src/main/a/PortAttr.java | 2.5 Gbit/s a lane",
        "tck/torture/Lane.java | final class Lane {}",
        "soft/src/main/a/tx/TxPort.java | /** The share of a peer window. */",
        "soft/src/main/a/tx/PeerWindow.java | PeerWindow window;",
        "tck/A.java | // Opens a region. posts(region)"
      })
  void findsNothingInTheRightMeaning(String path, String text) throws IOException {
    assertThat(Words.misused(folder, List.of(text(path, text)))).isEmpty();
  }

  private Path text(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text.replace("\\n", "\n"));
  }
}
