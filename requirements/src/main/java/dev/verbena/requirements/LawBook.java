package dev.verbena.requirements;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Where the text of each rule is: the pages of {@code docs/spec} with their anchors, which look
 * like {@code <a id="WR-033"></a>}. An anchor is a rule's or a section's ID.
 */
final class LawBook {

  /** The folder of the pages, relative to the repository's root. */
  static final String FOLDER = "docs/spec";

  private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\"></a>");

  private final Map<String, String> pages;

  private LawBook(Map<String, String> pages) {
    this.pages = Map.copyOf(pages);
  }

  /**
   * Reads the pages below {@code root}.
   *
   * @throws IllegalArgumentException if an ID has two anchors
   */
  static LawBook read(Path root) throws IOException {
    Map<String, String> pages = new HashMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(root.resolve(FOLDER), "*.md")) {
      for (Path file : files) {
        String page = FOLDER + "/" + file.getFileName();
        for (MatchResult anchor : ANCHOR.matcher(Files.readString(file)).results().toList()) {
          String before = pages.put(anchor.group(1), page);
          if (before != null) {
            throw new IllegalArgumentException(
                "two anchors of %s: in %s and in %s".formatted(anchor.group(1), before, page));
          }
        }
      }
    }
    return new LawBook(pages);
  }

  /** All IDs that have an anchor. */
  Set<String> ids() {
    return pages.keySet();
  }

  /** The page and anchor of an ID, relative to the repository's root. */
  Optional<String> place(String id) {
    return Optional.ofNullable(pages.get(id)).map(page -> page + "#" + id);
  }
}
