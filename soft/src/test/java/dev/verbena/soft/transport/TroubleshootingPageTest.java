package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.transport.RefusedRequest.Cause;
import dev.verbena.verbs.Access;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that docs/troubleshooting.md lists every reason for refusing a request, in the log's
 * words.
 */
class TroubleshootingPageTest {
  private static final Path PAGE = Path.of("..", "docs", "troubleshooting.md");
  private static final Pattern ROW = Pattern.compile("\\| `([A-Z_]+)` \\| (.*?) \\| .* \\|");
  private static final String REST = " ...";

  /** The faults of memory that a request names by a key. */
  private static final Set<AccessFault> OF_KEYS =
      EnumSet.complementOf(
          EnumSet.of(AccessFault.NONE, AccessFault.WINDOW_STATE, AccessFault.ILLEGAL_BINDING));

  private record Row(String cause, String text) {
    boolean says(Cause which, String words) {
      return cause.equals(which.name())
          && (text.endsWith(REST)
              ? words.startsWith(text.substring(0, text.length() - REST.length()))
              : words.equals(text));
    }
  }

  private static List<Row> rows() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> new Row(row.group(1), general(row.group(2))))
        .toList();
  }

  /** The text without the numbers, which differ from request to request. */
  private static String general(String text) {
    return text.replaceAll("0x[0-9a-f]+", "0x...").replaceAll("\\b(\\d+|M)\\b", "N");
  }

  private static Stream<String> texts(Cause cause) {
    return switch (cause) {
      case MEMORY -> OF_KEYS.stream().map(TroubleshootingPageTest::ofKey);
      case QP_RIGHT -> Stream.of(text(cause, Access.REMOTE_WRITE));
      case OUT_OF_SEQUENCE -> Stream.of(text(cause, 0), text(cause, 1));
      default -> Stream.of(text(cause, 4711));
    };
  }

  private static String text(Cause cause, long found) {
    RefusedRequest request = new RefusedRequest();
    request.because(cause, found, 9);
    return general(request.reason());
  }

  private static String ofKey(AccessFault fault) {
    RefusedRequest request = new RefusedRequest();
    MemorySegment memory = MemorySegment.ofArray(new byte[8]);
    Region region = new Region(1, 2, new Domain(), 0, 0x1000, memory);
    request.memory(fault, 2, Access.REMOTE_WRITE, 0x2000, 16, region);
    return general(request.reason());
  }

  @Test
  void eachReasonStandsThereInTheWordsOfTheLog() throws IOException {
    List<Row> rows = rows();
    for (Cause cause : Cause.values()) {
      assertThat(texts(cause))
          .allSatisfy(
              text -> assertThat(rows).as(cause.name()).anyMatch(row -> row.says(cause, text)));
    }
  }

  @Test
  void nothingStandsThereThatTheLogDoesNotSay() throws IOException {
    assertThat(rows())
        .allSatisfy(
            row -> {
              Cause cause = Cause.valueOf(row.cause());
              assertThat(texts(cause)).as(row.text()).anyMatch(text -> row.says(cause, text));
            });
  }
}
