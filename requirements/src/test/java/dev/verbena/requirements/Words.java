package dev.verbena.requirements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds words of the glossary where they mean something else; each breach is a line that names the
 * file. The rules apply to words in identifiers, too.
 */
final class Words {

  /** Between the words of a comment: white space, and what begins a line. */
  private static final Pattern GAP = Pattern.compile("\\s+(\\*+\\s+|//+\\s+|#+\\s+)?");

  /** Places that explain the words, and C's texts of errno, which are not ours. */
  private static final Pattern FREE =
      Pattern.compile("docs/glossary\\.md|.*/(ErrnoTexts|Words|WordsTest)\\.java");

  private static final List<Meaning> MEANINGS =
      List.of(
          // Protocol machines are in soft and mad, where "machine" is name enough.
          meaning(
              "(?!(soft|mad|docs|ARCHITECTURE|requirements)\\b).*",
              "(?<!(protocol|state)[ -])(?<![A-Za-z_])[Mm]achines?(?![A-Za-z]|\\()",
              "a machine is a protocol machine; say JVM or computer"),
          meaning(
              ".*",
              "\\b([Vv]irtual|[Bb]usy|[Qq]uiet|[Oo]ther|[Ss]ame|[Oo]ne|[Tt]his) machines?\\b",
              "a machine is a protocol machine; say JVM or computer"),
          // Steering rules have packages of their own, and three classes that hand them on.
          meaning(
              "(wire|mad|soft)/"
                  + "(?!(.*/)?(device/raw/|transport/frames/|(SoftQueuePair|EtherPort|RawEndpoint)\\.java)).*",
              "\\b[Ff]lows?\\b(?! label)|[a-z]Flow\\b|\\bflows?\\(",
              "a flow is a steering rule"),
          // The lanes of a port's cable are InfiniBand's.
          meaning(
              "(verbs|wire|soft|mad|rdmacore|dropin|junit)/src/main/(?!.*Port(Attr|Info|Kind)\\.java).*",
              "\\b[Ll]anes?\\b|\\b[Ll]anes?(?=[A-Z])|[a-z]Lanes?\\b",
              "a lane is traffic of a test or a measurement"),
          meaning(
              ".*",
              "(?i)(post(ed|ing)?|\\bopen(ed)?|isIn|failedIn) ?regions?\\b",
              "a region is memory; what wr_start opens is a post batch"),
          // Classes of other windows name the kind.
          meaning(
              "soft/src/main/.*/(link|tx|packets)/(?!(.*/)?\\w*Window\\w*\\.java).*",
              "(?<!(memory|peer|loss|in-flight) )(?<!Windows? )\\bwindows?\\b",
              "a window is a memory window; say which, or what may be in flight"),
          meaning(
              "soft/.*",
              "\\bint (answerW|w)indow(Of)?\\(",
              "a window is a memory window; say which, or what may be in flight"));

  private Words() {}

  /** Uses of the words in another meaning, in the texts below a folder. */
  static List<String> misused(Path root, List<Path> texts) throws IOException {
    List<String> breaches = new ArrayList<>();
    for (Path file : texts) {
      String path = root.relativize(file).toString();
      if (FREE.matcher(path).matches()) {
        continue;
      }
      String words = GAP.matcher(Files.readString(file)).replaceAll(" ");
      for (Meaning meaning : MEANINGS) {
        if (meaning.where.matcher(path).matches()) {
          meaning
              .misuse
              .matcher(words)
              .results()
              .forEach(
                  found ->
                      breaches.add("%s: '%s': %s".formatted(path, found.group(), meaning.rule)));
        }
      }
    }
    return breaches;
  }

  private static Meaning meaning(String where, String misuse, String rule) {
    return new Meaning(Pattern.compile(where), Pattern.compile(misuse), rule);
  }

  private record Meaning(Pattern where, Pattern misuse, String rule) {}
}
