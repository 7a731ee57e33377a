package dev.verbena.requirements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules on the text of sources; each breach is a line that names the file. */
final class SourceRules {

  static final int MAX_LINES = 800;

  private static final Pattern RESTRICTED =
      Pattern.compile("@SuppressWarnings\\([^)]*\"restricted\"");
  private static final Pattern WILDCARD_IMPORT =
      Pattern.compile("^import .*\\*;", Pattern.MULTILINE);

  /** A line that is not a comment, with such a character after a quotation mark. */
  private static final Pattern TEXT_BEYOND_ASCII =
      Pattern.compile(
          "^(?!\\s*(?:\\*|/\\*|//))[^\"\\n]*\"[^\\n]*[^\\x00-\\x7F]", Pattern.MULTILINE);

  /** A line that is not a comment, with this keyword. */
  private static final Pattern MONITOR =
      Pattern.compile("^(?!\\s*(?:\\*|/\\*|//))[^\"\\n]*\\bsynchronized\\b", Pattern.MULTILINE);

  /** The protocol machines' classes that any thread may call without a guard. */
  private static final List<String> WITH_MONITOR =
      List.of(
          "memory/KeyTable.java",
          "memory/Windows.java",
          "transport/QpStatus.java",
          "transport/Tally.java");

  private static final Pattern SUITE_PACKAGE =
      Pattern.compile("^package dev\\.verbena\\.tck(?:\\.([a-z.]+))?;", Pattern.MULTILINE);
  private static final Pattern SUITE_IMPORT =
      Pattern.compile(
          "^import (?:static )?dev\\.verbena\\.tck\\.((?:[a-z]+\\.)*)[A-Z]", Pattern.MULTILINE);

  private static final Pattern INCLUDE =
      Pattern.compile("^#\\s*include\\s+\"([^\"]+)\"", Pattern.MULTILINE);

  private SourceRules() {}

  /** No class is a God object. */
  static List<String> tooLong(List<Path> sources) throws IOException {
    return check(
        sources,
        source -> {
          long lines = source.text().lines().count();
          return lines > MAX_LINES
              ? Optional.of("%d lines, at most %d".formatted(lines, MAX_LINES))
              : Optional.empty();
        });
  }

  /** Native access is confined to classes named for it. */
  static List<String> restrictedOutsideNative(List<Path> sources) throws IOException {
    return check(
        sources,
        source ->
            !source.name().endsWith("Native.java") && RESTRICTED.matcher(source.text()).find()
                ? Optional.of("suppresses 'restricted', but is not named *Native")
                : Optional.empty());
  }

  /** Protocol machines and formats leave locking to guards, but for a few classes. */
  static List<String> monitors(List<Path> sources) throws IOException {
    return check(
        sources,
        source ->
            WITH_MONITOR.stream().noneMatch(source.name()::endsWith)
                    && MONITOR.matcher(source.text()).find()
                ? Optional.of("is synchronized; who uses it holds a guard")
                : Optional.empty());
  }

  static List<String> wildcardImports(List<Path> sources) throws IOException {
    return with(WILDCARD_IMPORT, sources, "imports by wildcard");
  }

  /** Output is ASCII, because other characters appear as '?' if the charset lacks them. */
  static List<String> textsBeyondAscii(List<Path> sources) throws IOException {
    return with(TEXT_BEYOND_ASCII, sources, "a text has a character beyond ASCII");
  }

  private static List<String> with(Pattern pattern, List<Path> sources, String breach)
      throws IOException {
    return check(
        sources,
        source -> pattern.matcher(source.text()).find() ? Optional.of(breach) : Optional.empty());
  }

  /** Every package declares its null-marking. */
  static List<String> packagesNotNullMarked(List<Path> sources) throws IOException {
    List<String> breaches = new ArrayList<>();
    List<Path> folders =
        sources.stream()
            .filter(source -> !source.endsWith("module-info.java"))
            .map(source -> Objects.requireNonNull(source.getParent()))
            .distinct()
            .toList();
    for (Path folder : folders) {
      Path info = folder.resolve("package-info.java");
      if (!Files.isRegularFile(info) || !Files.readString(info).contains("@NullMarked")) {
        breaches.add(folder + ": no package-info.java with @NullMarked");
      }
    }
    return breaches;
  }

  /** A chapter of the conformance suite uses the kit and what it is part of, and no other one. */
  static List<String> chaptersThatUseEachOther(List<Path> suite) throws IOException {
    return check(
        suite,
        source -> {
          Matcher home = SUITE_PACKAGE.matcher(source.text());
          String chapter = home.find() ? Objects.requireNonNullElse(home.group(1), "") : "";
          return SUITE_IMPORT
              .matcher(source.text())
              .results()
              .map(found -> found.group(1).replaceFirst("\\.$", ""))
              .filter(used -> !mayUse(chapter, used))
              .findFirst()
              .map(used -> "'%s' must not use '%s'".formatted(chapter, used));
        });
  }

  /** C files that include themselves, directly or through others. */
  static List<String> includeCircles(List<Path> sources) throws IOException {
    Map<Path, Set<Path>> includes = new TreeMap<>();
    for (Path source : sources) {
      Set<Path> included = new TreeSet<>();
      INCLUDE
          .matcher(Files.readString(source))
          .results()
          .forEach(found -> included.add(source.resolveSibling(found.group(1)).normalize()));
      includes.put(source, included);
    }
    List<String> breaches = new ArrayList<>();
    for (Path file : includes.keySet()) {
      Set<Path> reached = new TreeSet<>();
      Deque<Path> next = new ArrayDeque<>(includes.getOrDefault(file, Set.of()));
      while (!next.isEmpty()) {
        Path included = next.pop();
        if (reached.add(included)) {
          next.addAll(includes.getOrDefault(included, Set.of()));
        }
      }
      if (reached.contains(file)) {
        breaches.add(file.getFileName() + ": includes itself");
      }
    }
    return breaches;
  }

  private static boolean mayUse(String chapter, String used) {
    return switch (chapter) {
      case "kit" -> false;
      case "kit.links" -> used.equals("kit");
      case "kit.pairs" -> used.equals("kit") || used.equals("kit.links");
      default -> used.equals("kit") || used.startsWith("kit.") || chapter.startsWith(used + ".");
    };
  }

  private static List<String> check(List<Path> sources, Function<Source, Optional<String>> rule)
      throws IOException {
    List<String> breaches = new ArrayList<>();
    for (Path path : sources) {
      Source source = new Source(path.toString(), Files.readString(path));
      rule.apply(source).ifPresent(breach -> breaches.add(path + ": " + breach));
    }
    return breaches;
  }

  private record Source(String name, String text) {}
}
