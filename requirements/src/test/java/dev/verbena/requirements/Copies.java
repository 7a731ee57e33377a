package dev.verbena.requirements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Finds pieces of code that are there twice: lines in a row that are equal but for indentation.
 * Blank lines, comments, imports and annotations do not count, and do not interrupt.
 */
final class Copies {
  /** From this number of lines on, a piece should be in one place. */
  static final int LINES = 15;

  private static final Pattern IGNORED =
      Pattern.compile("|(//|/?\\*|(import|package) ).*|@[\\w.]+(\\(.*\\))?");

  /** The lines of a source that count, by number and text. */
  private record Source(Path file, List<Integer> numbers, List<String> texts) {
    static Source read(Path file) throws IOException {
      Source source = new Source(file, new ArrayList<>(), new ArrayList<>());
      int number = 0;
      for (String line : Files.readAllLines(file)) {
        number++;
        if (!IGNORED.matcher(line.strip()).matches()) {
          source.numbers.add(number);
          source.texts.add(line.strip());
        }
      }
      return source;
    }

    Piece piece(int start) {
      return new Piece(this, start);
    }
  }

  /** What begins at a line. */
  private record Piece(Source source, int start) {
    boolean has(int line) {
      return start + line >= 0 && start + line < source.texts.size();
    }

    String line(int line) {
      return source.texts.get(start + line);
    }

    String text(int length) {
      return "%s:%d-%d"
          .formatted(
              source.file, source.numbers.get(start), source.numbers.get(start + length - 1));
    }

    List<String> firstLines() {
      return source.texts.subList(start, start + LINES);
    }

    boolean agreesAt(int line, Piece other) {
      return has(line) && other.has(line) && line(line).equals(other.line(line));
    }

    /** How many lines are equal from here on; a piece does not reach into its own copy. */
    int equalLines(Piece copy) {
      int most =
          source.file.equals(copy.source.file) ? Math.abs(copy.start - start) : Integer.MAX_VALUE;
      int count = 0;
      while (count < most && agreesAt(count, copy)) {
        count++;
      }
      return count;
    }
  }

  private Copies() {}

  /** The pairs of equal pieces. */
  static List<String> in(List<Path> files) throws IOException {
    Map<List<String>, List<Piece>> met = new HashMap<>();
    List<String> breaches = new ArrayList<>();
    for (Path file : files) {
      Source source = Source.read(file);
      for (int start = 0; start + LINES <= source.texts.size(); start++) {
        Piece piece = source.piece(start);
        List<Piece> equal = met.computeIfAbsent(piece.firstLines(), key -> new ArrayList<>());
        for (Piece earlier : equal) {
          int count = earlier.equalLines(piece);
          // A pair that agrees one line before was found there.
          if (count >= LINES && !earlier.agreesAt(-1, piece)) {
            breaches.add(
                "%s and %s: %d equal lines"
                    .formatted(earlier.text(count), piece.text(count), count));
          }
        }
        equal.add(piece);
      }
    }
    return breaches;
  }
}
