package dev.verbena.proofs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;

/**
 * The place and text of each rule: the pages of {@code docs/spec} with their anchors, which look
 * like {@code <a id="WR-033"></a>}. An anchor is a rule's or a section's ID.
 */
public final class LawBook {

  /** The folder of the pages, relative to the repository's root. */
  public static final String FOLDER = "docs/spec";

  private final Map<String, Place> places;

  private LawBook(Map<String, Place> places) {
    this.places = Map.copyOf(places);
  }

  private record Place(String page, String text) {}

  /**
   * Reads the pages below {@code root}.
   *
   * @throws IllegalArgumentException if an ID has two anchors
   */
  public static LawBook read(Path root) throws IOException {
    Map<String, Place> places = new HashMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(root.resolve(FOLDER), "*.md")) {
      for (Path file : files) {
        String page = FOLDER + "/" + file.getFileName();
        String content = Files.readString(file);
        for (MatchResult anchor : RuleText.ANCHOR.matcher(content).results().toList()) {
          String text = RuleText.at(content, anchor);
          Place before = places.put(anchor.group(1), new Place(page, text));
          if (before != null) {
            throw new IllegalArgumentException(
                "two anchors of %s: in %s and in %s"
                    .formatted(anchor.group(1), before.page(), page));
          }
        }
      }
    }
    return new LawBook(places);
  }

  /** All IDs that have an anchor. */
  public Set<String> ids() {
    return places.keySet();
  }

  /** The page and anchor of an ID, relative to the repository's root. */
  public Optional<String> place(String id) {
    return Optional.ofNullable(places.get(id)).map(place -> place.page() + "#" + id);
  }

  /** The text of the rule, with our choices where it leaves room, as one line without Markdown. */
  public Optional<String> text(String id) {
    return Optional.ofNullable(places.get(id)).map(Place::text);
  }
}
