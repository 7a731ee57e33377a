package dev.verbena.requirements;

import dev.verbena.proofs.LawBook;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rules on references in texts; each breach is a line that names the file. */
final class Citations {

  /** A rule's or section's ID that is not part of an address, a path or a longer word. */
  private static final Pattern ID =
      Pattern.compile(
          "(?<![\\w/.#-])"
              + "(S\\d+(\\.\\d+)*(\\.[a-z](?![a-z0-9]))?(/[A-Z0-9_-]+)?"
              + "|(WR|PS|PR|PY)-\\d{3}|(SC|ABI)-\\d{2})"
              + "(?![\\w-])");

  /** Words that refer a reader to a text outside the repository. */
  private static final Pattern ELSEWHERE =
      Pattern.compile(
          "\\b(design[ ]rules?|the[ ]design's|project's[ ]specification"
              + "|semantics\\.md|seed-requirements\\.md)\\b",
          Pattern.CASE_INSENSITIVE);

  /** The gap between the words of a comment: white space, and the start of a comment line. */
  private static final Pattern GAP = Pattern.compile("\\s+(\\*+\\s+|//+\\s+|#+\\s+)?");

  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern CODE = Pattern.compile("```.*?```|`[^`\n]*`", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");

  /** The name, in a document, of a class, a member, or the file of a class with its folders. */
  private static final Pattern NAME =
      Pattern.compile("`(?:[\\w.]+/)*([A-Z]\\w*[a-z]\\w*)(?:\\.([a-z]\\w*))?`");

  private static final Pattern WORD = Pattern.compile("\\w+");
  private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);
  private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\"></a>");

  /** Folders with output of builds and tools. */
  private static final Set<String> SKIPPED =
      Set.of(".git", "target", "node_modules", "__pycache__", "fuzz");

  /** Endings of text files; a file without an ending is text if it begins like a script. */
  private static final Set<String> TEXTS =
      Set.of("java", "c", "h", "md", "sh", "bash", "py", "xml", "txt", "tsv", "map", "properties");

  private Citations() {}

  /** The texts below a folder: sources, scripts, tables and documents. */
  static List<Path> texts(Path root) throws IOException {
    List<Path> texts = new ArrayList<>();
    try (Stream<Path> children = Files.list(root)) {
      for (Path child : children.sorted().toList()) {
        String name = child.getFileName().toString();
        if (Files.isDirectory(child)) {
          if (!SKIPPED.contains(name) && !Files.isSymbolicLink(child)) {
            texts.addAll(texts(child));
          }
        } else if (isText(child, name)) {
          texts.add(child);
        }
      }
    }
    return texts;
  }

  private static boolean isText(Path file, String name) throws IOException {
    if (name.indexOf('.') >= 0) {
      return TEXTS.contains(name.substring(name.lastIndexOf('.') + 1));
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.read() == '#';
    }
  }

  /** Every ID that a text cites has an anchor. */
  static List<String> unresolved(List<Path> texts, LawBook book) throws IOException {
    List<String> breaches = new ArrayList<>();
    for (Path file : texts) {
      for (String id : cited(Files.readString(file))) {
        if (!book.ids().contains(id)) {
          breaches.add(
              "%s: cites %s, which has no anchor in %s".formatted(file, id, LawBook.FOLDER));
        }
      }
    }
    return breaches;
  }

  /** No text refers to texts outside the repository. */
  static List<String> elsewhere(List<Path> texts) throws IOException {
    List<String> breaches = new ArrayList<>();
    for (Path file : texts) {
      String words = GAP.matcher(Files.readString(file)).replaceAll(" ");
      ELSEWHERE
          .matcher(words)
          .results()
          .forEach(found -> breaches.add("%s: says '%s'".formatted(file, found.group())));
    }
    return breaches;
  }

  /** The Javadoc of these sources, which is read without the law book, states rules in words. */
  static List<String> citedInJavadoc(List<Path> sources) throws IOException {
    List<String> breaches = new ArrayList<>();
    for (Path file : sources) {
      for (MatchResult comment : JAVADOC.matcher(Files.readString(file)).results().toList()) {
        for (String id : cited(ANCHOR.matcher(comment.group()).replaceAll(""))) {
          breaches.add("%s: cites %s in Javadoc".formatted(file, id));
        }
      }
    }
    return breaches;
  }

  /** Links of documents to files and anchors of the repository lead somewhere. */
  static List<String> brokenLinks(List<Path> documents) throws IOException {
    List<String> breaches = new ArrayList<>();
    for (Path file : documents) {
      Path folder = Objects.requireNonNull(file.getParent());
      Matcher links = LINK.matcher(CODE.matcher(Files.readString(file)).replaceAll(""));
      while (links.find()) {
        String link = links.group(1);
        if (!link.contains("://") && !leadsSomewhere(file, folder, link)) {
          breaches.add("%s: the link %s leads nowhere".formatted(file, link));
        }
      }
    }
    return breaches;
  }

  /** The classes, members and files of Java that documents name are in the sources. */
  static List<String> unknownNames(List<Path> documents, List<Path> sources) throws IOException {
    Map<String, Set<String>> words = new HashMap<>();
    Set<String> all = new HashSet<>();
    for (Path source : sources) {
      String type = source.getFileName().toString().replace(".java", "");
      Set<String> own = words.computeIfAbsent(type, _ -> new HashSet<>(Set.of("java")));
      WORD.matcher(Files.readString(source)).results().forEach(word -> own.add(word.group()));
      all.addAll(own);
    }
    List<String> breaches = new ArrayList<>();
    for (Path file : documents) {
      for (MatchResult name : NAME.matcher(Files.readString(file)).results().toList()) {
        Set<String> own = words.get(name.group(1));
        String member = name.group(2);
        if (own == null ? !all.contains(name.group(1)) : member != null && !own.contains(member)) {
          breaches.add("%s: names %s, which no source has".formatted(file, name.group()));
        }
      }
    }
    return breaches;
  }

  private static boolean leadsSomewhere(Path file, Path folder, String link) throws IOException {
    String path = link.replaceFirst("#.*", "");
    Path target = path.isEmpty() ? file : folder.resolve(path);
    if (!Files.exists(target)) {
      return false;
    }
    return link.indexOf('#') < 0
        || anchors(Files.readString(target)).contains(link.substring(link.indexOf('#') + 1));
  }

  /** Explicit anchors of a document, and those that code hosts make for its headings. */
  private static Set<String> anchors(String document) {
    Set<String> anchors = new HashSet<>();
    ANCHOR.matcher(document).results().forEach(anchor -> anchors.add(anchor.group(1)));
    HEADING
        .matcher(document)
        .results()
        .forEach(
            heading ->
                anchors.add(
                    heading
                        .group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-')));
    return anchors;
  }

  private static List<String> cited(String text) {
    return ID.matcher(text).results().map(MatchResult::group).distinct().toList();
  }
}
