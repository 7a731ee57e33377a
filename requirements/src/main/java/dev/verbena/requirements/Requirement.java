package dev.verbena.requirements;

import dev.verbena.proofs.LawBook;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A requirement or rule that Verbena has to keep. Its text is in the {@link LawBook}.
 *
 * @param id its name, such as {@code WR-033} or {@code S12.4.1}
 * @param work the piece of work that has to prove it
 * @param kind how it is proven
 */
record Requirement(String id, String work, Kind kind) {

  /** How a requirement is proven. */
  enum Kind {
    /** By a test with its ID. */
    TEST,
    /** By an anchor in Javadoc with its ID. */
    DOC,
    /** By a test, but it may remain unproven. */
    OPTIONAL
  }

  /** Reads the list from the table {@code ids.tsv}. */
  static List<Requirement> all() {
    return parse(Table.resource("ids.tsv"));
  }

  static List<Requirement> parse(List<List<String>> rows) {
    Set<String> seen = new HashSet<>();
    return rows.stream()
        .map(
            row -> {
              if (!seen.add(row.getFirst())) {
                throw new IllegalArgumentException("listed twice: " + row.getFirst());
              }
              return new Requirement(row.get(0), row.get(1), kind(row.get(2)));
            })
        .toList();
  }

  private static Kind kind(String name) {
    return switch (name) {
      case "test" -> Kind.TEST;
      case "doc" -> Kind.DOC;
      case "optional" -> Kind.OPTIONAL;
      default -> throw new IllegalArgumentException("kind is test, doc or optional, not: " + name);
    };
  }
}
