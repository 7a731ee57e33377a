package dev.verbena.requirements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The place where a requirement of kind {@code doc} is documented: a Javadoc comment that holds an
 * element with the requirement's ID as its {@code id}, as in {@code <a id="PR-011"></a>}.
 *
 * @param id the requirement
 * @param file the Java source, relative to the repository's root
 */
record DocAnchor(String id, String file) {

  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);

  /** Reads the list from the table {@code docs.tsv}. */
  static List<DocAnchor> all() {
    return Table.resource("docs.tsv").stream()
        .map(row -> new DocAnchor(row.get(0), row.get(1)))
        .toList();
  }

  /** Whether the file exists below {@code root} and has the anchor in a Javadoc comment. */
  boolean isIn(Path root) throws IOException {
    Path source = root.resolve(file);
    if (!Files.isRegularFile(source)) {
      return false;
    }
    String anchor = "id=\"" + id + "\"";
    return JAVADOC
        .matcher(Files.readString(source))
        .results()
        .anyMatch(comment -> comment.group().contains(anchor));
  }

  /** The anchor as a proof of its requirement. */
  Proof proof(Path root) throws IOException {
    Proof.Outcome outcome = isIn(root) ? Proof.Outcome.PASSED : Proof.Outcome.FAILED;
    return new Proof(id, outcome, "Javadoc of " + file);
  }
}
