package dev.verbena.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** google-java-format has formatted the sources. */
class FormattingTest {

  /** Below {@code target}, so that a clean build checks all sources again. */
  private static final Path KNOWN = Repository.root().resolve("target/format/formatted.txt");

  @Test
  void allSourcesAreFormatted() throws Exception {
    assertThat(unformatted(Repository.sources("src", Repository.MODULES), KNOWN))
        .as("unformatted sources; to format them: bin/format")
        .isEmpty();
  }

  @Test
  void findsAnUnformattedSource(@TempDir Path folder) throws Exception {
    Path good = Files.writeString(folder.resolve("Good.java"), "class Good {}\n");
    Path bad = Files.writeString(folder.resolve("Bad.java"), "class  Bad {}\n");
    Path known = folder.resolve("known");
    assertThat(unformatted(List.of(good, bad), known)).containsExactly(bad.toString());
    assertThat(unformatted(List.of(good, bad), known)).containsExactly(bad.toString());
  }

  @Test
  void aSourceThatHasChangedIsLookedAtAgain(@TempDir Path folder) throws Exception {
    Path source = Files.writeString(folder.resolve("Source.java"), "class Source {}\n");
    Path known = folder.resolve("known");
    assertThat(unformatted(List.of(source), known)).isEmpty();
    Files.writeString(source, "class  Source {}\n");
    assertThat(unformatted(List.of(source), known)).containsExactly(source.toString());
  }

  @Test
  void findsASourceThatCannotBeRead(@TempDir Path folder) throws IOException {
    Path broken = Files.writeString(folder.resolve("Broken.java"), "class {\n");
    assertThat(run(List.of(broken)).err()).isNotEmpty();
  }

  /**
   * The unformatted sources. Formatting is slow, so {@code known} keeps the digests of formatted
   * contents, which are skipped.
   */
  private static List<String> unformatted(List<Path> sources, Path known) throws Exception {
    Set<String> formatted =
        Files.exists(known) ? new TreeSet<>(Files.readAllLines(known)) : new TreeSet<>();
    Map<Path, String> changed = new LinkedHashMap<>();
    for (Path source : sources) {
      String digest = digest(source);
      if (!formatted.contains(digest)) {
        changed.put(source, digest);
      }
    }
    if (changed.isEmpty()) {
      return List.of();
    }
    Result result = run(List.copyOf(changed.keySet()));
    assertThat(result.err()).isEmpty();
    List<String> unformatted = result.out().lines().toList();
    changed.forEach(
        (source, digest) -> {
          if (!unformatted.contains(source.toString())) {
            formatted.add(digest);
          }
        });
    Files.createDirectories(known.getParent());
    Files.write(known, formatted);
    return unformatted;
  }

  /** The digest of a source and of the formatter's release, which is in the name of its JAR. */
  private static String digest(Path source) throws Exception {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    Path formatter =
        Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    sha256.update(formatter.getFileName().toString().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(sha256.digest(Files.readAllBytes(source)));
  }

  private static Result run(List<Path> sources) throws IOException {
    List<String> args = new ArrayList<>(List.of("--dry-run"));
    sources.forEach(source -> args.add(source.toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    try (PrintWriter outWriter = new PrintWriter(out);
        PrintWriter errWriter = new PrintWriter(err)) {
      new Main(outWriter, errWriter, InputStream.nullInputStream())
          .format(args.toArray(String[]::new));
    } catch (Exception e) {
      throw new IOException("google-java-format failed: " + err, e);
    }
    return new Result(out.toString(), err.toString());
  }

  private record Result(String out, String err) {}
}
