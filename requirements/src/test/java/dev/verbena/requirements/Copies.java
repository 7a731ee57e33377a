package dev.verbena.requirements;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds pieces of code that are there twice: {@link CodeLines} in a row of the same shape. */
final class Copies {
  /** From this number of lines on, a piece should be in one place. */
  static final int LINES = 15;

  /** What begins at a line. */
  private record Piece(CodeLines source, int start) {
    boolean has(int line) {
      return start + line >= 0 && start + line < source.shapes().size();
    }

    String line(int line) {
      return source.shapes().get(start + line);
    }

    String text(int length) {
      return "%s:%d-%d"
          .formatted(
              source.file(), source.numbers().get(start), source.numbers().get(start + length - 1));
    }

    List<String> firstLines() {
      return source.shapes().subList(start, start + LINES);
    }

    boolean agreesAt(int line, Piece other) {
      return has(line) && other.has(line) && line(line).equals(other.line(line));
    }

    /**
     * How many lines have the same shape from here on; a piece does not reach into its own copy.
     */
    int sameLines(Piece copy) {
      int most =
          source.file().equals(copy.source.file())
              ? Math.abs(copy.start - start)
              : Integer.MAX_VALUE;
      int count = 0;
      while (count < most && agreesAt(count, copy)) {
        count++;
      }
      return count;
    }
  }

  private Copies() {}

  /** The pairs of pieces of the same shape. */
  static List<String> in(List<Path> files) throws IOException {
    Map<List<String>, List<Piece>> met = new HashMap<>();
    List<String> breaches = new ArrayList<>();
    for (Path file : files) {
      CodeLines source = CodeLines.of(file);
      for (int start = 0; start + LINES <= source.shapes().size(); start++) {
        Piece piece = new Piece(source, start);
        List<Piece> same = met.computeIfAbsent(piece.firstLines(), key -> new ArrayList<>());
        for (Piece earlier : same) {
          int count = earlier.sameLines(piece);
          // A pair that agrees one line before was found there.
          if (count >= LINES && !earlier.agreesAt(-1, piece)) {
            breaches.add(
                "%s and %s: %d lines of the same shape"
                    .formatted(earlier.text(count), piece.text(count), count));
          }
        }
        same.add(piece);
      }
    }
    return breaches;
  }
}
